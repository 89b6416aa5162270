"""The import rows of bench/run: `firetally events import` beside sqlite3's own .import."""
import os
import shutil
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))

FULL_WORKLOAD = 1_000_000
LEAST_RATIO = 2
MOST_MEGABYTES = 80

COLUMNS = (
    "id, name, at, user_id, platform, feature, kind, user_type, stars, parameters, country, "
    "app_version, source, fingerprint")

# The ledger's table, indexes and settings; not STRICT, since CSV has no NULL and '' is no integer.
BASELINE = """\
PRAGMA page_size = 16384;
PRAGMA journal_mode = wal;
PRAGMA synchronous = normal;
PRAGMA cache_size = -32768;
PRAGMA wal_autocheckpoint = 4000;
CREATE TABLE events (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, at INTEGER NOT NULL, user_id TEXT NOT NULL,
    platform TEXT, feature TEXT, kind TEXT, user_type TEXT, stars INTEGER, parameters TEXT NOT NULL,
    country TEXT, app_version TEXT, source TEXT NOT NULL, fingerprint INTEGER NOT NULL);
CREATE UNIQUE INDEX events_content ON events(at, fingerprint);
CREATE INDEX events_usage ON events(at, feature, kind, user_type, user_id, platform)
    WHERE feature IS NOT NULL;
CREATE INDEX events_ratings ON events(at) WHERE stars <> '';
.import --csv {table} events
"""


def generate(cache, lines, name="events-{}.ndjson", script="make_events.py"):
    """The export, or another file of lines, made once for each number of them."""
    path = os.path.join(cache, name.format(lines))
    if not os.path.exists(path):
        print(f"bench: writing {lines:,} lines into {path}", file=sys.stderr)
        subprocess.run(
            [sys.executable, os.path.join(HERE, script), path, "--lines", str(lines)], check=True)
    # Every measurement reads the file from memory, the first as well.
    with open(path, "rb") as file:
        while file.read(1 << 24):
            pass
    return path


class Import:
    """The measurements of one call of the bench, and the rows that come of them."""

    def __init__(self, firetally, cache, folder, measurement, arguments):
        self.events = arguments.events
        self.measurement = measurement
        self.firetally = firetally
        self.file = generate(cache, self.events)
        self.workspace = os.path.join(folder, "imports")
        self.database = os.path.join(self.workspace, "data", "firetally.sqlite")
        self.table = os.path.join(folder, "events.csv")
        self.baseline = os.path.join(folder, "baseline.sqlite")
        self.script = os.path.join(folder, "baseline.sql")
        self.has_sqlite = shutil.which("sqlite3") is not None
        measurement([firetally, "init", self.workspace])
        with open(self.script, "w") as file:
            file.write(BASELINE.format(table=self.table))
        self.new, self.again, self.theirs = [], [], []

    def run(self):
        """One import into a new ledger, the same again, and sqlite3's of the same rows."""
        shutil.rmtree(os.path.dirname(self.database), ignore_errors=True)
        self.new.append(self.ours(added=self.events))
        self.again.append(self.ours(added=0))
        if not self.has_sqlite:
            return
        self.expect_rows(self.database)
        if not self.theirs:
            self.write_table()
        for suffix in ("", "-wal", "-shm"):
            if os.path.exists(self.baseline + suffix):
                os.remove(self.baseline + suffix)
        self.theirs.append(self.measurement(
            ["sqlite3", "-init", self.script, self.baseline, ""], stdin=subprocess.DEVNULL))
        self.expect_rows(self.baseline)

    def ours(self, added):
        run = self.measurement(
            [self.firetally, "events", "import", self.file, "-C", self.workspace, "--json"])
        if f'"added":{added},' not in run.output or f'"lines":{self.events},' not in run.output:
            sys.exit(f"bench: expected {added} new events of {self.events}, got:\n{run.output}")
        return run

    def query(self, database, sql, **options):
        return subprocess.run(["sqlite3", "-csv", database, sql], check=True, **options)

    def expect_rows(self, database):
        answer = self.query(
            database, "SELECT count(*) FROM events", stdout=subprocess.PIPE, text=True)
        if int(answer.stdout) != self.events:
            sys.exit(f"bench: {database} holds {answer.stdout.strip()} rows of {self.events}")

    def write_table(self):
        """The rows that were imported, as CSV."""
        with open(self.table, "wb") as file:
            self.query(self.database, f"SELECT {COLUMNS} FROM events ORDER BY id", stdout=file)

    def add_rows(self, table, seconds):
        for label, runs in (("import", self.new), ("import again", self.again)):
            taken = statistics.median(run.seconds for run in runs)
            megabytes = max(run.megabytes for run in runs)
            baseline, ratio, is_met = "", "", False
            if self.theirs:
                theirs = statistics.median(run.seconds for run in self.theirs)
                memory = max(run.megabytes for run in self.theirs)
                baseline = f"sqlite3 .import {seconds(theirs)}, {memory:.0f} MB"
                ratio = f"{theirs / taken:.1f} times as fast"
                is_met = theirs / taken >= LEAST_RATIO and megabytes < MOST_MEGABYTES
            table.add(
                label, seconds(taken), seconds(statistics.median(run.cpu for run in runs)),
                f"{megabytes:.0f} MB", baseline, ratio, f">= {LEAST_RATIO}, < {MOST_MEGABYTES} MB",
                ("yes" if is_met else "NO") if self.events >= FULL_WORKLOAD and self.theirs else "")

    def summary(self):
        rates = [
            f"{name} {self.events / statistics.median(run.seconds for run in runs):,.0f}/s"
            for name, runs in (
                ("import", self.new), ("again", self.again), ("sqlite3's .import", self.theirs))
            if runs]
        return f"{self.events:,} events: {', '.join(rates)}"
