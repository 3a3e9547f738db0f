#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Other people's tests and verdicts, where PTXMM_CONFORMANCE says they are.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"

if [ -z "${PTXMM_CONFORMANCE:-}" ]; then
  echo "1..0 # SKIP PTXMM_CONFORMANCE does not name a folder of public conformance tests"
  exit 0
fi

need_program
summary () { tail -n 1 "$scratch/out"; }

# The assertion rows of a table for a model, all of which have to be met.
assertions ()
{
  awk -F '\t' -v model="$2" '$2 == model && $3 == "assertion"' "$1" | wc -l
}

# check_table MODEL ROWS-OF: the published verdicts of one model, perhaps asked of another.
check_dartagnan ()
{
  local folder=$PTXMM_CONFORMANCE/dartagnan wanted
  local table=$folder/expected.tsv
  wanted=$(assertions "$table" "$2")
  mapfile -t files < <(awk -F '\t' -v m="$2" '$2 == m && $3 == "assertion" { print $1 }' "$table" | sort -u)
  run check -q --jobs 0 --timeout 60 --model "$1" --expect "$table:$2" --json "$scratch/report.json" \
    "${files[@]/#/$folder/}"
  is "$status" 0 "dartagnan: $1 gives the $wanted verdicts published for $2"
  prints out "^$wanted tests: $wanted as expected, 0 unexpected, 0 undecided, 0 errors, 0 disagreements" \
    "dartagnan: all of them are decided, by both engines alike"
  "$PTXMM_PYTHON" "$here/report_schema.py" "$PTXMM_SOURCE_ROOT/reports/schema-1.json" "$scratch/report.json" | note
  ok "${PIPESTATUS[0]}" "dartagnan: the report of $1 follows the schema"
}

if [ -d "$PTXMM_CONFORMANCE/dartagnan" ]; then
  check_dartagnan ptx-6.0 ptx-6.0
  check_dartagnan ptx-7.5 ptx-7.5
  check_dartagnan ptx-9.4 ptx-7.5
  exits 0 "dartagnan: every file can be read, those without a verdict too" \
    parse --quiet "$PTXMM_CONFORMANCE/dartagnan"
else
  skip "dartagnan" "no such folder"
fi

# Every row of an NVlabs file is expected to hold, but for one under the models in which fences
# synchronize.
check_nvlabs ()
{
  local table=$scratch/nvlabs.tsv file expected
  printf 'file\tmodel\tproperty\texpected\n' > "$table"
  for file in "$PTXMM_CONFORMANCE"/nvlabs/*.test; do
    expected=holds
    [ "$(basename "$file") $1" != "Release_acquire_pattern.test ptx-7.5" ] || expected=fails
    printf '%s\t%s\tassertion\t%s\n' "$file" "$1" "$expected" >> "$table"
  done
  exits 0 "nvlabs: $1 gives the artifact's verdicts" \
    check -q --jobs 0 --timeout 60 --model "$1" --expect "$table" "$PTXMM_CONFORMANCE/nvlabs"
  summary | note
}

if [ -d "$PTXMM_CONFORMANCE/nvlabs" ]; then
  check_nvlabs ptx-7.5-isca
  check_nvlabs ptx-7.5
else
  skip "nvlabs" "no such folder"
fi

if [ -d "$PTXMM_CONFORMANCE/random" ]; then
  run check -q --jobs 0 --timeout 60 --json "$scratch/random.json" "$PTXMM_CONFORMANCE/random"
  is "$status" 0 "random: all programs are decided, by both engines alike"
  "$PTXMM_PYTHON" "$here/random_outcomes.py" "$scratch/random.json" > "$scratch/faults"
  ok $? "random: the outcome sets are those of a third, independent enumerator"
  tail -n 20 "$scratch/faults" | note
  "$PTXMM_PYTHON" "$here/report_schema.py" "$PTXMM_SOURCE_ROOT/reports/schema-1.json" "$scratch/random.json" | note
  ok "${PIPESTATUS[0]}" "random: the report follows the schema"
else
  skip "random" "no such folder"
fi

finish
