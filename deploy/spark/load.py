#!/usr/bin/env python3
"""Make the shards of a plan as tasks of a Spark cluster: spark-submit load.py PLAN DIR.

Every worker needs the program and run-shard.sh, and sees PLAN and DIR; a task writes to the
worker's own disk, and copies its finished shard to DIR. Spark gives tasks no index, so each gets
its shard as data. A task that may be tried again raises; one that may not gives its status back,
since Spark tries whatever raises four times.
"""
import json
import os
import subprocess
import sys

from pyspark.sql import SparkSession

# Unreachable, later, and the signals: ended in order, killed, ended.
MAY_BE_TRIED_AGAIN = (69, 75, 130, 137, 143)
RUN_SHARD = "/usr/lib/firetally/run-shard.sh"


def make(number, count, plan, folder, script):
    """The status of the shard; raises for one that is worth another try."""
    task = subprocess.run(
        [script, plan, folder], capture_output=True, text=True,
        env={**os.environ, "FIRETALLY_SHARD": f"{number}/{count}"})
    if task.returncode < 0 or task.returncode in MAY_BE_TRIED_AGAIN:
        raise RuntimeError(f"shard {number}: status {task.returncode}: {task.stderr}")
    return number, task.returncode, task.stderr


def main():
    plan, folder = map(os.path.abspath, sys.argv[1:3])
    script = os.environ.get("FIRETALLY_RUN_SHARD", RUN_SHARD)
    with open(plan) as file:
        count = len(json.load(file)["shards"])
    session = SparkSession.builder.appName("firetally-shards").getOrCreate()
    try:
        shards = session.sparkContext.parallelize(range(1, count + 1), count)
        done = shards.map(lambda number: make(number, count, plan, folder, script)).collect()
    finally:
        session.stop()
    failed = [task for task in done if task[1] != 0]
    for number, status, message in failed:
        print(f"load.py: shard {number} ended with {status}: {message}", file=sys.stderr)
    sys.exit(max((status for _, status, _ in failed), default=0))


if __name__ == "__main__":
    main()
