#!/usr/bin/env bash
# Runs a command, and adds its seconds and its name to the file that FIRETALLY_STEPS names:
#
#     scripts/step.sh NAME COMMAND...
#
# `.ci/run` ends with what took longest.
set -uo pipefail
name=$1
shift
[[ -n "${FIRETALLY_STEPS:-}" ]] || exec "$@"
"$@"
status=$?
printf '%s %s\n' "$SECONDS" "$name" >>"$FIRETALLY_STEPS"
exit "$status"
