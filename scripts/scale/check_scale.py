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
import engines  # noqa: E402
import workload  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DEPLOY = os.path.join(ROOT, "deploy")


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
    defaults = (50_000, 4, 5, 0, 25_000) if arguments.bounded else (1_000_000, 8, 100, 10, 2_500)
    for name, value in zip(("users", "shards", "kills", "losses", "pace"), defaults):
        if getattr(arguments, name) is None:
            setattr(arguments, name, value)
    return arguments


class Check:
    """Prints a line for each fact; remembers whether one is not as it must be."""

    def __init__(self):
        self.failed = False
        self.started = time.monotonic()

    def fact(self, what, is_met, found):
        self.failed |= not is_met
        seconds = time.monotonic() - self.started
        print(f"{seconds:6.1f} s  {'yes' if is_met else 'NO '}  {what}: {found}", flush=True)


def tasks_of(folder):
    """The processes that make shards into this folder, by their number."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/cmdline", "rb") as file:
                words = file.read().decode(errors="replace").split("\0")
        except OSError:
            continue
        if words[1:3] == ["shard", "run"] and folder in words:
            found.append(int(name))
    return found


def disturbed(slurm, arguments, plan, folder, chance):
    """Runs the array to its end, and kills tasks and nodes meanwhile: the kills and the losses."""
    job = slurm.submit(
        folder, f"--array=0-{arguments.shards - 1}",
        os.path.join(DEPLOY, "slurm", "shard.sbatch"), plan, folder)
    kills = losses = 0
    lost = None
    end = time.monotonic() + (60 + 60 * arguments.losses + 30 * arguments.kills)
    while time.monotonic() < end:
        states = slurm.ended(job, arguments.shards)
        if states:
            return states, kills, losses
        running = tasks_of(folder)
        if running and kills < arguments.kills:
            try:
                os.kill(chance.choice(running), signal.SIGKILL)
                kills += 1
            except ProcessLookupError:
                pass
        if losses < arguments.losses and lost is None and kills >= (losses + 1) * 5:
            lost = (chance.choice(("n1", "n2")), time.monotonic())
            slurm.lose(lost[0])
            losses += 1
        if lost and (slurm.is_down(lost[0]) or time.monotonic() - lost[1] > 60):
            slurm.start_node(lost[0])
            lost = None
        slurm.hurry(job)
        time.sleep(chance.uniform(0.1, 0.6))
    raise TimeoutError(f"the shards did not end: {slurm.states(job)}")


def check_speed(check, slurm, arguments, plan, reads, seconds):
    """Undisturbed shards read what one machine reads, and as many times as fast as there are."""
    folder = os.path.join(os.path.dirname(plan), "undisturbed")
    os.makedirs(folder)
    calm = argparse.Namespace(**{**vars(arguments), "kills": 0, "losses": 0})
    started = time.monotonic()
    disturbed(slurm, calm, plan, folder, random.Random(0))
    fast = time.monotonic() - started
    billed = sum(manifest["reads"] for manifest in workload.manifests(folder))
    check.fact(
        "billed reads are one machine's, and one more a shard at most",
        billed <= reads + arguments.shards, f"{billed:,} of {reads:,}")
    least = 0.875 * arguments.shards
    check.fact(
        f"{arguments.shards} shards are {least:g} times as fast as one process, or more",
        seconds / fast >= least, f"{seconds / fast:.2f} times, {fast:.1f} s")


def check_statuses(check, slurm, folder):
    """75 is tried again, 78 is not, and `sbatch --wait` hands it on."""
    for status, expected in ((75, "requeued"), (78, "not requeued")):
        path = os.path.join(folder, f"status-{status}.sh")
        with open(path, "w") as file:
            file.write(f'#!/bin/sh\n[ "${{SLURM_RESTART_COUNT:-0}}" = 0 ] || exit 0\nexit {status}\n')
        job = slurm.submit(folder, "--array=0", path)

        def settled():
            slurm.hurry(job)
            return slurm.ended(job, 1)

        _, restarts, _ = cluster.wait_until("a task", 30, settled)[0]
        found = "requeued" if restarts else "not requeued"
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
        path = os.path.join(other, "data", "firetally.sqlite")
        is_empty = not os.path.exists(path) or workload.rows(path, "OnlineUsers") == 0
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


def check_manifest(check):
    """The Kubernetes job is what Kubernetes knows, without a typing error."""
    program = shutil.which("kubernetes-validate")
    if not program:
        print("check-scale: the Kubernetes job is left out: pip install kubernetes-validate")
        return
    done = subprocess.run(
        [program, "--strict", os.path.join(DEPLOY, "kubernetes", "job.yaml")], capture_output=True,
        text=True)
    check.fact("the Kubernetes job is valid", done.returncode == 0, done.stdout.strip())


def gathered(check, load, plan, folder, name, expected):
    """Gathers into a new workspace, and compares it with one machine's."""
    workspace = load.workspace(name)
    started = time.monotonic()
    peak = workload.measured(
        [load.program, "shard", "gather", plan, folder, "-C", workspace, "--now", workload.NOW],
        load.environment)
    seconds = time.monotonic() - started
    check.fact(
        f"shards made by {name} are one machine's rows", workload.digest(workspace) == expected,
        f"{load.users:,} rows gathered in {seconds:.1f} s, {load.users / seconds:,.0f}/s, "
        f"{peak:.0f} MB")
    return peak


def main():
    arguments = parse()
    reason = cluster.cannot_run()
    if reason:
        print(f"check-scale: left out: {reason}")
        return
    check = Check()
    check_manifest(check)
    chance = random.Random(arguments.seed)
    with contextlib.ExitStack() as opened:
        folder = arguments.keep or opened.enter_context(
            tempfile.TemporaryDirectory(prefix="firetally-scale-"))
        os.makedirs(folder, exist_ok=True)
        load = workload.Workload(
            arguments.program, folder, arguments.users, arguments.pace,
            not arguments.bounded)
        try:
            prove(check, arguments, chance, load, folder)
        finally:
            load.close()
    sys.exit(1 if check.failed else 0)


def prove(check, arguments, chance, load, folder):
    one = load.workspace("one")
    reads, seconds = load.load(one)
    expected = workload.digest(one)
    print(
        f"one process: {load.users:,} documents, {reads:,} reads, {seconds:.1f} s; a stream gets "
        f"{arguments.pace:,} documents a second")
    plan = load.plan(one, arguments.shards)
    shards = os.path.join(folder, "slurm")
    os.makedirs(shards)
    with cluster.Cluster(os.path.join(folder, "cluster"), (arguments.shards + 1) // 2,
                         {**load.environment, "FIRETALLY_WORKSPACE": one}) as slurm:
        if not arguments.bounded:
            check_speed(check, slurm, arguments, plan, reads, seconds)
        states, kills, losses = disturbed(slurm, arguments, plan, shards, chance)
        restarts = sum(restarts for _, restarts, _ in states.values())
        check.fact(
            f"all shards are made in spite of {kills} kills and {losses} lost nodes",
            all(state == "COMPLETED" for state, _, _ in states.values()) and kills == arguments.kills
            and losses == arguments.losses, f"{restarts} restarts")
        for name in sorted(os.listdir(shards)):
            if name.endswith(".log") and not all(state == "COMPLETED" for state, _, _ in states.values()):
                with open(os.path.join(shards, name)) as file:
                    print(f"{name}: {file.read().strip()}")
        check_statuses(check, slurm, folder)
    again = load.run("shard", "run", plan, "--to", shards, "--shard", "1", "-C", one,
                     environment={"FIRESTORE_EMULATOR_HOST": "127.0.0.1:1"})
    check.fact("a finished shard asks nothing again", again.returncode == 0, again.stderr.strip() or "status 0")
    check_refusals(check, load, plan, shards, arguments.shards)
    gathered(check, load, plan, shards, "Slurm", expected)
    for name, make, missing in engines.all_engines(arguments.spark):
        if missing:
            print(f"check-scale: {name} is left out: {missing}")
            continue
        made = os.path.join(folder, name.replace(" ", "-"))
        os.makedirs(made)
        make(load, plan, made, arguments.shards, one)
        gathered(check, load, plan, made, name, expected)


if __name__ == "__main__":
    main()
