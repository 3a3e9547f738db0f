#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does the corpus notice when a clause of the reference model is missing?

usage: adequacy.py [--program PTXMM] [--model FILE.cat] [--corpus DIR] [--jobs N] [NAME…]

For every check of the model, and every part of a definition that can be left out (an alternative
of "|", a condition of "&", a test "[S]" in a sequence, what "\\" takes away, the "?" of a step),
makes a model without it and runs it, through both engines, on the corpus.  Some verdict has to
change, or, for what only flags depend on, some flag.  Clauses that no test can notice are listed
below with the reason; to be noticed after all is a failure, too.  NAME: only these definitions
and checks.  TAP on standard output.
"""
import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# ---- Clauses that no verdict and no flag can depend on ---------------------------------------
# Keys are printed by this script: NAME: CLAUSE.

_NO_SCOPE = "weak operations and proxy fences have no scope, so sr leaves them out"
_LOC = "vloc, loc and loc-full relate memory operations only"
_COMPARED = "each axiom meets causality with loc, rf or fr, which hold at one location"
_OWN = (
    "operations of one thread on one address through one proxy are ordered by causality, which"
    " alone gives 8.10.1 and 8.10.6 for them, and their synchronizing adds nothing to po"
)
_UNSEEN = (
    "observation starts at a write that a morally strong read takes; nobody but its own thread"
    " sees a weak write so, and an atomic there that does is itself a later strong write"
)
_STARTS = "observation starts at writes and ends at reads"
_TWICE = "the pair is in conflict the other way round"

REDUNDANT = {
    "memory-fence: \\ PFENCE": "proxy fences have neither semantics nor scope",
    "strong-memory: & M": "what else has these semantics is a memory fence, and so is strong",
    "strong-write: & W": _STARTS,
    "strong-write: & strong": _UNSEEN,
    "strong-read: & R": _STARTS,
    "related: | po": _OWN,
    "related: | po^-1": _OWN,
    "related: ; [strong] (1)": _NO_SCOPE,
    "related: ; [strong] (2)": _NO_SCOPE,
    "one-proxy: & memory-pair": "other pairs are in the other alternative",
    "overlap-completely: & memory-pair": _LOC,
    "release-pattern: & W": "a fence.release is in no po-loc and no write",
    "release-pattern: ; [strong-write] (1)": _UNSEEN,
    "release-pattern: ; [strong-write] (2)": _UNSEEN,
    "acquire-pattern: & R": "a fence.acquire is in no po-loc and no read",
    "barrier-sync: & scta": "only operations of one CTA meet at a barrier (8.9.4 says so once more)",
    "base-causality: | from-init": "init-causality says all of it that an axiom or a race can see",
    "ppbc-generic: & M (1)": _LOC,
    "ppbc-generic: & M (2)": _LOC,
    "ppbc-alias: & M (1)": _LOC,
    "ppbc-alias: & M (2)": _LOC,
    "ppbc-alias: & loc": _COMPARED,
    "other: \\ GEN": "for generic sides the cases without a fence are wider",
    "proxy-exit: ; [other]": "for generic sides the cases without a fence are wider",
    "proxy-enter: ; [other]": "for generic sides the cases without a fence are wider",
    "ppbc-exit: & M": _LOC,
    "ppbc-enter: & M": _LOC,
    "ppbc-exit-alias: & M": _LOC,
    "ppbc-enter-alias: & M": _LOC,
    "ppbc: & loc": _COMPARED,
    "init-causality: & loc": _COMPARED,
    "coherence: & loc": "causality already relates operations of one location only",
    "coherence-total: & loc": "morally strong memory operations overlap completely",
    "fence-sc: ; [F & SC]": "Fence-SC order relates fence.sc only",
    "fence-sc: & F": "Fence-SC order relates fence.sc only",
    "fence-sc: & SC": "Fence-SC order relates fence.sc only",
    "atomicity: & morally-strong (1)": "the halves of an atomic have one scope, proxy and address",
    "atomicity: & morally-strong (2)": "the halves of an atomic have one scope, proxy and address",
    "conflict: | W * M": _TWICE,
    "conflict: | M * W": _TWICE,
    "through-proxies: \\ vloc & (GEN * GEN)": "base causality between them is causality, so they are no race",
    "proxy-race: & through-proxies": "as for through-proxies; it saves work",
}

# ---- The cat language, as far as it is needed here -------------------------------------------
# A node is (operator, operands); leaves are ("atom", text).  Precedence: model/cat_parse.c.

COMMENT = re.compile(r"\(\*.*?\*\)", re.S)
TOKEN = re.compile(r"\s*(\^-1|[A-Za-z_][\w.-]*'?|[0-9]+|[|&;\\()\[\]?+*~])")
STATEMENT = re.compile(r"^(let rec|let|flag ~empty|empty|irreflexive|acyclic)\s", re.M)
STARTS_OPERAND = re.compile(r"[\w(\[~]")
LEVELS = ["|", ";", "\\", "&"]


def tokens_of(text):
    tokens, at = [], 0
    text = text.strip()
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None:
            raise SystemExit(f"adequacy.py: cannot read {text[at:at + 20]!r}")
        tokens.append(match.group(1))
        at = match.end()
    return tokens


class Parser:
    def __init__(self, text):
        self.tokens = tokens_of(text)
        self.at = 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def take(self, token=None):
        found = self.peek()
        if token is not None and found != token:
            raise SystemExit(f"adequacy.py: expected {token!r}, found {found!r}")
        self.at += 1
        return found

    def level(self, depth=0):
        if depth == len(LEVELS):
            return self.postfix()
        operands = [self.level(depth + 1)]
        while self.peek() == LEVELS[depth]:
            self.take()
            operands.append(self.level(depth + 1))
        return operands[0] if len(operands) == 1 else (LEVELS[depth], operands)

    def postfix(self):
        node = self.primary()
        while self.peek() in ("?", "+", "*", "^-1"):
            operator = self.take()
            if operator == "*" and STARTS_OPERAND.match(self.peek() or ""):
                node = ("*", [node, self.primary()])
            else:
                node = ("suffix" + operator, [node])
        return node

    def primary(self):
        token = self.take()
        if token == "(":
            node = self.level()
            self.take(")")
            return node
        if token == "[":
            node = self.level()
            self.take("]")
            return ("test", [node])
        if token == "~":
            return ("~", [self.primary()])
        return ("atom", token)


def parse(text):
    parser = Parser(text)
    node = parser.level()
    if parser.peek() is not None:
        raise SystemExit(f"adequacy.py: {parser.peek()!r} is left over")
    return node


def show(node):
    operator, operands = node
    if operator == "atom":
        return operands
    if operator == "test":
        return f"[{show(operands[0])}]"
    if operator == "~":
        return f"~{wrapped(operands[0])}"
    if operator.startswith("suffix"):
        return wrapped(operands[0]) + operator[len("suffix"):]
    glue = "; " if operator == ";" else f" {operator} "
    return glue.join(wrapped(o) for o in operands)


def wrapped(node):
    is_closed = node[0] in ("atom", "test", "~") or node[0].startswith("suffix")
    return show(node) if is_closed else f"({show(node)})"


def rebuilt(operator, operands):
    return operands[0] if len(operands) == 1 else (operator, operands)


def without_parts(node):
    """Yields (what is left out, the node without it), everywhere in the node."""
    operator, operands = node
    if operator == "atom":
        return
    for i, operand in enumerate(operands):
        rest = operands[:i] + operands[i + 1:]
        is_clause = {"|": True, "&": True, "\\": i > 0, ";": operand[0] in ("test", "suffix?")}
        if is_clause.get(operator, False):
            yield f"{operator} {show(operand)}", rebuilt(operator, rest)
        for what, smaller in without_parts(operand):
            yield what, (operator, operands[:i] + [smaller] + operands[i + 1:])
    if operator == "suffix?":
        yield f"the ? of {show(node)}", operands[0]


# ---- Models with something missing -----------------------------------------------------------


class Statement:
    def __init__(self, text):
        self.text = text
        self.kind = STATEMENT.match(text).group(1)
        body = text[len(self.kind):]
        if self.is_definition():
            self.name, self.body = (part.strip() for part in body.split("=", 1))
        else:
            self.body, self.name = (part.strip() for part in body.rsplit(" as ", 1))

    def is_definition(self):
        return self.kind.startswith("let")

    def with_body(self, body):
        return f"{self.kind} {self.name} = {body}" if self.is_definition() else f"{self.kind} {body} as {self.name}"


def statements_of(text):
    title, rest = COMMENT.sub("", text).split("\n", 1)
    starts = [m.start() for m in STATEMENT.finditer(rest)]
    parts = [rest[a:b].strip() for a, b in zip(starts, starts[1:] + [len(rest)])]
    return title, [Statement(part) for part in parts]


def ordinal(parts, n):
    """" (2)" for the second of several parts that read alike."""
    alike = [m for m, part in enumerate(parts) if part[0] == parts[n][0]]
    return f" ({alike.index(n) + 1})" if len(alike) > 1 else ""


def mutants_of(text, wanted):
    """Yields (key, model text)."""
    title, statements = statements_of(text)
    for i, statement in enumerate(statements):
        if wanted and statement.name not in wanted:
            continue
        others = [s.text for s in statements]
        if not statement.is_definition():
            yield f"{statement.name}: the check", "\n".join([title] + others[:i] + others[i + 1:]) + "\n"
        parts = list(without_parts(parse(statement.body)))
        for n, (what, smaller) in enumerate(parts):
            others[i] = statement.with_body(show(smaller))
            yield f"{statement.name}: {what}{ordinal(parts, n)}", "\n".join([title] + others) + "\n"


# ---- Running ---------------------------------------------------------------------------------


def bail_out(why):
    print(f"Bail out! {why}", flush=True)
    raise SystemExit(1)


def decide(args, model, files):
    """From file to (holds, kinds of flags).  Holds is None when nothing was decided or the engines disagree;
    where only one of them answers (values out of thin air are not enumerated), its answer counts."""
    options = ["--quiet", "--progress", "never", "--timeout", "20", "--json", "-"]
    command = [args.program, "check", "--model", model] + options
    run = subprocess.run(command + files, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if run.returncode not in (0, 1, 3) or not run.stdout:
        bail_out(f"{os.path.basename(model)}: {run.stderr.decode(errors='replace').strip()}")
    answers = {}
    for result in json.loads(run.stdout)["results"]:
        flags = frozenset(flag["kind"] for flag in result["flags"] if flag["kind"].endswith("race"))
        answers[result["file"]] = (None if result["agree"] is False else result["holds"], flags)
    return answers


def first_change(args, text, stages, baseline):
    """The first test that answers otherwise than with the whole model, as text, or None."""
    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, "mutant.cat")
        with open(model, "w", encoding="utf-8") as file:
            file.write(text)
        for files in stages:
            for name, (holds, flags) in decide(args, model, files).items():
                if holds is None:
                    return f"!{name}: the engines disagree or give up"
                if (holds, flags) != baseline[name]:
                    return describe(args, name, baseline[name], (holds, flags))
    return None


def describe(args, name, before, after):
    test = os.path.relpath(name, args.corpus)
    if before[0] != after[0]:
        return f"{test} {'holds' if after[0] else 'fails'}"
    changed = ", ".join(sorted(before[1] ^ after[1]))
    return f"{test} {'loses' if before[1] - after[1] else 'gains'} the flag {changed}"


def stages_of(corpus):
    """Smaller tests first: most clauses are noticed by one of them."""
    files = []
    for folder, _, names in os.walk(corpus):
        files += [os.path.join(folder, name) for name in names if name.endswith(".litmus")]
    files.sort(key=lambda f: (os.path.getsize(f), f))
    third = len(files) // 3
    return [files[:third], files[third:2 * third], files[2 * third:]]


def report(number, key, change):
    """A TAP line, and whether it is good."""
    if change is not None and change.startswith("!"):
        return f"not ok {number} - {key} # {change[1:]}", False
    if key in REDUNDANT:
        if change is None:
            return f"ok {number} - {key} is redundant: {REDUNDANT[key]}", True
        return f"not ok {number} - {key} is listed as redundant, but {change}", False
    if change is None:
        return f"not ok {number} - {key} is noticed by no test", False
    return f"ok {number} - without {key}, {change}", True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.environ.get("PTXMM", os.path.join(ROOT, "build", "ptxmm")))
    parser.add_argument("--model", default=os.path.join(ROOT, "model", "cat", "ptx-9.4.cat"))
    parser.add_argument("--corpus", default=os.path.join(ROOT, "corpus"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    with open(args.model, encoding="utf-8") as file:
        mutants = list(mutants_of(file.read(), set(args.names)))
    unknown = set() if args.names else set(REDUNDANT) - {key for key, _ in mutants}
    stages = stages_of(args.corpus)
    baseline = {}
    for files in stages:
        baseline.update(decide(args, args.model, files))
    bad = [name for name, (holds, _) in baseline.items() if holds is None]
    if bad:
        bail_out(f"undecided, or the engines disagree, with the whole model: {bad[0]}")
    good = not unknown
    print(f"1..{len(mutants) + len(unknown)}", flush=True)
    with concurrent.futures.ThreadPoolExecutor(max_workers=args.jobs) as pool:
        changes = pool.map(lambda mutant: first_change(args, mutant[1], stages, baseline), mutants)
        for number, ((key, _), change) in enumerate(zip(mutants, changes), 1):
            line, is_good = report(number, key, change)
            print(line, flush=True)
            good = good and is_good
    for number, key in enumerate(sorted(unknown), len(mutants) + 1):
        print(f"not ok {number} - {key} is listed as redundant and is not in the model")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
