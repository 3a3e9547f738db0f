#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Another solver, on the problems that --smt2 writes, answers as ours does: a sample of the corpus.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
need_program

if ! command -v cvc5 > /dev/null; then
  echo "1..0 # SKIP cvc5 is not installed"
  exit 0
fi

mapfile -t files < <(cd "$PTXMM_SOURCE_ROOT/corpus" && find . -name '*.litmus' | sort | awk 'NR % 13 == 0')
cd "$PTXMM_SOURCE_ROOT/corpus" || exit 1
run check -q --smt2 "$scratch/problems" --json "$scratch/report.json" "${files[@]}"
ok "$((status != 0 && status != 3))" "${#files[@]} problems are written"

"$PTXMM_PYTHON" - "$scratch/report.json" > "$scratch/wanted" << 'END'
import json, sys
for result in json.load(open(sys.argv[1], encoding="utf-8"))["results"]:
    print(result["file"].replace("./", "").replace("/", "_")[:-len(".litmus")], "sat" if result["reachable"] else "unsat")
END
while read -r name wanted; do
  problem=$(find "$scratch/problems" -name "*$name.smt2" | head -n 1)
  got=$(timeout 60 cvc5 -q "$problem" 2>&1)
  [ "$got" = "$wanted" ] || echo "$name: $got, not $wanted"
done < "$scratch/wanted" > "$scratch/differences"
is "$(wc -l < "$scratch/wanted")" "${#files[@]}" "each has a verdict"
is "$(cat "$scratch/differences")" "" "cvc5 agrees on each"

finish
