"""A server, workspaces, plans and shards of the built program."""
import hashlib
import json
import os
import re
import sqlite3
import subprocess
import sys
import time

# The clock of the plan and of the load that it is held against.
NOW = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
HERE = os.path.dirname(os.path.abspath(__file__))
JOB = """\
kind: sync-users
collection: Users
page_size: 1000
max_documents: all
deletes: drift
"""
# Kept by runs themselves, and about them.
ABOUT_RUNS = re.compile(r"sync_|run_|marks|metadata|grdb_|sqlite_|erasures")


class Workload:
    """A server with users; workspaces that copy them."""

    def __init__(self, program, folder, users, pace, is_embedded):
        self.program = os.path.abspath(program)
        self.folder = folder
        self.users = users
        self.environment = {
            "PATH": os.environ.get("PATH", "/usr/sbin:/usr/bin:/sbin:/bin"), "HOME": folder,
            "FIRETALLY": self.program, "GOOGLE_CLOUD_PROJECT": "demo"}
        command = (
            [self.program, "emulator", "--port", "0", "--json"] if is_embedded
            else [sys.executable, os.path.join(HERE, "server.py")])
        command += ["--users", str(users), "--documents-per-second", str(pace)]
        self.server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.environment["FIRESTORE_EMULATOR_HOST"] = json.loads(self.server.stdout.readline())["host"]

    def close(self):
        self.server.terminate()
        self.server.wait()

    def run(self, *arguments, **options):
        """The ended process; its standard output is text."""
        environment = {**self.environment, **options.pop("environment", {})}
        return subprocess.run(
            [self.program, *arguments], env=environment, capture_output=True, text=True, **options)

    def must(self, *arguments, **options):
        done = self.run(*arguments, **options)
        if done.returncode != 0:
            raise RuntimeError(
                f"firetally {' '.join(arguments)} ended with {done.returncode}: {done.stderr.strip()}")
        return done

    def workspace(self, name):
        path = os.path.join(self.folder, name)
        self.must("init", path)
        jobs = os.path.join(path, "jobs")
        for job in os.listdir(jobs):
            os.remove(os.path.join(jobs, job))
        with open(os.path.join(jobs, "online-users.yml"), "w") as file:
            file.write(JOB)
        return path

    def plan(self, workspace, shards, name="plan.json"):
        path = os.path.join(self.folder, name)
        self.must(
            "shard", "plan", "online-users", "--shards", str(shards), "--to", path, "-C", workspace,
            "--now", NOW)
        return path

    def load(self, workspace):
        """A load by one process: its billed reads and its seconds."""
        started = time.monotonic()
        done = self.must("run", "online-users", "-C", workspace, "--now", NOW, "--json")
        seconds = time.monotonic() - started
        return json.loads(done.stdout.splitlines()[0])["run"]["counts"]["billedReads"], seconds


def digest(workspace):
    """The SHA-256 of the data tables' dump."""
    path = os.path.join(workspace, "data", "firetally.sqlite")
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        names = [name for name, in database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        sums = hashlib.sha256()
        for name in filter(lambda name: not ABOUT_RUNS.match(name), names):
            sums.update(name.encode())
            for row in database.execute(f'SELECT * FROM "{name}"'):
                sums.update(repr(row).encode())
        return sums.hexdigest()
    finally:
        database.close()


def manifests(folder):
    found = []
    for name in sorted(os.listdir(folder)):
        if re.fullmatch(r"shard-\d+\.json", name):
            with open(os.path.join(folder, name)) as file:
                found.append(json.load(file))
    return found


def rows(path, table):
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        return database.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0]
    finally:
        database.close()


def measured(command, environment):
    """Runs the command, which must succeed: the peak of its resident memory, in megabytes."""
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}: {errors.strip()}")
    return usage.ru_maxrss / 1_000
