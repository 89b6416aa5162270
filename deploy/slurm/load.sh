#!/bin/sh
# load.sh JOB SHARDS DIR: loads a collection as an array of tasks, and gathers it into this
# workspace.
#
# DIR is seen by all nodes. The tasks write to a disk of their own, FIRETALLY_LOCAL or TMPDIR, and
# copy finished shards to DIR. They get the memory that the cluster gives by default, or what
# SBATCH_MEM_PER_NODE says, such as 256M. Ends with 1 when a shard failed for good; DIR has the
# tasks' logs.
set -eu
here=$(dirname "$(readlink -f "$0")")
# The tasks read the job there; sbatch hands the variables on.
export FIRETALLY_WORKSPACE="$PWD"
export FIRETALLY_RUN_SHARD="${FIRETALLY_RUN_SHARD:-$(dirname "$here")/run-shard.sh}"
mkdir -p "$3"
dir=$(readlink -f "$3")
plan=$dir/plan.json
[ -e "$plan" ] || "${FIRETALLY:-firetally}" shard plan "$1" --shards "$2" --to "$plan"
cd "$dir"
array=$(sbatch --parsable --array="0-$(($2 - 1))" "$here/shard.sbatch" "$plan" "$dir")
# afterany, not afterok: after a task was requeued once, afterok never becomes true.
exec sbatch --wait --dependency="afterany:$array" \
  "$here/gather.sbatch" "$plan" "$dir"
