#!/usr/bin/env bash
# Builds and runs all tests, and ends with what failed, so that the last lines of a log say why.
#
#     scripts/test.sh            run all
#     scripts/test.sh --again    on a machine that others use: run suites that failed once more,
#                                and modules that died, alone, and name them; what fails twice has
#                                failed
set -uo pipefail
cd "$(dirname "$0")/.."
# Of the build, as the Makefile has them; they are meant to be split.
export BUILD_FLAGS=${BUILD_FLAGS:-}
export logs=.build/tests
rm -rf "$logs"
mkdir -p "$logs"

# Tests sync many small files, which a disk makes slow: memory holds them where there is plenty.
free=$(df --output=avail /dev/shm 2>/dev/null | tail -n 1)
folder=$(mktemp -d "${TMPDIR:-/tmp}/firetally-tests.XXXXXX")
if [[ -z "${TMPDIR:-}" && "${free:-0}" -gt 4000000 ]]; then
  memory=$(mktemp -d /dev/shm/firetally-tests.XXXXXX)
  # Tests run scripts, which some machines do not allow there.
  printf '#!/bin/sh\n' >"$memory/script"
  chmod 755 "$memory/script"
  if "$memory/script" 2>/dev/null; then rmdir "$folder"; folder=$memory; else rm -r "$memory"; fi
fi
trap 'rm -rf "$folder"' EXIT
export folder

# Runs the tests of a name, and prints what failed and how many passed. In one process few run at a
# time: many of them wait for a server or a command, and others measure time. Processes run side by
# side, without `swift test`, of which two that start at once find the build's database locked.
run() {
  mkdir -p "$folder/$1"
  # Some tests run as another user.
  chmod 755 "$folder" "$folder/$1"
  TMPDIR=$folder/$1 NO_COLOR=1 SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=3 \
    SWIFT_BACKTRACE=enable=yes,interactive=no,color=no,registers=none,images=none \
    scripts/step.sh "$1" "$tests" --testing-library swift-testing --filter "$2" >"$logs/$1.log" 2>&1
  local status=$?
  if [[ "$status" -gt 1 ]]; then
    printf '%s: error: the process died with status %s; the end of its log:\n' "$1" "$status"
    tail -n 40 "$logs/$1.log"
  fi
  grep --text -q 'Test run with [1-9]' "$logs/$1.log" || status=1
  grep --text -E '^✘ |^↳|Test run with|error:' "$logs/$1.log" | sed "s/^/$1: /"
  return "$status"
}
export -f run

failures() {
  printf '\nWhat failed (the whole logs are %s/*.log):\n' "$logs"
  grep --text -h -E -A 3 '^✘ Test .* recorded an issue|error:' "$logs"/*.log | grep --text -v '^◇' | tail -n 60
}

scripts/step.sh "build of tests" swift build $BUILD_FLAGS --build-tests || exit 1
tests=$(swift build $BUILD_FLAGS --show-bin-path)/firetallyPackageTests.xctest
export tests
# The largest first, so that no core is left alone with it.
du -s Tests/*Tests | sort -rn | sed 's|.*/||' |
  xargs -P "$(nproc)" -I{} bash -c 'run {} "^{}\\."'
passed=$?
grep --text -h -oP 'Test run with \K\d+' "$logs"/*.log | awk '{ sum += $1 } END { print sum + 0 " tests were run." }'
[[ "$passed" == 0 ]] && exit 0
failures
suites=$(grep --text -h -oP '^✘ Suite \K\w+(?= failed)' "$logs"/*.log | sort -u | paste -sd '|')
# A process that died says nothing of the suites that it had not run.
died=$(grep --text -L 'Test run with' "$logs"/*.log | xargs -r -n 1 basename -s .log | paste -sd '|')
[[ "${1:-}" == --again && -n "$suites$died" ]] || exit 1
printf '\nOnce more, alone: %s %s\n' "$suites" "$died"
rm "$logs"/*.log
if run again "\\.(${suites:-none})/|^(${died:-none})\\."; then
  printf '\nFlaky, since they pass alone: %s %s\n' "$suites" "$died"
  exit 0
fi
failures
exit 1
