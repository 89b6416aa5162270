#!/usr/bin/env bash
# Runs all tests, and ends with what failed, so that the last lines of a log say why.
#
#     scripts/test.sh            run all
#     scripts/test.sh --again    on a machine that others use: run suites that failed once more,
#                                alone, and name them; what fails twice has failed
set -uo pipefail
cd "$(dirname "$0")/.."
log=.build/test.log
# Of the build, as the Makefile has them; they are meant to be split.
BUILD_FLAGS=${BUILD_FLAGS:-}
mkdir -p .build

# Tests sync many small files, which a disk makes slow: memory holds them where there is plenty.
free=$(df --output=avail /dev/shm 2>/dev/null | tail -n 1)
if [[ -z "${TMPDIR:-}" && "${free:-0}" -gt 4000000 ]]; then
  memory=$(mktemp -d /dev/shm/firetally-tests.XXXXXX)
  trap 'rm -rf "$memory"' EXIT
  # Tests run scripts, which some machines do not allow there.
  printf '#!/bin/sh\n' >"$memory/script"
  # Some tests run as another user.
  chmod 755 "$memory" "$memory/script"
  "$memory/script" 2>/dev/null && export TMPDIR=$memory
fi

# A few tests at a time: with all of them in flight each waits for all others, whatever the machine.
run() {
  SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8 swift test $BUILD_FLAGS "$@" 2>&1 |
    tee "$log" | grep --line-buffered --text -vE '^◇ .* started\.$|^✔ (Test ("|[^ ]+\()|Suite )'
  return "${PIPESTATUS[0]}"
}

failures() {
  printf '\nWhat failed (the whole log is %s):\n' "$log"
  grep --text -E -A 3 '^✘ Test .* recorded an issue|error:' "$log" | grep --text -v '^◇' | tail -n 60
}

run && exit 0
failures
suites=$(grep --text -oP '^✘ Suite \K\w+(?= failed)' "$log" | sort -u | paste -sd '|')
[[ "${1:-}" == --again && -n "$suites" ]] || exit 1
printf '\nOnce more, alone: %s\n' "$suites"
if run --skip-build --filter "\\.($suites)/"; then
  printf '\nFlaky, since they pass alone: %s\n' "$suites"
  exit 0
fi
failures
exit 1
