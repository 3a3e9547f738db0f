#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The README's commands do what it says: each `$` line of a console block is run, and what follows
# it is what is printed, times aside.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
need_program
mkdir "$scratch/tree"
cd "$scratch/tree" || exit 1
mkdir build
ln -s "$PTXMM" build/ptxmm
ln -s "$PTXMM_SOURCE_ROOT/corpus" corpus
readme=$PTXMM_SOURCE_ROOT/README.md

# The test that the README shows.
awk '/^```/ { inside = !inside; next } inside && /^PTX / { on = 1 } !inside { on = 0 } on' "$readme" > MP.litmus
[ -s MP.litmus ]
ok $? "the README shows a test"

times () { sed -E 's/[0-9]+\.[0-9]+ ?s/_s/g'; }

blocks=$(grep -c '^```console$' "$readme")
for block in $(seq "$blocks"); do
  # shellcheck disable=SC2094
  awk -v n="$block" '/^```/ { on = ($0 == "```console" && ++seen == n); next } on' "$readme" > block
  command=$(sed -n 's/^\$ //p' block)
  grep -v '^\$ ' block | times > wanted
  status=0
  bash -c "$command" > printed 2> "$scratch/err" || status=$?
  is "$status" 0 "$command"
  if [ -s wanted ]; then
    is "$(times < printed)" "$(cat wanted)" "prints what the README shows"
  fi
done

finish
