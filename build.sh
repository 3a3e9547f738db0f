#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The one entry point: ./build.sh VERB.  Without a verb it lists them.
set -eu

cd "$(dirname "${BASH_SOURCE[0]}")"
readonly root=$PWD
readonly build=$root/build
export PTXMM_SOURCE_ROOT=$root

# Z3 is opened at run time.  The wheel's is newer and starts faster than Debian's.
readonly z3_version=5.4.1.0
readonly z3_wheel=z3_solver-$z3_version-py3-none-manylinux_2_27_x86_64.whl
readonly z3_sha256=e680ce083683abca5d07c3e55c2f620ff9a29cb91c548eeeea27ae29e8060522
readonly z3_home=$root/.deps/z3

say () { printf 'build.sh: %s\n' "$*" >&2; }
die () { say "$*"; exit 1; }
have () { command -v "$1" > /dev/null 2>&1; }

# ---- Dependencies ----------------------------------------------------------------------------

# The first Python that has the module, for tests that validate reports.
python_with ()
{
  local python
  for python in python3 /usr/bin/python3; do
    if "$python" -c "import $1" > /dev/null 2>&1; then
      echo "$python"
      return 0
    fi
  done
  return 1
}

has_pip () { python3 -m pip --version; }
has_meson () { [ "$(printf '1.0\n%s\n' "$(meson --version)" | sort -V | head -n 1)" = 1.0 ]; }
has_z3_header () { [ -e /usr/include/z3.h ]; }
has_jsonschema () { python_with jsonschema; }
# Links, not only compiles: the runtime is a package of its own.
has_clang_runtime ()
{
  local out=0
  local try
  try=$(mktemp)
  echo 'int LLVMFuzzerTestOneInput (const char *d, long n) { return d != 0 && n < 0; }' \
    | clang -x c -fsanitize=fuzzer,address,undefined -o "$try" - || out=1
  rm -f "$try"
  return $out
}

# A row a dependency: verbs that need it, how to see that it is there, Debian's package.
readonly dependencies='
all       have gcc                          gcc
all       has_meson                         meson
all       have ninja                        ninja-build
all       have pkg-config                   pkg-config
all       pkg-config --exists glib-2.0      libglib2.0-dev
all       pkg-config --exists jansson       libjansson-dev
all       has_z3_header                     libz3-dev
all       have python3                      python3
all       has_pip                           python3-pip
test      have prove                        perl
test      has_jsonschema                    python3-jsonschema
test      have cvc5                         cvc5
fuzz      have clang                        clang
fuzz      has_clang_runtime                 libclang-rt-14-dev
lint      have clang                        clang
lint      have clang-format                 clang-format
lint      have clang-tidy                   clang-tidy
lint      have cppcheck                     cppcheck
lint      have shellcheck                   shellcheck
coverage  have gcovr                        gcovr
coverage  have prove                        perl
'

# The packages that `verb` lacks.
missing_packages ()
{
  local for_verb check package
  printf '%s' "$dependencies" | sed -E 's/ {2,}/\t/g' \
    | while IFS=$'\t' read -r for_verb check package; do
        [ -n "$for_verb" ] || continue
        [ "$for_verb" = all ] || [ "$for_verb" = "$1" ] || continue
        $check > /dev/null 2>&1 || echo "$package"
      done | sort -u
}

as_root ()
{
  if [ "$(id -u)" = 0 ]; then "$@"; elif have sudo; then sudo "$@"; else return 1; fi
}

install_packages ()
{
  local packages=("$@")
  say "installing ${packages[*]}"
  have apt-get || die "please install by hand: ${packages[*]}"
  as_root apt-get update -q > /dev/null || say "apt-get update failed; going on with what it knows"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
    "${packages[@]}" > /dev/null || die "could not install ${packages[*]}"
}

# Leaves z3_home/{include,lib/libz3.so}; fails when the wheel is not to be had.
fetch_z3 ()
{
  local work wheel sum
  [ "$(uname -m)" = x86_64 ] || return 1
  work=$(mktemp -d)
  wheel=$work/$z3_wheel
  python3 -m pip download -q --no-deps --only-binary=:all: --disable-pip-version-check \
    --dest "$work" "z3-solver==$z3_version" > /dev/null 2>&1 || { rm -rf "$work"; return 1; }
  sum=$(sha256sum "$wheel" 2> /dev/null | cut -d ' ' -f 1)
  if [ "$sum" != "$z3_sha256" ]; then
    say "the Z3 wheel is not the one this project was tested with (sha256 $sum)"
    rm -rf "$work"
    return 1
  fi
  python3 -m zipfile -e "$wheel" "$work/wheel"
  rm -rf "$z3_home"
  mkdir -p "$root/.deps"
  mv "$work/wheel/z3" "$z3_home"
  rm -rf "$work"
}

# "wheel" or "debian": which Z3 to build with.
choose_z3 ()
{
  case ${PTXMM_Z3:-auto} in
    debian) echo debian ;;
    wheel)
      [ -e "$z3_home/lib/libz3.so" ] || fetch_z3 || die "the Z3 wheel cannot be had (PTXMM_Z3=wheel)"
      echo wheel ;;
    auto)
      if [ -e "$z3_home/lib/libz3.so" ]; then
        echo wheel
      elif [ -e "$z3_home.debian" ]; then
        echo debian
      elif fetch_z3; then
        echo wheel
      else
        say "the wheel of Z3 $z3_version cannot be had here: using Debian's libz3 (starts 10-15 ms slower)"
        mkdir -p "$root/.deps"
        : > "$z3_home.debian"
        echo debian
      fi ;;
    *) die "PTXMM_Z3 is 'wheel' or 'debian', not '$PTXMM_Z3'" ;;
  esac
}

z3_options ()
{
  case $1 in
    wheel) echo "-Dz3_include=$z3_home/include -Dz3_library=$z3_home/lib/libz3.so" ;;
    debian) echo "-Dz3_include= -Dz3_library=libz3.so.4" ;;
  esac
}

# Installs what the verb in $1 (default: test) lacks.
deps ()
{
  local missing
  mapfile -t missing < <(missing_packages "${1:-test}")
  if [ "${#missing[@]}" -gt 0 ]; then
    install_packages "${missing[@]}"
  fi
  choose_z3 > /dev/null
}

# ---- Building --------------------------------------------------------------------------------

# configure DIR OPTION...: sets up or, when the options are others than before, changes it.
configure ()
{
  local dir=$1 z3 wanted
  shift
  z3=$(choose_z3)
  # shellcheck disable=SC2046
  set -- $(z3_options "$z3") "$@"
  wanted="${CC:-cc} $*"
  if [ -e "$dir/build.ninja" ] && [ "$(cat "$dir/ptxmm-options" 2> /dev/null)" = "$wanted" ]; then
    return 0
  fi
  rm -rf "$dir"
  meson setup "$dir" "$root" "$@" > "$dir.log" 2>&1 || { cat "$dir.log"; die "meson setup failed"; }
  mv "$dir.log" "$dir/ptxmm-setup.log"
  printf '%s\n' "$wanted" > "$dir/ptxmm-options"
}

compile ()
{
  local log
  log=$1/ptxmm-compile.log
  ninja -C "$1" > "$log" 2>&1 || { cat "$log"; die "the build failed"; }
}

build ()
{
  deps build
  configure "$build"
  compile "$build"
  say "built $build/ptxmm"
}

# ---- Testing ---------------------------------------------------------------------------------

# Test programs of a build folder, as prove wants them.
unit_tests () { find "$1/tests" -maxdepth 1 -type f -name 'test_*' -perm -u+x | sort; }
shell_tests () { find "$root/tests" -maxdepth 1 -name '*.t' | sort; }

# A program says its TAP when asked for it, a script always does.
run_prove ()
{
  local runner=$build/ptxmm-tap
  # shellcheck disable=SC2016
  printf '#!/bin/sh\ncase $1 in *.t) exec bash "$1" ;; *) exec "$1" --tap ;; esac\n' > "$runner"
  chmod +x "$runner"
  prove --merge --timer --exec "$runner" "$@"
}

test_all ()
{
  deps test
  build
  export PTXMM=$build/ptxmm
  PTXMM_PYTHON=$(python_with jsonschema) || die "no Python has the module jsonschema"
  export PTXMM_PYTHON
  local tests
  mapfile -t tests < <(unit_tests "$build"; shell_tests)
  run_prove "${tests[@]}"
}

# As test, with many more random programs, and a look at every clause of the model.
test_long ()
{
  export PTXMM_LONG=1
  test_all
}

test_asan ()
{
  local dir=$root/build-asan
  deps test
  configure "$dir" -Db_sanitize=address,undefined -Db_lundef=false
  compile "$dir"
  mkdir -p "$build"
  export G_SLICE=always-malloc ASAN_OPTIONS=detect_stack_use_after_return=1
  export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
  local tests
  mapfile -t tests < <(unit_tests "$dir")
  run_prove "${tests[@]}"
}

demo ()
{
  build
  local tables=() table status=0 report=$build/demo-report.json
  for table in corpus/expected/*.tsv; do
    [ -e "$table" ] && tables+=(--expect "$table")
  done
  [ "${#tables[@]}" -gt 0 ] || die "corpus/expected has no tables"
  "$build/ptxmm" check --engine both "${tables[@]}" --json "$report" --jobs 0 corpus || status=$?
  say "the report is $report"
  cat << 'END'
Each line above is a litmus test that the constraint solver and the direct search both decided under
the default model, and compared: same outcomes, same flags, every execution found by one re-checked by
the other. "as expected" counts verdicts equal to those recorded, with their sources, in corpus/expected.
END
  return "$status"
}

fuzz ()
{
  local dir=$root/build-fuzz seconds=${1:-60} target name
  deps fuzz
  CC=clang configure "$dir" -Db_sanitize=address,undefined -Db_lundef=false -Dclang_fuzzers=true
  compile "$dir"
  while IFS= read -r target; do
    name=$(basename "$target")
    mkdir -p "$dir/corpus-$name"
    say "$name for $seconds s"
    "$target" -max_total_time="$seconds" -rss_limit_mb=2048 -print_final_stats=0 \
      "$dir/corpus-$name" corpus
  done < <(find "$dir/tests" -type f -name 'fuzz_*' -perm -u+x | sort)
}

sources () { find base litmus model exec solver reports cli tests -name '*.[ch]' | sort; }

lint ()
{
  deps lint
  configure "$build"
  compile "$build"
  sources | xargs clang-format --dry-run -Werror
  shellcheck -x build.sh .ci/run tests/*.t tests/tap.sh cli/completion/ptxmm.bash
  sources | grep '\.c$' | grep -v '^tests/' | xargs -P 2 -n 8 clang-tidy --quiet -p "$build"
  cppcheck --project="$build/compile_commands.json" --enable=warning,performance,portability \
    --library=gtk --inline-suppr --error-exitcode=1 --quiet \
    --suppress='nullPointerRedundantCheck:*tests/*' --suppress=unknownMacro
}

bench ()
{
  build
  python3 tests/bench.py "$build/ptxmm" "$build/tests/z3_baseline" "$@"
}

# The messages of each bad input become what the tests expect; review the difference.
promote ()
{
  local file folder name
  build
  for file in tests/bad/*/*; do
    folder=$(dirname "$file")
    name=$(basename "$file")
    case $name in
      *.expected) ;;
      *.cat) (cd "$folder" && "$build/ptxmm" check --model "$name" - > /dev/null 2> "$name.expected") || true ;;
      *) (cd "$folder" && "$build/ptxmm" parse --quiet "$name" 2> "$name.expected") || true ;;
    esac
  done
  git diff --stat -- tests/bad
}

coverage ()
{
  local dir=$root/build-coverage
  deps coverage
  configure "$dir" -Db_coverage=true
  compile "$dir"
  mkdir -p "$build"
  export PTXMM=$dir/ptxmm
  local tests
  mapfile -t tests < <(unit_tests "$dir"; shell_tests)
  run_prove "${tests[@]}" || true
  gcovr --root "$root" --filter '(base|litmus|model|exec|solver|reports|cli)/' "$dir"
}

# ---- Verbs -----------------------------------------------------------------------------------

# A row a verb: name, function, help.
readonly verbs='
deps      deps       install what is missing (checks first; needs no network when all is there)
build     build      build/ptxmm
demo      demo       decide the shipped corpus with both engines and compare with the known verdicts
test      test_all   everything: unit tests, command line, corpus, and other people'"'"'s tests if PTXMM_CONFORMANCE names them
long      test_long  the same, with many more random tests, and every clause of the model left out once
asan      test_asan  unit tests under the address and undefined-behaviour sanitizers
fuzz      fuzz       fuzz the parsers: fuzz [SECONDS each]
lint      lint       formatting, static analysis, shell scripts
bench     bench      speed and memory as tables: bench [startup|suite|series|outcomes ...]
promote   promote    rewrite the messages that tests/bad expects; review the difference
coverage  coverage   lines and branches that the tests reach
'

list_verbs ()
{
  local verb help _
  echo "usage: ./build.sh VERB"
  printf '%s' "$verbs" | while read -r verb _ help; do
    [ -z "$verb" ] || printf '  %-10s %s\n' "$verb" "$help"
  done
}

main ()
{
  local function
  if [ "$#" -eq 0 ]; then
    list_verbs
    return 0
  fi
  function=$(printf '%s' "$verbs" | awk -v verb="$1" '$1 == verb { print $2 }')
  [ -n "$function" ] || { list_verbs >&2; return 2; }
  shift
  "$function" "$@"
}

main "$@"
