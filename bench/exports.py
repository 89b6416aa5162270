"""The export rows of bench/run: `firetally export` beside `sqlite3 -csv` on the same table."""
import os
import shutil
import sqlite3
import statistics
import sys

FULL_ROWS = 1_000_000
MOST_MEGABYTES = 80
QUERY = "SELECT * FROM OnlineUsers"
FORMATS = ("csv", "ndjson", "parquet")


class Export:
    """All users of a workspace that is filled by copying those of a first load."""

    def __init__(self, firetally, folder, measurement, workspace, rows=FULL_ROWS):
        self.firetally = firetally
        self.measurement = measurement
        self.workspace = workspace.folder
        self.folder = folder
        self.rows = rows
        self.database = os.path.join(self.workspace, "data", "firetally.sqlite")
        workspace.run("--json", "--now", "2026-02-01T00:00:00Z")
        self.fill()
        self.ours = {format: [] for format in FORMATS}
        self.theirs = []

    def fill(self):
        """Repeats the loaded users under other ids until there are as many as wanted."""
        database = sqlite3.connect(self.database)
        (count,) = database.execute("SELECT count(*) FROM OnlineUsers").fetchone()
        if count == 0:
            sys.exit("bench: the users to export did not load")
        columns = [row[1] for row in database.execute("PRAGMA table_info(OnlineUsers)")][2:]
        names = ", ".join(columns)
        for copy in range(1, -(-self.rows // count)):
            database.execute(
                f"INSERT INTO OnlineUsers (user_id, {names}) "
                f"SELECT user_id || '-{copy}', {names} FROM OnlineUsers WHERE id <= {count} "
                f"LIMIT {self.rows - copy * count}")
        database.commit()
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        database.close()

    def run(self):
        # Both read the database from memory, and write to the same disk.
        for format in FORMATS:
            path = os.path.join(self.folder, "ours")
            taken = self.measurement(
                [self.firetally, "export", "OnlineUsers", "-C", self.workspace, "--format", format,
                 "--to", path, "--json"])
            if f'"rows":{self.rows}' not in taken.output:
                sys.exit(f"bench: expected {self.rows} rows, got:\n{taken.output}")
            self.ours[format].append(taken)
        if shutil.which("sqlite3"):
            with open(os.path.join(self.folder, "theirs"), "wb") as file:
                self.theirs.append(self.measurement(
                    ["sqlite3", "-readonly", "-header", "-csv", self.database, QUERY], stdout=file))

    def add_rows(self, table, seconds):
        if not self.theirs:
            return
        theirs = statistics.median(run.seconds for run in self.theirs)
        for format, runs in self.ours.items():
            taken = statistics.median(run.seconds for run in runs)
            megabytes = max(run.megabytes for run in runs)
            ratio = theirs / taken
            is_met = megabytes < MOST_MEGABYTES
            is_judged = self.rows >= FULL_ROWS
            table.add(
                f"export, {format}", seconds(taken),
                seconds(statistics.median(run.cpu for run in runs)), f"{megabytes:.0f} MB",
                f"sqlite3 -csv {seconds(theirs)}", f"{ratio:.2f} of its speed",
                f"< {MOST_MEGABYTES} MB",
                ("yes" if is_met else "NO") if is_judged else "")

    def summary(self):
        return f"export of {self.rows:,} users"
