# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Completion of ptxmm for bash: source it, or put it where bash-completion looks.

_ptxmm_files ()
{
  # shellcheck disable=SC2207
  COMPREPLY=($(compgen -f -- "$1"))
  compopt -o filenames 2> /dev/null
}

_ptxmm_words ()
{
  # shellcheck disable=SC2207
  COMPREPLY=($(compgen -W "$2" -- "$1"))
}

_ptxmm ()
{
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  if [ "$COMP_CWORD" -eq 1 ]; then
    _ptxmm_words "$word" "check parse --version --help"
    return
  fi
  case $before in
    --model) _ptxmm_words "$word" "ptx-9.4 ptx-7.5 ptx-7.5-isca ptx-6.0"; [ ${#COMPREPLY[@]} -gt 0 ] || _ptxmm_files "$word" ;;
    --engine) _ptxmm_words "$word" "exec solver both" ;;
    --deps) _ptxmm_words "$word" "syntactic" ;;
    --progress) _ptxmm_words "$word" "auto always never" ;;
    --bound | --jobs | -j | --timeout | --memory | --shard) COMPREPLY=() ;;
    *)
      case ${COMP_WORDS[1]}:$word in
        check:-*) _ptxmm_words "$word" "--model --engine --bound --deps --expect --json --junit --tap --smt2 --verdict-only \
          --jobs --timeout --memory --shard --quiet --verbose --no-color --progress --help-model --help" ;;
        parse:-*) _ptxmm_words "$word" "--quiet --help" ;;
        *) _ptxmm_files "$word" ;;
      esac ;;
  esac
}

complete -F _ptxmm ptxmm
