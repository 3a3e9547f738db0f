#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Are reports the same but for times, memory and machine?

usage: report_compare.py WHOLE PART…   the parts' results, taken in turn a file at a time, are those of WHOLE
"""
import itertools
import json
import sys

VARIABLE = {"started", "seconds", "peak_mib", "machine"}


def stable(value):
    if isinstance(value, dict):
        return {key: stable(member) for key, member in value.items() if key not in VARIABLE}
    if isinstance(value, list):
        return [stable(member) for member in value]
    return value


def load(path):
    with open(path, encoding="utf-8") as file:
        return stable(json.load(file))


def by_file(report):
    return [list(group) for _, group in itertools.groupby(report["results"], key=lambda r: r["file"])]


def merged(parts):
    rounds = itertools.zip_longest(*(by_file(part) for part in parts), fillvalue=[])
    return [result for files in rounds for results in files for result in results]


def main(whole_path, *part_paths):
    whole = load(whole_path)
    parts = [load(path) for path in part_paths]
    heads = [{k: v for k, v in r.items() if k not in ("results", "summary")} for r in [whole, *parts]]
    if any(head != heads[0] for head in heads):
        print("the heads differ")
        return 1
    for result, other in itertools.zip_longest(whole["results"], merged(parts)):
        if result != other:
            print(f"differs: {json.dumps(result, sort_keys=True)}\n   from: {json.dumps(other, sort_keys=True)}")
            return 1
    totals = {key: sum(part["summary"][key] for part in parts) for key in whole["summary"]}
    if totals != whole["summary"]:
        print(f"summary differs: {whole['summary']} from {totals}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
