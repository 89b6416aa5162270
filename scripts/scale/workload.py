"""A server, workspaces, plans and shards of the built program."""
import hashlib
import json
import os
import re
import sqlite3
import subprocess
import sys
import time

# The clock of the plan and of the load that it is held against: a whole minute, which pages show.
NOW = time.strftime("%Y-%m-%dT%H:%M:00Z", time.gmtime())
HERE = os.path.dirname(os.path.abspath(__file__))
JOBS = {
    "online-users": """\
kind: sync-users
collection: Users
page_size: 1000
max_documents: all
deletes: drift
""",
    # Each document has an array of two, so the child table has twice as many rows.
    "people": """\
kind: sync-collection
collection: Users
table: people
columns: {name: User_name TEXT, country: User_country TEXT}
explode: {badges: {column: badge JSON}}
page_size: 1000
deletes: drift
"""}
# The ledger of runs, and what SQLite and GRDB keep for themselves.
ABOUT_RUNS = re.compile(r"(sync_runs|run_logs|incidents)$|grdb_|sqlite_")
# What jobs remember; the gathering remembers how far it got, and a scheduler when it last started one.
MARKS = "SELECT * FROM marks WHERE name NOT LIKE 'gather of %' AND name <> 'last-scheduled-start'"


class Workload:
    """A server with users; workspaces that copy them.

    The recipes start `self.environment["FIRETALLY"]`, which is the program at the check's time.
    """

    def __init__(self, program, folder, users, pace, is_embedded):
        self.program = os.path.abspath(program)
        self.folder = folder
        self.users = users
        # The embedded server's sample has documents that a load leaves out.
        self.ends_with = 3 if is_embedded else 0
        wrapper = os.path.join(folder, "firetally.sh")
        with open(wrapper, "w") as file:
            file.write(f'#!/bin/sh\nexec "{self.program}" "$@" --now {NOW}\n')
        os.chmod(wrapper, 0o755)
        self.environment = {
            "PATH": os.environ.get("PATH", "/usr/sbin:/usr/bin:/sbin:/bin"), "HOME": folder,
            "FIRETALLY": wrapper, "GOOGLE_CLOUD_PROJECT": "demo"}
        command = (
            [self.program, "emulator", "--port", "0", "--json"] if is_embedded
            else [sys.executable, os.path.join(HERE, "server.py")])
        command += ["--users", str(users), "--documents-per-second", str(pace)]
        self.server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.environment["FIRESTORE_EMULATOR_HOST"] = json.loads(self.server.stdout.readline())["host"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.terminate()
        self.server.wait()

    def run(self, *arguments, **options):
        """The ended process; its standard output is text."""
        environment = {**self.environment, **options.pop("environment", {})}
        return subprocess.run(
            [self.program, *arguments], env=environment, capture_output=True, text=True, **options)

    def must(self, *arguments, ends_with=0, **options):
        done = self.run(*arguments, **options)
        if done.returncode != ends_with:
            raise RuntimeError(
                f"firetally {' '.join(arguments)} ended with {done.returncode}: {done.stderr.strip()}")
        return done

    def workspace(self, name):
        path = os.path.join(self.folder, name)
        self.must("init", path)
        jobs = os.path.join(path, "jobs")
        for job in os.listdir(jobs):
            os.remove(os.path.join(jobs, job))
        for job, text in JOBS.items():
            with open(os.path.join(jobs, f"{job}.yml"), "w") as file:
                file.write(text)
        return path

    def plan(self, workspace, shards, job="online-users"):
        path = os.path.join(self.folder, f"{job}.plan.json")
        self.must(
            "shard", "plan", job, "--shards", str(shards), "--to", path, "-C", workspace,
            "--now", NOW)
        return path

    def load(self, workspace, job="online-users"):
        """A load by one process: its billed reads and its seconds."""
        started = time.monotonic()
        done = self.must(
            "run", job, "-C", workspace, "--now", NOW, "--json", ends_with=self.ends_with)
        seconds = time.monotonic() - started
        return json.loads(done.stdout.splitlines()[0])["run"]["counts"]["billedReads"], seconds


def database(workspace):
    return os.path.join(workspace, "data", "firetally.sqlite")


def forget_reads(path):
    """Lets the ledger say that no run read anything."""
    opened = sqlite3.connect(path)
    try:
        with opened:
            opened.execute("UPDATE sync_runs SET billed_reads = 0, estimated_cost = NULL")
    finally:
        opened.close()


def query(path, text):
    """The rows of a statement that only reads."""
    opened = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        return opened.execute(text).fetchall()
    finally:
        opened.close()


def tables(workspace):
    """The tables that hold data, by name."""
    names = query(
        database(workspace), "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    return [name for name, in names if not ABOUT_RUNS.match(name)]


def dump(workspace):
    """The SHA-256 of what sqlite3's .dump writes of each data table, by name."""
    sums = {}
    for name in tables(workspace):
        statement = MARKS if name == "marks" else f".dump {name}"
        dumping = subprocess.Popen(
            ["sqlite3", "-readonly", database(workspace), statement], stdout=subprocess.PIPE)
        sums[name] = hashlib.file_digest(dumping.stdout, "sha256").hexdigest()
        if dumping.wait() != 0:
            raise RuntimeError(f"sqlite3 cannot dump {name} of {workspace}")
    return sums


def differing(one, other):
    """The names under which two dictionaries differ."""
    return sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))


def manifests(folder):
    found = []
    for name in sorted(os.listdir(folder)):
        if re.fullmatch(r"shard-\d+\.json", name):
            with open(os.path.join(folder, name)) as file:
                found.append(json.load(file))
    return found


def measured(command, environment, folder=None, ends_with=0):
    """Runs the command, which must end so: its peak of resident memory, in megabytes; its seconds.

    The peak is the largest of the command and of all that it started.
    """
    started = time.monotonic()
    process = subprocess.Popen(
        command, env=environment, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        text=True)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != ends_with:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}: {errors.strip()}")
    return usage.ru_maxrss / 1_000, seconds
