"""The recipes of deploy/, run as an operator runs them."""
import importlib.util
import os
import subprocess
import sys

import proof
import workload

DEPLOY = os.path.join(
    os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "deploy")
RUN_SHARD = os.path.join(DEPLOY, "run-shard.sh")


def check_load(check, load, engine, environment, shards, one):
    """deploy/ENGINE/load.sh plans, makes and gathers from a second workspace."""
    workspace = load.workspace(f"by-{engine}")
    folder = os.path.join(load.folder, f"{engine}-load")
    ended, text = proof.status(
        [os.path.join(DEPLOY, engine, "load.sh"), "online-users", str(shards), folder],
        {**load.environment, **environment}, workspace, 600)
    check.fact(f"{engine}/load.sh ends with {load.ends_with}", ended == load.ends_with, f"status {ended}" + (
        f": {text}" if ended != load.ends_with else ""))
    if ended == load.ends_with:
        check.rows(f"{engine}/load.sh", one, workspace)


def check_failure(check, load, environment, plan, shards):
    """slurm/load.sh returns when a shard can never be made: the workspace's job is another."""
    workspace = load.workspace("other-job")
    with open(os.path.join(workspace, "jobs", "online-users.yml"), "a") as file:
        file.write("incremental: {field: last_time_seen}\n")
    folder = os.path.join(load.folder, "failing")
    os.makedirs(folder)
    with open(plan, "rb") as source, open(os.path.join(folder, "plan.json"), "wb") as target:
        target.write(source.read())
    try:
        ended, _ = proof.status(
            [os.path.join(DEPLOY, "slurm", "load.sh"), "online-users", str(shards), folder],
            {**load.environment, **environment}, workspace, 60)
    except subprocess.TimeoutExpired:
        ended = "none after 60 s"
    check.fact("slurm/load.sh returns when shards failed for good", ended == 1, f"status {ended}")


def check_run_shard(check, load, plan, workspace, made):
    """run-shard.sh leaves one whole shard, and asks nothing for one that lies there."""
    folder = os.path.join(load.folder, "copied")
    environment = {
        **load.environment, "FIRETALLY_WORKSPACE": workspace, "FIRETALLY_SHARD": "2",
        "FIRETALLY_LOCAL": os.path.join(load.folder, "copied-local")}
    peak, _ = workload.measured([RUN_SHARD, plan, folder], environment)
    check.fact(f"a shard takes {proof.MOST_MEMORY} MB at most", peak <= proof.MOST_MEMORY,
               f"{peak:.0f} MB")
    names = sorted(name for name in os.listdir(folder) if not name.endswith(".lock"))
    check.fact("run-shard.sh copies its shard and leaves nothing else",
               names == ["shard-0002.json", "shard-0002.sqlite"], ", ".join(names))
    again, text = proof.status(
        [RUN_SHARD, plan, folder], {**environment, **proof.NOBODY}, load.folder, 60)
    check.fact("run-shard.sh asks nothing again", again == 0, text or "status 0, no request")
    # A folder with the shards of an earlier plan: nothing is read, and they stay.
    with open(plan) as source, open(os.path.join(load.folder, "later.json"), "w") as target:
        target.write(source.read() + "\n")
    foreign, _ = proof.status(
        [RUN_SHARD, target.name, made], {**environment, **proof.NOBODY}, load.folder, 60)
    check.fact("run-shard.sh leaves another plan's shard alone", foreign == 65, f"status {foreign}")


def check_manifest(check):
    """The Kubernetes job is what Kubernetes knows, without a typing error."""
    if importlib.util.find_spec("kubernetes_validate") is None:
        print("check-scale: kubernetes/job.yaml is left out: pip install kubernetes-validate")
        return
    done = subprocess.run(
        [sys.executable, "-m", "kubernetes_validate", "--strict",
         os.path.join(DEPLOY, "kubernetes", "job.yaml")],
        capture_output=True, text=True)
    check.fact("kubernetes/job.yaml is valid", done.returncode == 0,
               (done.stdout + done.stderr).strip().splitlines()[-1])
