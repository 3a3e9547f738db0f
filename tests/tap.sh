# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the shell tests share: TAP on standard output, a folder of their own, the program.

set -u
PTXMM=${PTXMM:-$PWD/build/ptxmm}
PTXMM_SOURCE_ROOT=${PTXMM_SOURCE_ROOT:-$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)}
PTXMM_PYTHON=${PTXMM_PYTHON:-python3}
# shellcheck disable=SC2034
here=$PTXMM_SOURCE_ROOT/tests
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
count=0
failed=0

need_program ()
{
  [ -x "$PTXMM" ] && return
  echo "Bail out! $PTXMM is not there: ./build.sh build makes it"
  exit 1
}

# ok CONDITION-STATUS NAME
ok ()
{
  count=$((count + 1))
  if [ "$1" -eq 0 ]; then
    echo "ok $count - $2"
  else
    echo "not ok $count - $2"
    failed=$((failed + 1))
  fi
}

skip ()
{
  count=$((count + 1))
  echo "ok $count - $1 # SKIP $2"
}

note () { sed "/^$/d; s/^/# /"; }

# run ARGUMENT…: runs the program; leaves $status, $scratch/out and $scratch/err.
run ()
{
  status=0
  "$PTXMM" "$@" > "$scratch/out" 2> "$scratch/err" || status=$?
}

# is ACTUAL EXPECTED NAME
is ()
{
  local same=0
  [ "$1" = "$2" ] || same=1
  ok "$same" "$3"
  if [ "$same" -ne 0 ]; then
    printf 'found:    %s\nexpected: %s\n' "$1" "$2" | note
    head -n 20 "$scratch/out" "$scratch/err" 2> /dev/null | note
  fi
}

# prints FILE PATTERN NAME: the extended regular expression matches a line of out or err.
prints ()
{
  local found=0
  grep -Eq -- "$2" "$scratch/$1" || found=1
  ok "$found" "$3"
  if [ "$found" -ne 0 ]; then
    echo "no line matches: $2" | note
    head -n 20 "$scratch/$1" | note
  fi
}

# exits STATUS NAME ARGUMENT…
exits ()
{
  local wanted=$1 name=$2
  shift 2
  run "$@"
  is "$status" "$wanted" "$name"
}

finish ()
{
  echo "1..$count"
  [ "$failed" -eq 0 ]
}
