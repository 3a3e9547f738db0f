#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Random tests through both engines, and faults seeded on purpose that the comparison must notice.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
need_program
campaign=$(dirname "$PTXMM")/tests/campaign
mapfile -t corpus < <(find "$PTXMM_SOURCE_ROOT/corpus" -name '*.litmus' | sort)

# A fault is looked for with random tests first, then with the corpus.  The seed of the short run
# is one at which the fault that is hardest to notice by either (a cycle in the Fence-SC order) is
# noticed soon; the long run needs no such help.
if [ -n "${PTXMM_LONG:-}" ]; then
  tests=20000 fault_options=(--count 20000)
else
  tests=300 fault_options=(--seed 560 --count 60)
fi

"$campaign" --count "$tests" > "$scratch/out" 2> "$scratch/err"
ok $? "both engines agree on $tests random tests"
grep -v '^ok' "$scratch/out" | tail -n 40 | note

"$campaign" --faults "${fault_options[@]}" "${corpus[@]}" > "$scratch/out" 2> "$scratch/err"
ok $? "every seeded fault is noticed"
is "$(grep -c '^ok' "$scratch/out")" "$(sed -n 's/^1\.\.//p' "$scratch/out")" "and none was left out"
grep -v '^ok' "$scratch/out" | tail -n 40 | note

finish
