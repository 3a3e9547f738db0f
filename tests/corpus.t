#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The shipped tests under every shipped model, against the verdicts recorded with their evidence.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
need_program
corpus=$PTXMM_SOURCE_ROOT/corpus

for table in "$corpus"/expected/*.tsv; do
  model=$(basename "$table" .tsv)
  rows=$(awk -F '\t' -v model="$model" '$2 == model && $3 == "assertion"' "$table" | wc -l)
  run check -q --jobs 0 --timeout 120 --model "$model" --expect "$table" --json "$scratch/report.json" "$corpus"
  # Tests without a row for this model may be undecided within the bound.
  [ "$status" -eq 0 ] || [ "$status" -eq 3 ]
  ok $? "$model: nothing unexpected, no error, no disagreement"
  [ "$status" -eq 0 ] || note < "$scratch/out"
  prints out "^[0-9]+ tests: $rows as expected, 0 unexpected, " "$model: all $rows verdicts are met"
  "$PTXMM_PYTHON" "$here/report_schema.py" "$PTXMM_SOURCE_ROOT/reports/schema-1.json" "$scratch/report.json" > "$scratch/faults"
  ok $? "$model: the report follows the schema"
  note < "$scratch/faults"
done

# Every test has a verdict, and evidence for it, under the reference model.
cut -f 1 "$corpus/expected/ptx-9.4.tsv" | sed '1d; s/#.*//; s|^\.\./||' | sort -u > "$scratch/listed"
(cd "$corpus" && find . \( -name '*.litmus' -o -name '*.test' \) -printf '%P\n' | sort -u) > "$scratch/there"
is "$(comm -13 "$scratch/listed" "$scratch/there")" "" "every test of the corpus is listed for ptx-9.4"
is "$(comm -23 "$scratch/listed" "$scratch/there")" "" "every test listed is in the corpus"
for table in "$corpus"/expected/*.tsv; do
  is "$(awk -F '\t' 'NR > 1 && $5 == "" { print $1 }' "$table" | head -n 5)" "" \
    "$(basename "$table"): every row names its evidence"
done

exits 0 "every test can be printed and read again" parse "$corpus"

finish
