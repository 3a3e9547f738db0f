#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Speed and memory, as tables for BENCHMARKS.md.

usage: bench.py PTXMM Z3_BASELINE [SECTION...]     sections: startup suite series outcomes

Whole processes are timed from outside and the best of several runs is taken; figures inside one
process come from its report.  Nothing here is asserted: the tables are to be read."""
import json
import os
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CONFORMANCE = os.environ.get("PTXMM_CONFORMANCE", "")


# ---- Tests that grow -----------------------------------------------------------------------

def litmus(name, columns, condition):
    """A test of threads, each in a CTA of its own; columns are lists of instructions."""
    rows = max(map(len, columns))
    lines = [f"PTX {name}", "{ }"]
    lines.append(" | ".join(f"P{i}@cta {i},gpu 0" for i in range(len(columns))) + " ;")
    for row in range(rows):
        lines.append(" | ".join(column[row] if row < len(column) else "" for column in columns) + " ;")
    return "\n".join([*lines, f"exists ({condition})", ""])


def store_buffering(n):
    """SBn: a ring; each thread writes its own location and reads its neighbour's."""
    columns = [[f"st.relaxed.gpu x{i}, 1", "fence.sc.gpu", f"ld.relaxed.gpu r0, x{(i + 1) % n}"]
               for i in range(n)]
    return litmus(f"SBn-{n}", columns, " /\\ ".join(f"P{i}:r0 == 0" for i in range(n)))


def message_chain(n):
    """MPC: data handed on along a chain of flags."""
    columns = [["st.relaxed.gpu x, 1", "st.release.gpu f1, 1"]]
    columns += [[f"ld.acquire.gpu r0, f{i}", f"st.release.gpu f{i + 1}, 1"] for i in range(1, n - 1)]
    columns += [[f"ld.acquire.gpu r0, f{n - 1}", "ld.relaxed.gpu r1, x"]]
    seen = " /\\ ".join(f"P{i}:r0 == 1" for i in range(1, n))
    return litmus(f"MPC-{n}", columns, f"{seen} /\\ P{n - 1}:r1 == 0")


def racing_writers(n):
    """COW: writers of one location; a reader may not see a value come back."""
    columns = [[f"st.relaxed.gpu x, {i + 1}"] for i in range(n)]
    columns += [[f"ld.relaxed.gpu r{i}, x" for i in range(3)]]
    return litmus(f"COW-{n}", columns, f"P{n}:r0 == 1 /\\ P{n}:r1 == 2 /\\ P{n}:r2 == 1")


def independent_readers(n):
    """IRIWn: two writers, and readers with fences that must not disagree about the order."""
    columns = [["st.relaxed.gpu x, 1"], ["st.relaxed.gpu y, 1"]]
    for i in range(n):
        first, second = ("x", "y") if i % 2 == 0 else ("y", "x")
        columns.append([f"ld.relaxed.gpu r0, {first}", "fence.sc.gpu", f"ld.relaxed.gpu r1, {second}"])
    seen = " /\\ ".join(f"P{i + 2}:r0 == 1 /\\ P{i + 2}:r1 == 0" for i in range(n))
    return litmus(f"IRIWn-{n}", columns, seen)


FAMILIES = [("COW", racing_writers), ("IRIWn", independent_readers), ("MPC", message_chain),
            ("SBn", store_buffering)]


# ---- Measuring -----------------------------------------------------------------------------

def run(command):
    """Seconds, peak MiB and output of one process."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    output = process.stdout.read()
    _, _, usage = os.wait4(process.pid, 0)
    return time.perf_counter() - start, usage.ru_maxrss / 1024, output


def best(command, times):
    """The quickest of several runs."""
    return min(run(command)[0] for _ in range(times))


def table(titles, rows):
    """A Markdown table with aligned columns."""
    cells = [titles] + [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[k]) for row in cells) for k in range(len(titles))]
    for number, row in enumerate(cells):
        print("| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |")
        if number == 0:
            print("|" + "|".join("-" * (width + 2) for width in widths) + "|")
    print()


def ms(seconds):
    return f"{seconds * 1000:.1f}"


class Bench:
    def __init__(self, ptxmm, baseline, folder):
        self.ptxmm, self.baseline, self.folder = ptxmm, baseline, folder

    def check(self, *arguments):
        return [self.ptxmm, "check", "--progress", "never", *arguments]

    def file(self, text):
        path = os.path.join(self.folder, text.split()[1] + ".litmus")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def startup(self):
        """Whole processes on one basic test."""
        test = self.file(message_chain(2))
        rounds = 25
        base = best([self.baseline], rounds)
        both = best(self.check(test), rounds)
        rows = [["load Z3, make a context, check one clause", ms(base), ""],
                ["ptxmm check, both engines", ms(both), f"{ms(both - base)} more than the line above"],
                ["ptxmm check --engine exec", ms(best(self.check("--engine", "exec", test), rounds)), ""],
                ["ptxmm --version", ms(best([self.ptxmm, "--version"], rounds)), ""]]
        table(["whole process, one basic test", "ms", ""], rows)

    def suite(self):
        """A suite in one process on one core, both engines."""
        rows = []
        suites = [("corpus, ptx-9.4", [os.path.join(ROOT, "corpus"), "--model", "ptx-9.4"])]
        public = os.path.join(CONFORMANCE, "dartagnan") if CONFORMANCE else ""
        if os.path.isdir(public):
            for model in ("ptx-6.0", "ptx-7.5"):
                listed = os.path.join(self.folder, model)
                with open(os.path.join(public, "expected.tsv"), encoding="utf-8") as file, \
                        open(listed, "w", encoding="utf-8") as out:
                    for line in file:
                        cells = line.rstrip("\n").split("\t")
                        if cells[1:3] == [model, "assertion"]:
                            out.write(os.path.join(public, cells[0]) + "\n")
                suites.append((f"dartagnan assertion rows, {model}", ["@" + listed, "--model", model]))
        for name, arguments in suites:
            seconds, peak, output = min((run(self.check(*arguments, "--json", "-")) for _ in range(3)),
                                        key=lambda result: result[0])
            results = json.loads(output)["results"]
            spent = {engine: sorted(result["engines"][engine]["seconds"] for result in results
                                    if result["engines"].get(engine))
                     for engine in ("exec", "solver")}
            rows.append([name, len(results), f"{seconds:.2f}", f"{peak:.0f}"]
                        + [cell for times in spent.values()
                           for cell in (f"{times[len(times) // 2] * 1000:.2f}", ms(times[-1]))])
        table(["suite, one process", "tests", "s", "MiB", "exec median ms", "exec most ms",
               "solver median ms", "solver most ms"], rows)

    def series(self):
        """Growing tests, verdict only, whole processes with the solver."""
        rows = []
        for n in (2, 4, 8, 12, 16, 24, 32, 48, 64):
            row = [n]
            for _, family in FAMILIES:
                command = self.check("--engine", "solver", "--verdict-only", self.file(family(n)))
                seconds, peak, _ = min((run(command) for _ in range(3)), key=lambda result: result[0])
                row += [f"{seconds:.3f}", f"{peak:.0f}"]
            rows.append(row)
        table(["n"] + [cell for name, _ in FAMILIES for cell in (f"{name} s", "MiB")], rows)

    def outcomes(self):
        """All outcomes with exec, and the tests with spin loops."""
        rows = []
        tests = [self.file(racing_writers(9)), self.file(racing_writers(16)),
                 self.file(independent_readers(4)), self.file(independent_readers(5))]
        manual = os.path.join(CONFORMANCE, "dartagnan", "Manual") if CONFORMANCE else ""
        if os.path.isdir(manual):
            tests += [os.path.join(manual, name) for name in sorted(os.listdir(manual))
                      if name.startswith(("Ticketlock", "XF-Barrier"))]
        for test in tests:
            seconds, peak, output = min((run(self.check("--engine", "exec", test, "--json", "-"))
                                         for _ in range(3)), key=lambda result: result[0])
            result = json.loads(output)["results"][0]
            engine = result["engines"]["exec"]
            rows.append([result["test"], len(result["outcomes"]), engine["candidates"],
                         f"{engine['seconds']:.3f}",
                         f"{engine['candidates'] / max(engine['seconds'], 1e-6):,.0f}",
                         f"{seconds:.3f}", f"{peak:.0f}"])
        table(["exec, all outcomes", "outcomes", "executions", "s", "executions/s", "process s", "MiB"], rows)


def main(ptxmm, baseline, *sections):
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(ptxmm, baseline, folder)
        for section in sections or ("startup", "suite", "series", "outcomes"):
            getattr(bench, section)()


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
