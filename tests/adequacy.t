#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Each clause of the reference model changes some verdict of the corpus.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
need_program

if [ -z "${PTXMM_LONG:-}" ]; then
  echo "1..0 # SKIP some minutes: ./build.sh long runs it"
  exit 0
fi
exec "$PTXMM_PYTHON" "$here/adequacy.py" --program "$PTXMM" --jobs "$(nproc)"
