#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The command line as people use it: options, exit statuses, reports, limits.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
need_program
cd "$scratch" || exit 1

# ---- Tests to run on: message passing, store buffering, one with a loop, ones with faults -----

mkdir -p suite/sub
cat > suite/MP.litmus << 'END'
PTX MP
{ x=0; flag=0; }
 P0@cta 0,gpu 0            | P1@cta 1,gpu 0             ;
 st.weak x, 1              | ld.acquire.gpu r0, flag    ;
 st.release.gpu flag, 1    | ld.weak r1, x              ;
exists (P1:r0 == 1 /\ P1:r1 == 0)
END
cat > suite/SB.litmus << 'END'
PTX SB
{ x=0; y=0; }
 P0@cta 0,gpu 0          | P1@cta 1,gpu 0          ;
 st.relaxed.gpu x, 1     | st.relaxed.gpu y, 1     ;
 ld.relaxed.gpu r0, y    | ld.relaxed.gpu r0, x    ;
exists (P0:r0 == 0 /\ P1:r0 == 0)
END
sed 's/^PTX SB/PTX SB2/; s/^exists/~exists/' suite/SB.litmus > suite/sub/SB2.litmus
sed 's/^PTX SB/PTX SB3/; s/^exists.*/forall (P0:r0 == 0 \\\/ P0:r0 == 1)/' suite/SB.litmus > suite/sub/SB3.litmus
# P1 spins until it sees the flag; what P0 stores before it may not be missed.
cat > loop.litmus << 'END'
PTX loop
{ x=0; flag=0; }
 P0@cta 0,gpu 0            | P1@cta 1,gpu 0             ;
 st.weak x, 1              | LC00:                      ;
 st.release.gpu flag, 1    | ld.acquire.gpu r0, flag    ;
                           | beq r0, 0, LC00            ;
                           | ld.weak r1, x              ;
exists (P1:r1 == 0)
END
printf 'file\tmodel\tproperty\texpected\tevidence\n' > head.tsv
{
  cat head.tsv
  printf 'suite/MP.litmus\tptx-9.4\tassertion\tfails\t8.9.5\n'
  printf 'suite/SB.litmus\tptx-9.4\tassertion\tholds\t8.10.2\n'
  printf 'suite/SB.litmus\tptx-9.4\ttermination\tholds\t\n'
  printf 'suite/SB.litmus\tother\tassertion\tfails\t\n'
  printf 'suite/sub/SB2.litmus\tptx-9.4\tassertion\tfails\t\n'
  printf 'suite/not-there.litmus\tptx-9.4\tassertion\tholds\t\n'
} > right.tsv
sed 's/\tfails\t8.9.5/\tholds\t8.9.5/' right.tsv > wrong.tsv
# So many threads and reads that no engine is done within seconds.
{
  echo 'PTX heavy'
  echo '{ x=0; }'
  for row in 'P@cta 0,gpu 0' 'st.relaxed.gpu x, N' 'ld.relaxed.gpu r0, x' 'ld.relaxed.gpu r1, x' 'ld.relaxed.gpu r2, x'; do
    line=''
    for thread in 0 1 2 3 4 5 6 7 8 9 10 11; do
      cell=${row/P@/P$thread@}
      line="$line | ${cell/N/$((thread + 1))}"
    done
    echo "${line# | } ;"
  done
  echo "locations [$(for t in 0 1 2 3 4 5 6 7 8 9 10 11; do printf 'P%s:r0; P%s:r1; P%s:r2; ' $t $t $t; done)]"
  echo 'exists (P0:r0 == 77)'
} > heavy.litmus

# ---- Exit statuses ----------------------------------------------------------------------------

exits 0 "decided, nothing expected: 0" check suite/MP.litmus
prints out '^ok +MP +forbidden +outcomes=3 +exec=[0-9.]+s solver=[0-9.]+s  \[data-race\]$' \
  "a line: status, name, verdict, outcomes, times, flags"
exits 0 "as expected: 0" check suite --expect right.tsv
prints out '^4 tests: 3 as expected, 0 unexpected, 0 undecided, 0 errors, 0 disagreements, 1 termination rows skipped; ' \
  "the summary counts, skipped rows too"
exits 1 "other than expected: 1" check suite --expect wrong.tsv
prints out '^FAIL +MP +forbidden .* suite/MP.litmus: expected: holds, found: fails$' "the line says what was expected"
exits 0 "within the bound, with an expectation: 0" check loop.litmus --expect <(cat head.tsv; printf '%s/loop.litmus\tptx-9.4\tassertion\tfails\t\n' "$scratch")
exits 3 "only within the bound: 3" check loop.litmus
prints out '^UNKNOWN +loop +forbidden .* within the bound$' "the verdict within the bound is shown"
exits 3 "out of time: 3" check heavy.litmus --timeout 0.3
prints out '^UNKNOWN +heavy +unknown .* cut short: time$' "the line says that time ran out"
exits 2 "no such file: 2" check nowhere.litmus
prints err '^nowhere.litmus: error: No such file or directory$' "the message names it"
exits 2 "an error beside tests that are fine: 2" check nowhere.litmus suite/MP.litmus
prints out '^ok +MP ' "the others are still decided"
exits 2 "2 goes before 1 and 3" check nowhere.litmus suite loop.litmus --expect wrong.tsv
exits 1 "1 goes before 3" check suite loop.litmus --expect wrong.tsv

# ---- Usage ------------------------------------------------------------------------------------

exits 2 "no subcommand: 2"
exits 2 "unknown subcommand: 2" chekc suite
for name in explain fences compare diff gen conform run isa; do
  exits 2 "$name: 2" "$name" suite/MP.litmus
  prints err "^ptxmm $name: not available in this version$" "$name is refused by name"
done
exits 0 "--version: 0" --version
prints out '^ptxmm [0-9]+\.[0-9]+\.[0-9]+$' "--version prints name and version"
exits 0 "--help: 0" --help
prints out '^  check ' "--help lists subcommands"
exits 0 "check --help: 0" check --help
for option in model engine bound deps expect json junit tap html dot smt2 verdict-only jobs timeout memory \
  shard quiet verbose no-color progress; do
  prints out "^  (-., )?--$option( |\$)" "check --help has --$option"
done
# What else lists the options lists all of them.
manual=$(sed 's/\\-/-/g' "$PTXMM_SOURCE_ROOT/cli/ptxmm.1")
completed=$(cat "$PTXMM_SOURCE_ROOT/cli/completion/ptxmm.bash")
missing=
sed -n 's/^  \(-., \)\{0,1\}\(--[a-z0-9-]*\).*/\2/p' out > names
while read -r option; do
  grep -Fq -- "$option" <<< "$manual" || missing+=" $option (manual)"
  grep -A 1 -F -- "  $option " out | grep -q 'not available in this version)' && continue
  grep -Fq -- "$option" <<< "$completed" || missing+=" $option (completion)"
done < names
is "$missing" "" "manual page and completion have all of them"
exits 0 "check --help-model: 0" check --help-model
prints out '^sync_fence +relation +Fence-SC' "check --help-model lists relations"
exits 0 "parse --help: 0" parse --help

while IFS='|' read -r arguments message; do
  [ -n "$arguments" ] || continue
  # shellcheck disable=SC2086
  exits 2 "refused: check $arguments" check $arguments
  prints err "$message" "with the message: $message"
done << 'END'
--nonsense suite|unknown option '--nonsense'
-x suite|unknown option '-x'
--engine z3 suite|'z3' is not one of exec, solver, both
--bound 0 suite|'0' is not a number from 1 to 1000
--bound -1 suite|'-1' is not a number
--bound two suite|'two' is not a number
--jobs 1.5 suite|'1.5' is not a number
--timeout 0 suite|'0' is not seconds
--timeout nan suite|'nan' is not seconds
--timeout 1s suite|'1s' is not seconds
--memory 0 suite|'0' is not a number
--shard 0/2 suite|'0/2' is not I/N
--shard 3/2 suite|'3/2' is not I/N
--shard 1 suite|'1' is not I/N
--tap=yes suite|--tap takes no argument
suite --json|--json needs an argument
--json - --tap suite|only one report can go to standard output
--smt2 d --engine exec suite|--smt2 needs the solver
--deps semantic suite|--deps semantic: not available in this version
--html d suite|--html: not available in this version
--dot d suite|--dot: not available in this version
--tap|no file to check
--model ptx-1.0 suite|unknown model 'ptx-1.0' \(built in: .*ptx-9.4
--model none.cat suite|none.cat: No such file or directory
--expect none.tsv suite|none.tsv: No such file or directory
--json no/folder/out.json suite|no/folder/out.json: No such file or directory
--json . suite|\.: Is a directory
@none|none: No such file or directory
END

# ---- Inputs -----------------------------------------------------------------------------------

exits 0 "a folder: all tests below it" check suite
is "$(awk '/^ok/ { print $2 }' out | tr '\n' ' ')" "MP SB SB2 SB3 " "in the order of their paths"
printf '# two\nsuite/sub\n\n  suite/MP.litmus  \n' > list
exits 0 "@LIST" check @list
is "$(awk '/^ok/ { print $2 }' out | tr '\n' ' ')" "SB2 SB3 MP " "in the order of the list"
mkdir empty
exits 2 "a folder without tests: 2" check empty
prints err 'empty: no \*\.litmus or \*\.test file in this folder' "and says so"
echo '@selfish' > selfish
exits 2 "a list that names itself ends" check @selfish
exits 0 "-- ends the options" check -q -- suite/MP.litmus
sed 's/$/\r/' suite/MP.litmus > crlf.litmus
{ printf '\357\273\277'; cat suite/MP.litmus; } > bom.litmus
head -c -1 suite/MP.litmus > unended.litmus
{ echo '#!/usr/bin/env ptxmm'; cat suite/MP.litmus; } > script.litmus
tr ' ' '\t' < suite/MP.litmus > tabs.litmus
exits 0 "CRLF, byte-order mark, no final newline, #!, tabs" \
  check crlf.litmus bom.litmus unended.litmus script.litmus tabs.litmus
is "$(grep -c '^ok  *MP .* outcomes=3' out)" 5 "and all mean the same"
head -c 17000000 /dev/zero > large.litmus
exits 2 "over 16 MiB: 2" check large.litmus
prints err '^large.litmus: error: larger than 16 MiB' "and says so"
: > none.litmus
exits 2 "an empty file: 2" check none.litmus
prints err '^none.litmus:1:1: error: ' "and says where"
head -c 4096 /dev/urandom > noise.litmus
exits 2 "noise: 2" check noise.litmus
sed 's/ld.weak/ld.wekk/' suite/MP.litmus > typo.litmus
exits 2 "a typing error: 2" check typo.litmus
prints err '^typo.litmus:5:[0-9]+: error: ' "file, line and column"
prints err '^ +\^~*$' "and a caret"
if [ "$(id -u)" -ne 0 ]; then
  cp suite/MP.litmus locked.litmus
  chmod 000 locked.litmus
  exits 2 "an unreadable file: 2" check locked.litmus
else
  skip "an unreadable file: 2" "root can read everything"
fi
exits 2 "a folder given as a model" check --model ./ suite

# ---- Engines, models and bounds -----------------------------------------------------------------

for engine in exec solver; do
  exits 0 "--engine $engine" check --engine "$engine" suite --expect right.tsv
  prints out "^ok +MP +forbidden +outcomes=3 +$engine=[0-9.]+s  \\[data-race\\]\$" "shows the time of $engine alone"
done
PTXMM_Z3_LIBRARY=$scratch/none.so run check suite/MP.litmus
is "$status" 2 "without Z3 both engines cannot run: 2"
prints err 'none\.so.*--engine exec' "the message names the library and the way out"
PTXMM_Z3_LIBRARY=$scratch/none.so run check --jobs 2 suite
is "$status" 2 "in workers neither"
PTXMM_Z3_LIBRARY=$scratch/none.so run check --engine exec suite/MP.litmus
is "$status" 0 "exec needs no Z3"
for model in ptx-6.0 ptx-7.5 ptx-7.5-isca; do
  exits 0 "--model $model" check --model "$model" suite
done
# With no axiom anything goes: the release and acquire of MP order nothing.
echo 'acyclic po as trivial' > free.cat
exits 0 "--model FILE.cat" check --model free.cat suite/MP.litmus
prints out '^ok +MP +allowed ' "its axioms decide"
echo 'acyclic nothing' > bad.cat
exits 2 "a model with an error: 2" check --model bad.cat suite/MP.litmus
prints err '^bad.cat:1:9: error: ' "file, line and column"
mkdir models
echo 'include "part.cat"' > models/whole.cat
echo 'acyclic po as trivial' > models/part.cat
echo 'include "ptx-9.4.cat"' > models/built-in.cat
echo 'include "round.cat"' > models/round.cat
exits 0 "a model that includes one beside it" check --model models/whole.cat suite/MP.litmus
prints out '^ok +MP +allowed ' "has its axioms"
exits 0 "a model that includes one built in" check --model models/built-in.cat suite/MP.litmus
prints out '^ok +MP +forbidden ' "has its axioms"
exits 2 "a model that includes itself: 2" check --model models/round.cat suite/MP.litmus
is "$(grep -c error: err)" 1 "and says so once"
exits 3 "--bound 5" check --bound 5 loop.litmus
exits 0 "--verdict-only" check --verdict-only suite --expect right.tsv
exits 0 "--smt2" check --smt2 problems suite/MP.litmus suite/sub
is "$(cd problems && echo *)" "suite_MP.smt2 suite_sub_SB2.smt2 suite_sub_SB3.smt2" "a file a test"
prints problems/suite_MP.smt2 '^\(check-sat\)' "each asks a question"
if command -v cvc5 > /dev/null; then
  is "$(cvc5 -q problems/suite_MP.smt2) $(cvc5 -q problems/suite_sub_SB2.smt2)" "unsat sat" "another solver answers likewise"
else
  skip "another solver answers likewise" "cvc5 is not installed"
fi

# ---- Expectations -------------------------------------------------------------------------------

exits 1 "--expect FILE:MODEL takes another model's rows" check suite --expect right.tsv:other
printf 'litmus/PTX/suite/MP.litmus,0\nlitmus/PTX/suite/SB.litmus,1\nlitmus/PTX/sub/SB2.litmus,0\n' > dart.csv
exits 0 "--expect with Dartagnan's CSV" check suite --expect dart.csv
prints out '^4 tests: 3 as expected' "which fits three of the four"
sed 's/,0/,1/' dart.csv > dart-wrong.csv
exits 1 "--expect with a CSV that is wrong" check suite --expect dart-wrong.csv
exits 0 "two tables" check suite --expect right.tsv --expect dart.csv
printf 'file\tmodel\n' > cut.tsv
exits 2 "a table without its columns: 2" check suite --expect cut.tsv
prints err "^cut.tsv:1:1: error: no column 'property'" "and says so"

# ---- Reports ------------------------------------------------------------------------------------

valid ()
{
  "$PTXMM_PYTHON" "$here/report_schema.py" "$PTXMM_SOURCE_ROOT/reports/schema-1.json" "$@" > faults
  local good=$?
  note < faults
  return "$good"
}

exits 2 "everything at once" check suite loop.litmus typo.litmus nowhere.litmus heavy.litmus --timeout 0.5 \
  --expect wrong.tsv --json all.json --junit all.xml
valid all.json
ok $? "the report follows the schema"
"$PTXMM_PYTHON" -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' all.xml
ok $? "JUnit is well-formed XML"
prints all.xml 'tests="8" failures="1" errors="4"' "JUnit counts failures and errors"
exits 0 "--json -" check suite --json -
cp out dash.json
valid dash.json
ok $? "standard output is the report and nothing else"
for engine in exec solver; do
  run check suite --engine "$engine" --json "$engine.json"
  run check suite --engine "$engine" --verdict-only --json "$engine-verdict.json"
done
run check empty --json none.json
valid exec.json solver.json exec-verdict.json solver-verdict.json
ok $? "reports of one engine follow the schema"
ls no-report.json.* none.json* > left 2> /dev/null
is "$(cat left)" "" "no half-written report is left"
"$PTXMM_PYTHON" - dash.json << 'END'
import json, sys
report = json.load(open(sys.argv[1], encoding="utf-8"))
mp = report["results"][0]
assert mp["test"] == "MP" and mp["file"] == "suite/MP.litmus"
assert (mp["holds"], mp["reachable"], mp["complete"], mp["agree"]) == (False, False, True, True)
states = [(o["state"]["P1:r0"], o["state"]["P1:r1"]) for o in mp["outcomes"]]
assert states == [("0x0", "0x0"), ("0x0", "0x1"), ("0x1", "0x1")], states
assert mp["witness"] is None
sb = report["results"][1]
events = sb["witness"]["events"]
assert [e["kind"] for e in events].count("write") == 4  # two initial ones
assert len(sb["witness"]["relations"]["rf"]) == 2
assert sb["witness"]["relations"]["fr"], "both reads are of initial values"
END
ok $? "the report says what is known of MP and SB"
exits 0 "--tap" check --tap suite
prints out '^TAP version 13$' "begins as TAP does"
prints out '^ok 4 - SB3: holds$' "a line a test"
prints out '^1\.\.4$' "and a plan"
exits 0 "-v" check -v suite/SB.litmus
prints out '^    \* P0:r0=0x0 P1:r0=0x0 ' "shows outcomes, those that satisfy the condition marked"
exits 1 "-q" check -q suite --expect wrong.tsv
is "$(wc -l < out)" 2 "prints what is not ok and the summary"
exits 0 "--progress always" check --progress always suite
prints err '4/4 files' "draws a bar on standard error"
exits 0 "--progress auto" check suite
is "$(cat err)" "" "draws none when that is no terminal"
prints out '^ok' "no colours when standard output is no terminal"
exits 0 "writing to a device" check suite --json /dev/null
[ -c /dev/null ]
ok $? "leaves it a device"

# ---- Workers and limits -------------------------------------------------------------------------

same () { "$PTXMM_PYTHON" "$here/report_compare.py" "$@" | note; return "${PIPESTATUS[0]}"; }

cat > rows.test << 'END'
.global x;
.global flag;
d0.b0.t0 { st [x], 1; st.release.$0 [flag], 1; }
d0.b1.t0 { ld.acquire.$0 r0, [flag] == 1; ld r1, [x]; }
$1 (r1 == 1) as fresh;
$$
gpu | assert
cta | permit
sys | assert
END
inputs=(suite rows.test loop.litmus typo.litmus nowhere.litmus)
run check "${inputs[@]}" --json one.json
cp out one.out
cp err one.err
for jobs in 2 5 0; do
  run check "${inputs[@]}" --jobs "$jobs" --json jobs.json
  same one.json jobs.json
  ok $? "--jobs $jobs gives the same report"
  strip='s/exec=[0-9.]*s solver=[0-9.]*s//; s/; [0-9.]* s$//'
  is "$(sed "$strip" out)" "$(sed "$strip" one.out)" "--jobs $jobs prints the same lines"
  is "$(cat err)" "$(cat one.err)" "--jobs $jobs prints the same messages"
done
for part in 1 2 3; do
  run check "${inputs[@]}" --shard "$part/3" --json "part$part.json"
done
same one.json part1.json part2.json part3.json
ok $? "three shards are the whole"
valid one.json jobs.json part1.json
ok $? "the reports follow the schema"

elapsed () { awk -v from="$1" -v to="$(date +%s.%N)" 'BEGIN { print to - from < '"$2"' ? "quick" : to - from }'; }
began=$(date +%s.%N)
exits 3 "--timeout stops a test" check heavy.litmus suite/MP.litmus --timeout 1 --json time.json
is "$(elapsed "$began" 8)" quick "soon after"
prints out '^ok +MP ' "and the next one is decided"
exits 3 "--memory stops a test" check heavy.litmus suite/MP.litmus --memory 24 --timeout 60 --json memory.json
prints out '^UNKNOWN +heavy .* cut short: memory$' "and says so"
prints out '^ok +MP ' "and the next one is decided"
valid time.json memory.json
ok $? "the reports follow the schema"

# A worker that does not answer, and one that dies: the parent's part alone.
worker_of ()
{
  local found
  for _ in $(seq 100); do
    found=$(grep -ls "^PPid:[[:space:]]*$1\$" /proc/[0-9]*/status | head -n 1)
    [ -z "$found" ] || break
    sleep 0.05
  done
  found=${found#/proc/}
  echo "${found%/status}"
}
for trouble in STOP SEGV; do
  "$PTXMM" check heavy.litmus suite/MP.litmus --timeout 2 > out 2> err &
  parent=$!
  worker=$(worker_of "$parent")
  sleep 0.3
  kill "-$trouble" "$worker"
  status=0
  wait "$parent" || status=$?
  is "$status" 3 "a worker that gets SIG$trouble: undecided"
  case $trouble in
    STOP) prints out '^UNKNOWN +heavy .* cut short: time$' "one that hangs is out of time" ;;
    SEGV) prints out '^UNKNOWN +heavy .* cut short: .*\(signal 11\)$' "one that dies is named" ;;
  esac
  prints out '^ok +MP ' "another worker goes on"
done

# Interrupted: no report, whole or half, and no process left.
"$PTXMM" check heavy.litmus --timeout 60 --json interrupted.json > out 2> err &
parent=$!
worker=$(worker_of "$parent")
kill -TERM "$parent"
wait "$parent" 2> err
sleep 0.3
is "$(echo interrupted.json*)" "interrupted.json*" "interrupted: no report is left"
state=$(sed -n 's/^State:[[:space:]]*//p' "/proc/$worker/status" 2> err | cut -c 1)
is "$(echo "$state" | tr -d Z)" "" "interrupted: no worker is left" # dead, if not yet waited for

# ---- parse --------------------------------------------------------------------------------------

exits 0 "parse prints a test" parse suite/MP.litmus
cp out printed.litmus
exits 0 "what it prints can be parsed" parse printed.litmus
cmp -s out printed.litmus
ok $? "and prints the same again"
exits 0 "and checked" check printed.litmus
prints out '^ok +MP +forbidden +outcomes=3' "with the same verdict"
exits 2 "parse with a typing error: 2" parse typo.litmus suite/SB.litmus
prints err '^typo.litmus:5:[0-9]+: error: ' "file, line and column"
prints out '^PTX SB' "the other file is still printed"
exits 0 "parse --quiet" parse --quiet suite rows.test
is "$(cat out)" "" "prints nothing"
exits 2 "parse of nothing: 2" parse
prints err '^ptxmm parse: no file to parse$' "and says so"

finish
