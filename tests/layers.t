#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The layers point one way: base -> litmus -> model -> {solver, exec} -> reports -> cli.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
cd "$PTXMM_SOURCE_ROOT" || exit 1

# A row a folder: whose headers it may include besides its own.
may_include='
base
litmus base
model base litmus
exec base litmus model
solver base litmus model
reports base litmus model
cli base litmus model exec solver reports
'

while read -r folder allowed; do
  [ -n "$folder" ] || continue
  pattern=$(printf '%s' "$folder $allowed" | tr ' ' '|' | sed 's/|$//')
  grep -rnE --include='*.[ch]' --include='*.def' --include='*.inc' '^ *# *include "' "$folder" \
    | grep -vE "include \"($pattern)/|include \"[a-z_]+\\.inc\"" > "$scratch/bad"
  [ ! -s "$scratch/bad" ]
  ok $? "$folder includes only itself and: ${allowed:-nothing}"
  note < "$scratch/bad"
done <<< "$may_include"

grep -rlE --include='*.[ch]' '# *include <z3' base litmus model exec reports cli > "$scratch/bad"
[ ! -s "$scratch/bad" ]
ok $? "Z3's headers are included in solver/ alone"
note < "$scratch/bad"

grep -rnE --include='*.[ch]' '\b(exit|_exit|abort|printf|puts|putchar|getenv|fopen|clock_gettime|time) \(' \
  base litmus model exec solver reports | grep -vE '^[^:]*:[0-9]*: *(\*|/\*)|G_GNUC_PRINTF' > "$scratch/bad"
[ ! -s "$scratch/bad" ]
ok $? "nothing below cli/ exits, prints, opens files or reads the clock"
note < "$scratch/bad"

missing=$(find base litmus model exec solver reports cli tests -name '*.[ch]' -exec \
  grep -L 'SPDX-License-Identifier: Apache-2.0' {} +)
[ -z "$missing" ]
ok $? "every source names its licence"
echo "$missing" | note

finish
