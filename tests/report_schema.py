#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Validates reports against the schema, and what a schema cannot say.

usage: report_schema.py SCHEMA REPORT…   prints a line for each fault, exits 1 if there is any
"""
import json
import sys

import jsonschema


def is_sorted(text):
    """True when every object's keys are sorted."""
    def pairs(items):
        keys = [key for key, _ in items]
        if keys != sorted(keys):
            raise ValueError(f"keys out of order: {keys}")
        return dict(items)
    json.loads(text, object_pairs_hook=pairs)


MOST_OUTCOMES = 100


def shortened(report):
    """The report with the first outcomes of each result: all are made alike, and thousands take minutes."""
    results = [dict(result, outcomes=result["outcomes"][:MOST_OUTCOMES]) for result in report["results"]]
    return dict(report, results=results)


def faults_of_result(result):
    count = len(result["outcomes"])
    for name, engine in result["engines"].items():
        if any(index >= count for index in engine["outcomes"]):
            yield f"{name} names an outcome that is not there"
    states = [json.dumps(o["state"], sort_keys=True) for o in result["outcomes"]]
    if len(set(states)) != count:
        yield "outcomes are not distinct"
    witness = result["witness"]
    if witness is not None:
        events = len(witness["events"])
        for name, pairs in witness["relations"].items():
            if any(x >= events or y >= events for x, y in pairs):
                yield f"{name} names an event that is not there"
            if pairs != sorted(pairs):
                yield f"{name} is not sorted"
    if None not in (result["expected"], result["holds"]):
        if result["as_expected"] != (result["expected"] == result["holds"]):
            yield "as_expected does not follow"


def faults_of_summary(report):
    summary, results = report["summary"], report["results"]
    wanted = {
        "tests": len(results),
        "as_expected": sum(r["as_expected"] is True for r in results),
        "unexpected": sum(r["as_expected"] is False for r in results),
        "errors": sum(r["error"] is not None for r in results),
        "disagreements": sum(r["agree"] is False for r in results),
    }
    for key, value in wanted.items():
        if summary[key] != value:
            yield f"summary.{key} is {summary[key]}, the results say {value}"


def faults_of(path, validator):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    report = json.loads(text)
    try:
        is_sorted(text)
    except ValueError as error:
        yield str(error)
    schema_faults = list(validator.iter_errors(shortened(report)))
    for error in schema_faults:
        yield f"{'/'.join(map(str, error.absolute_path))}: {error.message}"
    if not schema_faults:
        for index, result in enumerate(report["results"]):
            yield from (f"results/{index}: {fault}" for fault in faults_of_result(result))
        yield from faults_of_summary(report)


def main(schema_path, *paths):
    with open(schema_path, encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    bad = 0
    for path in paths:
        for fault in faults_of(path, validator):
            print(f"{path}: {fault}")
            bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
