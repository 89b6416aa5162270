#!/usr/bin/env python3
"""Prove that a load in shards is the load of one machine: docs/scale.md#proof.

The same users are loaded by one process and in shards under a real scheduler, while tasks are
killed and nodes are lost. Rows, reads and speed are compared; what differs fails the check.
"""
import argparse
import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import cluster  # noqa: E402
import proof  # noqa: E402
import recipes  # noqa: E402
import spark  # noqa: E402
import workload  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=os.path.join(ROOT, ".build", "debug", "firetally"))
    parser.add_argument("--bounded", action="store_true", help="4 shards, 5 kills, for CI")
    parser.add_argument("--users", type=int)
    parser.add_argument("--shards", type=int)
    parser.add_argument("--kills", type=int)
    parser.add_argument("--losses", type=int)
    parser.add_argument("--pace", type=int, help="documents a second of one stream")
    parser.add_argument("--spark", action="store_true", help="also with Spark: pip install pyspark")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--keep", metavar="DIR", help="work in this folder, and leave it")
    arguments = parser.parse_args()
    defaults = (30_000, 4, 5, 0, 10_000) if arguments.bounded else (1_000_000, 8, 100, 10, 2_500)
    for name, value in zip(("users", "shards", "kills", "losses", "pace"), defaults):
        if getattr(arguments, name) is None:
            setattr(arguments, name, value)
    return arguments


def tasks_of(plan):
    """The processes that make shards of this plan, by their number."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/cmdline", "rb") as file:
                words = file.read().decode(errors="replace").split("\0")
        except OSError:
            continue
        if words[1:4] == ["shard", "run", plan]:
            found.append(int(name))
    return found


def disturbed(slurm, arguments, plan, folder, chance):
    """Runs the array to its end, and kills tasks and nodes meanwhile: the kills and the losses.

    The first kill is SIGTERM: the task ends in order, with 130.
    """
    job = slurm.submit(
        folder, f"--array=0-{arguments.shards - 1}",
        os.path.join(recipes.DEPLOY, "slurm", "shard.sbatch"), plan, folder)
    kills = losses = 0
    lost = {}
    end = time.monotonic() + (180 + 60 * arguments.losses + 30 * arguments.kills)
    while time.monotonic() < end:
        states = slurm.ended(job, arguments.shards)
        if states:
            return states, kills, losses
        running = tasks_of(plan)
        if running and kills < arguments.kills:
            try:
                os.kill(chance.choice(running), signal.SIGKILL if kills else signal.SIGTERM)
                kills += 1
            except ProcessLookupError:
                pass
        there = [node for node in ("n1", "n2") if node not in lost]
        if there and losses < arguments.losses and kills >= (losses + 1) * 5:
            node = chance.choice(there)
            lost[node] = time.monotonic()
            slurm.lose(node)
            losses += 1
        for node, since in list(lost.items()):
            if slurm.is_down(node) or time.monotonic() - since > 60:
                slurm.start_node(node)
                del lost[node]
        slurm.hurry(job)
        time.sleep(chance.uniform(0.05, 0.25 if arguments.bounded else 0.6))
    raise TimeoutError(f"the shards did not end: {slurm.states(job)}")


def check_speed(check, slurm, arguments, plan, reads, seconds):
    """Undisturbed shards read what one machine reads, and as many times as fast as there are."""
    folder = os.path.join(os.path.dirname(plan), "undisturbed")
    os.makedirs(folder)
    calm = argparse.Namespace(**{**vars(arguments), "kills": 0, "losses": 0})
    started = time.monotonic()
    disturbed(slurm, calm, plan, folder, random.Random(0))
    fast = time.monotonic() - started
    billed = sum(manifest["traffic"]["billedReadCount"] for manifest in workload.manifests(folder))
    check.fact(
        "billed reads are one machine's, and one more a shard at most",
        billed <= reads + arguments.shards, f"{billed:,} of {reads:,}")
    least = 0.875 * arguments.shards
    check.speed(
        f"{arguments.shards} shards are {least:g} times as fast as one process, or more",
        seconds / fast >= least, f"{seconds / fast:.2f} times, {fast:.1f} s")


def check_statuses(check, slurm, folder):
    """75 and 130 are tried again, 78 is not, and `sbatch --wait` hands it on."""
    path = os.path.join(folder, "status.sh")
    with open(path, "w") as file:
        file.write('#!/bin/sh\n[ "${SLURM_RESTART_COUNT:-0}" = 0 ] || exit 0\n'
                   'exit "${SLURM_ARRAY_TASK_ID:-78}"\n')
    job = slurm.submit(folder, "--array=75,78,130", path)

    def settled():
        slurm.hurry(job)
        return slurm.ended(job, 3)

    for status, (_, restarts, _) in cluster.wait_until("three tasks", 60, settled).items():
        expected, found = (f"{'not ' * (not many)}requeued" for many in (status != 78, restarts))
        check.fact(f"a task that ends with {status} is {expected}", found == expected, found)
    waited = subprocess.run(
        ["sbatch", "--wait", path], env=slurm.environment, cwd=folder, capture_output=True)
    check.fact("sbatch --wait hands 78 on", waited.returncode == 78, waited.returncode)


def check_refusals(check, load, plan, folder, shards):
    """Missing, cut, foreign and doubled shards are refused; nothing is stored."""
    other = load.workspace("refusing")
    broken = os.path.join(load.folder, "broken")

    def refused(what, statuses, folders):
        done = load.run("shard", "gather", plan, *folders, "-C", other, "--now", workload.NOW)
        path = workload.database(other)
        is_empty = not os.path.exists(path) or workload.query(
            path, "SELECT count(*) FROM OnlineUsers") == [(0,)]
        check.fact(
            f"a {what} shard is refused", done.returncode in statuses and is_empty,
            f"status {done.returncode}, target {'untouched' if is_empty else 'CHANGED'}")

    last = f"shard-{shards:04d}"
    shutil.copytree(folder, broken)
    os.remove(os.path.join(broken, f"{last}.json"))
    refused("missing", (75,), [broken])
    shutil.copy(os.path.join(folder, f"{last}.json"), broken)
    os.truncate(os.path.join(broken, f"{last}.sqlite"), 8_192)
    refused("cut", (65, 75), [broken])
    for end in ("sqlite", "json"):
        shutil.copy(os.path.join(folder, f"shard-0001.{end}"), os.path.join(broken, f"{last}.{end}"))
    refused("foreign", (65,), [broken])
    refused("doubled", (65,), [folder, folder + "/."])


def main():
    arguments = parse()
    reason = cluster.cannot_run()
    if reason:
        print(f"check-scale: left out: {reason}")
        return
    check = proof.Check(arguments.program)
    recipes.check_manifest(check)
    with contextlib.ExitStack() as opened:
        folder = arguments.keep or opened.enter_context(
            tempfile.TemporaryDirectory(prefix="firetally-scale-"))
        os.makedirs(folder, exist_ok=True)
        load = opened.enter_context(workload.Workload(
            arguments.program, folder, arguments.users, arguments.pace, not arguments.bounded))
        prove(check, arguments, load)
        small = os.path.join(folder, "small")
        os.makedirs(small)
        proof.check_child_tables(check, opened.enter_context(workload.Workload(
            arguments.program, small, 3_000, 0, False)))
    sys.exit(1 if check.failed else 0)


def prove(check, arguments, load):
    one = load.workspace("one")
    reads, seconds = load.load(one)
    print(
        f"one process: {load.users:,} documents, {reads:,} reads, {seconds:.1f} s; a stream gets "
        f"{arguments.pace:,} documents a second")
    plan = load.plan(one, arguments.shards)
    shards = os.path.join(load.folder, "slurm")
    os.makedirs(shards)
    environment = {
        **load.environment, "FIRETALLY_WORKSPACE": one, "FIRETALLY_RUN_SHARD": recipes.RUN_SHARD}
    with cluster.Cluster(
            os.path.join(load.folder, "cluster"), (arguments.shards + 1) // 2,
            environment) as slurm:
        slurm.environment["FIRETALLY_LOCAL"] = os.path.join(load.folder, "undisturbed-local")
        if not arguments.bounded:
            check_speed(check, slurm, arguments, plan, reads, seconds)
        slurm.environment["FIRETALLY_LOCAL"] = os.path.join(load.folder, "slurm-local")
        check_kills(check, slurm, arguments, plan, shards)
        check_statuses(check, slurm, load.folder)
        of_slurm = {"SLURM_CONF": slurm.configuration,
                    "FIRETALLY_LOCAL": os.path.join(load.folder, "load-local")}
        recipes.check_load(check, load, "slurm", of_slurm, arguments.shards, one)
        recipes.check_failure(check, load, of_slurm, plan, arguments.shards)
    # Beside each other as many as there are shards: they wait for the server.
    recipes.check_load(
        check, load, "parallel", {"JOBS": str(arguments.shards)}, arguments.shards, one)
    recipes.check_run_shard(check, load, plan, one, shards)
    proof.check_finished(check, load, plan, shards, one)
    check_refusals(check, load, plan, shards, arguments.shards)
    proof.gathered(check, load, plan, shards, one)
    if arguments.spark:
        check_spark(check, load, plan, arguments.shards, one)


def check_kills(check, slurm, arguments, plan, shards):
    states, kills, losses = disturbed(
        slurm, arguments, plan, shards, random.Random(arguments.seed))
    restarts = sum(restarts for _, restarts, _ in states.values())
    is_complete = all(state == "COMPLETED" for state, _, _ in states.values())
    check.fact(
        f"all shards are made in spite of {kills} kills and {losses} lost nodes",
        is_complete and kills == arguments.kills and losses == arguments.losses,
        f"{restarts} restarts")
    if is_complete:
        return
    print(f"the tasks: {states}")
    for name in sorted(os.listdir(shards)):
        if name.endswith(".log"):
            with open(os.path.join(shards, name)) as file:
                print(f"{name}: {file.read().strip()}")


def check_spark(check, load, plan, shards, one):
    missing = spark.without_spark()
    if missing:
        print(f"check-scale: Spark is left out: {missing}")
        return
    made = os.path.join(load.folder, "spark")
    os.makedirs(made)
    spark.by_spark(load, plan, made, shards, one)
    workspace = load.workspace("by-spark")
    load.must(
        "shard", "gather", plan, made, "-C", workspace, "--now", workload.NOW, ends_with=load.ends_with)
    check.rows("spark/load.py", one, workspace)


if __name__ == "__main__":
    main()
