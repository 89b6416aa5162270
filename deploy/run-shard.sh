#!/bin/sh
# run-shard.sh PLAN DIR: makes this task's shard on its own disk, and copies it to DIR once.
#
# SQLite needs locks and reads back what it wrote, which a mounted bucket does not give. The manifest
# goes last: a shard without one does not count. Ends with the status of `firetally shard run`.
set -eu
plan=$1
target=$2
local=${FIRETALLY_LOCAL:-${TMPDIR:-/tmp}/firetally-shards}
mkdir -p "$local" "$target"
firetally shard run "$plan" --to "$local"
for manifest in "$local"/shard-*.json; do
  name=$(basename "$manifest" .json)
  for file in "$name.sqlite" "$name.json"; do
    cp "$local/$file" "$target/.$file.$$"
    mv "$target/.$file.$$" "$target/$file"
  done
done
