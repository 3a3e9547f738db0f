#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Random tests through both engines, and faults seeded on purpose that the comparison must notice.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
need_program
campaign=$(dirname "$PTXMM")/tests/campaign
if [ -n "${PTXMM_LONG:-}" ]; then
  tests=10000 fault_tests=1000
else
  tests=1000 fault_tests=100
fi

"$campaign" --count "$tests" > "$scratch/out" 2> "$scratch/err"
ok $? "both engines agree on $tests random tests"
grep -v '^ok' "$scratch/out" | tail -n 40 | note
"$campaign" --faults --count "$fault_tests" "$PTXMM_SOURCE_ROOT"/corpus/*/*.litmus > "$scratch/out" 2> "$scratch/err"
ok $? "every seeded fault is noticed by $fault_tests random tests and the corpus"
grep -v '^ok' "$scratch/out" | tail -n 40 | note

finish
