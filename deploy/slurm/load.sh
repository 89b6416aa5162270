#!/bin/sh
# load.sh JOB SHARDS DIR: loads a collection as an array of tasks, and gathers it into this workspace.
#
# DIR is seen by all nodes. Where that is a network file system, give the tasks a disk of their own:
# put run-shard.sh in the place of `firetally shard run` in shard.sbatch.
set -eu
here=$(dirname "$(readlink -f "$0")")
# The tasks read the job there; sbatch hands the variable on.
export FIRETALLY_WORKSPACE="$PWD"
mkdir -p "$3"
dir=$(readlink -f "$3")
plan=$dir/plan.json
[ -e "$plan" ] || "${FIRETALLY:-firetally}" shard plan "$1" --shards "$2" --to "$plan"
cd "$dir"
array=$(sbatch --parsable --array="0-$(($2 - 1))" "$here/shard.sbatch" "$plan" "$dir")
# afterany, not afterok: after a task was requeued once, afterok never becomes true.
exec sbatch --wait --dependency="afterany:$array" \
  "$here/gather.sbatch" "$plan" "$dir"
