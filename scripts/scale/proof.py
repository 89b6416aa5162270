"""What is compared and judged: rows, reports, memory, speed."""
import os
import re
import sqlite3
import subprocess
import time

import workload

# Megabytes of resident memory that a shard, and a gathering, may take at most.
MOST_MEMORY = 80
REPORTS = ("usage", "limits", "ratings", "users")
# What queries of the pages are bound to: microseconds of the time of writing.
BOUND = re.compile(rb'(?::end|:now|"end"|"now") (?:=|:) \d{16}')
MOMENT = re.compile(rb"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
# "Users fetched 31 Jan 2026, 08:00 (in 8 s)"
FETCHED = re.compile(rb"\d+ \w+ \d{4}, \d\d:\d\d(</time>)? \(in [^)]*\)")


class Check:
    """Prints a line for each fact; remembers whether one is not as it must be."""

    def __init__(self, program):
        self.failed = False
        # Only then is speed judged.
        self.is_release = "/release/" in os.path.realpath(program)
        self.started = time.monotonic()

    def fact(self, what, is_met, found):
        self.failed |= not is_met
        self.line("yes" if is_met else "NO ", what, found)

    def speed(self, what, is_met, found):
        """A fact of a release build; of a debug build it is only told."""
        if self.is_release:
            self.fact(what, is_met, found)
        else:
            self.line(" - ", what, f"{found} (a debug build: not judged)")

    def line(self, mark, what, found):
        print(f"{time.monotonic() - self.started:6.1f} s  {mark}  {what}: {found}", flush=True)

    def rows(self, what, one, other):
        """The data tables of two workspaces have the same dump."""
        expected = workload.dump(one)
        differ = workload.differing(expected, workload.dump(other))
        self.fact(
            f"{what}: one machine's rows", not differ,
            f"the dumps differ: {', '.join(differ)}" if differ
            else f"SHA-256 of the dumps of {len(expected)} tables")


def gathered(check, load, plan, shards, one):
    """Gathers into a new workspace, and compares it with one machine's, and with SQLite by hand."""
    workspace = load.workspace("gathered")
    peak, seconds = workload.measured(
        [load.program, "shard", "gather", plan, shards, "-C", workspace, "--now", workload.NOW],
        load.environment, ends_with=load.ends_with)
    check.fact(
        f"a gathering takes {MOST_MEMORY} MB at most", peak <= MOST_MEMORY, f"{peak:.0f} MB")
    check.rows("shards made by Slurm", one, workspace)
    check_reports(check, load, one, workspace)
    check.speed(
        "a gathering stores 100,000 rows a second, or more", load.users / seconds >= 100_000,
        f"{load.users / seconds:,.0f}/s, {seconds:.2f} s")
    by_hand = merge_by_hand(load, shards, workspace)
    check.speed(
        "a gathering is 0.9 times as fast as SQLite by hand, or more", by_hand / seconds >= 0.9,
        f"{by_hand / seconds:.2f} times, {by_hand:.2f} s by hand")


def merge_by_hand(load, shards, workspace):
    """The seconds that ATTACH and INSERT SELECT take for the same rows, with the same indexes."""
    path = workload.database(workspace)
    made = workload.query(
        path, "SELECT type, sql FROM sqlite_master WHERE tbl_name = 'OnlineUsers' "
        "AND type IN ('table', 'index') AND sql IS NOT NULL")
    columns = ", ".join(f'"{name}"' for name, key in workload.query(
        path, "SELECT name, pk FROM pragma_table_info('OnlineUsers')") if not key)
    target = os.path.join(load.folder, "by-hand.sqlite")
    started = time.monotonic()
    database = sqlite3.connect(target, isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = NORMAL")
    for sql in (sql for kind, sql in made if kind == "table"):
        database.execute(sql)
    for manifest in workload.manifests(shards):
        database.execute("ATTACH ? AS shard", (os.path.join(shards, manifest["file"]),))
        database.execute(
            f"INSERT INTO main.OnlineUsers ({columns}) SELECT {columns} FROM shard.OnlineUsers")
        database.execute("DETACH shard")
    for sql in (sql for kind, sql in made if kind == "index"):
        database.execute(sql)
    database.close()
    seconds = time.monotonic() - started
    counts = [workload.query(each, "SELECT count(*) FROM OnlineUsers") for each in (path, target)]
    if counts[0] != counts[1]:
        raise RuntimeError(f"{counts[1]} rows were merged by hand, and {counts[0]} gathered")
    os.remove(target)
    return seconds


def check_reports(check, load, one, other):
    """The report's files of two workspaces are equal, but for what tells of runs.

    That is the index, when the pages were written, when and how long users were fetched, and what
    the reads cost: a task that is killed pays for its last pages twice.
    """
    found = []
    for number, workspace in enumerate((one, other)):
        workload.forget_reads(workload.database(workspace))
        folder = os.path.join(load.folder, f"report-{number}")
        load.must(
            "report", *REPORTS, "--now", workload.NOW, "--output", folder, "-C", workspace)
        files = {}
        for path, _, names in os.walk(folder):
            for name in names:
                # It lists the jobs and when they ran.
                if not name.startswith("index."):
                    with open(os.path.join(path, name), "rb") as file:
                        files[name] = without_runs(file.read())
        found.append(files)
    differ = workload.differing(*found)
    check.fact(
        "the reports are one machine's, but for what tells of runs", not differ,
        f"they differ: {', '.join(differ)}" if differ else f"{len(found[0])} files")


def without_runs(text):
    """The bytes without the moments since the check's, and without the time of fetching."""
    text = BOUND.sub(b"", FETCHED.sub(b"", text))
    first = workload.NOW[:19].encode()
    return MOMENT.sub(lambda found: b"" if found[0][:19] >= first else found[0], text)


def check_child_tables(check, load):
    """A collection with a child table, in shards, is what one process stores."""
    one, other = load.workspace("people-one"), load.workspace("people-gathered")
    load.load(one, "people")
    plan = load.plan(one, 3, "people")
    shards = os.path.join(load.folder, "people")
    for number in (1, 2, 3):
        load.must("shard", "run", plan, "--to", shards, "--shard", f"{number}/3", "-C", one,
                  "--now", workload.NOW)
    load.must("shard", "gather", plan, shards, "-C", other, "--now", workload.NOW)
    check.rows("a collection with a child table, in shards", one, other)
    rows = workload.query(workload.database(other), "SELECT count(*) FROM people_badges")[0][0]
    check.fact("the child table has two rows a document", rows == 2 * load.users, f"{rows:,}")


def check_finished(check, load, plan, shards, workspace):
    """A finished shard asks nothing: where the server should be, nobody listens."""
    seconds = []
    for _ in range(5):
        started = time.monotonic()
        again = load.run("shard", "run", plan, "--to", shards, "--shard", "1", "-C", workspace,
                         environment=NOBODY)
        seconds.append(time.monotonic() - started)
    check.fact("a finished shard asks nothing again", again.returncode == 0,
               again.stderr.strip() or "status 0, no request")
    check.speed("a finished shard takes 20 ms at most", min(seconds) <= 0.020,
                f"{min(seconds) * 1_000:.1f} ms, the least of 5")


NOBODY = {"FIRESTORE_EMULATOR_HOST": "127.0.0.1:1"}


def status(command, environment, folder, seconds):
    """How the command ended, within so many seconds, and what it wrote."""
    done = subprocess.run(
        command, env=environment, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, timeout=seconds)
    return done.returncode, done.stdout.strip()
