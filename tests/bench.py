#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Seconds of whole processes on families of tests that grow, by engine.

usage: bench.py PTXMM [SECONDS]   no test gets more than SECONDS (10)
"""
import os
import subprocess
import sys
import tempfile
import time


def litmus(name, columns, condition):
    """A test of threads, each in a CTA of its own; columns are lists of instructions."""
    rows = max(map(len, columns))
    lines = [f"PTX {name}", "{ }"]
    lines.append(" | ".join(f"P{i}@cta {i},gpu 0" for i in range(len(columns))) + " ;")
    for row in range(rows):
        lines.append(" | ".join(column[row] if row < len(column) else "" for column in columns) + " ;")
    return "\n".join([*lines, f"exists ({condition})", ""])


def store_buffering(n):
    """A ring: each thread writes its own location and reads its neighbour's."""
    columns = [[f"st.relaxed.gpu x{i}, 1", "fence.sc.gpu", f"ld.relaxed.gpu r0, x{(i + 1) % n}"]
               for i in range(n)]
    return litmus(f"SB-{n}", columns, " /\\ ".join(f"P{i}:r0 == 0" for i in range(n)))


def message_chain(n):
    """Data handed on along a chain of flags."""
    columns = [["st.weak d, 1", "st.release.gpu f0, 1"]]
    columns += [[f"ld.acquire.gpu r0, f{i - 1}", f"st.release.gpu f{i}, 1"] for i in range(1, n - 1)]
    columns += [[f"ld.acquire.gpu r0, f{n - 2}", "ld.weak r1, d"]]
    seen = " /\\ ".join(f"P{i}:r0 == 1" for i in range(1, n))
    return litmus(f"MP-chain-{n}", columns, f"{seen} /\\ P{n - 1}:r1 == 0")


def racing_writers(n):
    """Writers of one location; a reader may not see a value come back."""
    columns = [[f"st.relaxed.gpu x, {i + 1}"] for i in range(n)]
    columns += [[f"ld.relaxed.gpu r{i}, x" for i in range(3)]]
    return litmus(f"writers-{n}", columns, f"P{n}:r0 == 1 /\\ P{n}:r1 == 2 /\\ P{n}:r2 == 1")


def independent_readers(n):
    """Two writers and readers with fences that must not disagree about the order."""
    columns = [["st.relaxed.gpu x, 1"], ["st.relaxed.gpu y, 1"]]
    for i in range(n):
        first, second = ("x", "y") if i % 2 == 0 else ("y", "x")
        columns.append([f"ld.relaxed.gpu r0, {first}", "fence.sc.gpu", f"ld.relaxed.gpu r1, {second}"])
    seen = " /\\ ".join(f"P{i + 2}:r0 == 1 /\\ P{i + 2}:r1 == 0" for i in range(n))
    return litmus(f"readers-{n}", columns, seen)


FAMILIES = [
    (store_buffering, [2, 4, 6, 8, 12, 16, 24]),
    (message_chain, [3, 6, 9, 12, 16, 24]),
    (racing_writers, [2, 4, 6, 8, 12, 16, 24]),
    (independent_readers, [2, 4, 6, 8, 12, 16, 24]),
]
MODES = [("exec", []), ("solver", []), ("exec", ["--verdict-only"]), ("solver", ["--verdict-only"])]


def measure(ptxmm, path, engine, options, limit):
    """The best of three for short runs; None when it was not decided."""
    best = None
    for _ in range(3):
        start = time.monotonic()
        run = subprocess.run([ptxmm, "check", "--engine", engine, "--timeout", str(limit), *options, path],
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        seconds = time.monotonic() - start
        if run.returncode != 0:
            return None
        best = seconds if best is None else min(best, seconds)
        if seconds > 1:
            break
    return best


def main(ptxmm, limit="10"):
    titles = [engine + (" verdict" if options else "") for engine, options in MODES]
    print(f"{'test':16}" + "".join(f"{title:>16}" for title in titles))
    with tempfile.TemporaryDirectory() as folder:
        for family, sizes in FAMILIES:
            given_up = set()
            for size in sizes:
                text = family(size)
                path = os.path.join(folder, "test.litmus")
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                cells = []
                for mode, (engine, options) in enumerate(MODES):
                    seconds = None if mode in given_up else measure(ptxmm, path, engine, options, limit)
                    if seconds is None:
                        given_up.add(mode)
                    cells.append(f">{limit}" if seconds is None else f"{seconds:.4f}")
                print(f"{text.split()[1]:16}" + "".join(f"{cell:>16}" for cell in cells), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
