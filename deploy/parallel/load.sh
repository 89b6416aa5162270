#!/bin/sh
# load.sh JOB SHARDS DIR: loads a collection by GNU parallel on this machine, and gathers it.
#
# DIR is on this machine's disk, so the tasks write there. With --sshloginfile, and a DIR that all
# machines see, put run-shard.sh in the place of `firetally shard run`.
# --retries tries any failure again, also one that will not go away: that ends at once each time.
set -eu
firetally=${FIRETALLY:-firetally}
mkdir -p "$3"
[ -e "$3/plan.json" ] || "$firetally" shard plan "$1" --shards "$2" --to "$3/plan.json"
seq "$2" | parallel --jobs "${JOBS:-100%}" --retries 4 --joblog "$3/tasks.log" \
  "$firetally" shard run "$3/plan.json" --to "$3" --shard "{}/$2"
exec "$firetally" shard gather "$3/plan.json" "$3"
