#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares outcome sets with those that another enumerator found.

usage: random_outcomes.py REPORT   for each result of FILE.litmus there is FILE.json with `keys`, `states`, `holds`
"""
import json
import os
import sys


def faults_of(result):
    with open(os.path.splitext(result["file"])[0] + ".json", encoding="utf-8") as file:
        known = json.load(file)
    if result["agree"] is not True:
        yield f"engines: {result['differences'] or result['reason']}"
    if result["holds"] != known["holds"]:
        yield f"holds is {result['holds']}, known is {known['holds']}"
    found = {tuple(int(o["state"][key], 16) for key in known["keys"]) for o in result["outcomes"]}
    states = {tuple(state) for state in known["states"]}
    for state in sorted(found - states):
        yield f"outcome that is not known: {dict(zip(known['keys'], state))}"
    for state in sorted(states - found):
        yield f"outcome that was not found: {dict(zip(known['keys'], state))}"


def main(path):
    with open(path, encoding="utf-8") as file:
        results = json.load(file)["results"]
    bad = 0
    for result in results:
        for fault in faults_of(result):
            print(f"{result['file']}: {fault}")
            bad += 1
    print(f"{len(results)} programs, {sum(len(r['outcomes']) for r in results)} outcomes, {bad} faults")
    return 1 if bad or not results else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
