"""The row of bench/run about many streams, each of which the server throttles."""
import contextlib
import os
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FULL_DOCUMENTS = 200_000
PACE = 2_500
PARTS = 64
# One stream is measured on so many: more say the same, and take minutes.
FEW_DOCUMENTS = 10_000
MOST_MEGABYTES = 80
JOB = """\
kind: sync-users
collection: Users
page_size: 1000
max_documents: %s
partitions: %d
"""


@contextlib.contextmanager
def server(folder):
    """Serves the pages at the pace of a stream; yields host:port."""
    process = subprocess.Popen(
        [sys.executable, os.path.join(HERE, "serve_streams.py"), folder,
         "--documents-per-second", str(PACE)], stdout=subprocess.PIPE, text=True)
    try:
        yield "127.0.0.1:" + process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait()


class Streams:
    """A first load in 64 and in 128 parts, beside the pace of one part in the same run.

    Where 64 times one part is more than the store takes, the load of one fast stream is the measure.
    """

    def __init__(self, firetally, measurement, workspace, few, documents):
        self.firetally = firetally
        self.measurement = measurement
        self.workspace = workspace
        self.few = few
        self.documents = documents
        # Documents a second of the first load from one fast stream, of the same run.
        self.fast = 0
        self.rates = {1: [], PARTS: [], 128: []}
        self.megabytes = {PARTS: 0, 128: 0}

    def run(self):
        # The pace of one part never varies: it is the server's.
        if not self.rates[1]:
            self.load(1, self.few, min(FEW_DOCUMENTS, self.documents))
        for parts in (PARTS, 128):
            self.load(parts, self.workspace, self.documents)

    def load(self, parts, workspace, documents):
        workspace.remove_database()
        most = "all" if parts > 1 else str(documents)
        with open(os.path.join(workspace.folder, "jobs", "online-users.yml"), "w") as file:
            file.write(JOB % (most, parts))
        run = self.measurement(
            [self.firetally, "run", "online-users", "-C", workspace.folder, "--project", "demo", "--json"],
            env=workspace.environment)
        if f'"inserted":{documents}' not in run.output.replace(" ", ""):
            sys.exit(f"bench: expected {documents} documents, got:\n{run.output}")
        self.rates[parts].append(documents / run.seconds)
        if parts > 1:
            self.megabytes[parts] = max(self.megabytes[parts], run.megabytes)

    def add_rows(self, table, seconds):
        one = statistics.median(self.rates[1])
        for parts in (PARTS, 128):
            rate = statistics.median(self.rates[parts])
            times = rate / one
            is_met = self.megabytes[parts] < MOST_MEGABYTES
            table.add(
                f"{parts} slow streams", f"{rate:,.0f}/s", "", f"{self.megabytes[parts]:.0f} MB",
                f"one stream {one:,.0f}/s", f"{times:.1f} times, {rate / self.fast:.2f} of the fast one",
                f"< {MOST_MEGABYTES} MB",
                ("yes" if is_met else "NO") if self.documents >= FULL_DOCUMENTS else "")

    def summary(self):
        return f"streams of {PACE:,} documents a second each"
