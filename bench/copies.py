"""The rows of bench/run about collections: documents with child rows, and an inspection."""
import json
import os
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FULL_DOCUMENTS = 100_000
MOST_MEGABYTES = 80
INSPECTED = 1_000
JOB = """\
kind: sync-collection
collection: Users
table: Orders
page_size: 1000
columns: {total: total REAL, city: city TEXT}
explode:
  items: {columns: {sku: sku TEXT, qty: qty INTEGER}}
"""


def pages(cache, documents):
    """The folder with the pages, made once for each number of documents."""
    folder = os.path.join(cache, f"elements-{documents}")
    if not os.path.isdir(folder):
        unfinished = folder + ".part"
        subprocess.run(
            [sys.executable, os.path.join(HERE, "make_elements.py"), unfinished, "--documents",
             str(documents)], check=True)
        os.rename(unfinished, folder)
    return folder


class Elements:
    """A first load of documents with ten child rows each, beside SQLite's own limit."""

    def __init__(self, firetally, limit, folder, measurement, workspace, pages, documents):
        self.firetally = firetally
        self.limit = limit
        self.measurement = measurement
        self.workspace = workspace
        self.pages = pages
        self.documents = documents
        self.database = os.path.join(folder, "elements.sqlite")
        with open(os.path.join(workspace.folder, "jobs", "orders.yml"), "w") as file:
            file.write(JOB)
        self.ours = []
        self.theirs = []

    def run(self):
        self.workspace.remove_database()
        run = self.measurement(
            [self.firetally, "run", "orders", "-C", self.workspace.folder, "--project", "demo",
             "--json"], env=self.workspace.environment)
        if f'"inserted":{self.documents}' not in run.output.replace(" ", ""):
            sys.exit(f"bench: expected {self.documents} documents, got:\n{run.output}")
        self.ours.append(run)
        limit = self.measurement([self.limit, self.pages, self.database, "elements"])
        os.remove(self.database)
        self.theirs.append(json.loads(limit.output)["total"])

    def add_rows(self, table, seconds):
        taken = statistics.median(run.seconds for run in self.ours)
        theirs = statistics.median(self.theirs)
        megabytes = max(run.megabytes for run in self.ours)
        ratio = theirs / taken
        is_met = megabytes < MOST_MEGABYTES
        table.add(
            "10 child rows each", seconds(taken),
            seconds(statistics.median(run.cpu for run in self.ours)), f"{megabytes:.0f} MB",
            f"SQLite's limit {seconds(theirs)}", f"{ratio:.2f} of it",
            f"< {MOST_MEGABYTES} MB",
            ("yes" if is_met else "NO") if self.documents >= FULL_DOCUMENTS else "")

    def summary(self):
        return f"{self.documents:,} documents with ten child rows each"


class Inspect:
    """An inspection that samples a thousand documents of the embedded Firestore."""

    def __init__(self, firetally, measurement, workspace):
        self.firetally = firetally
        self.measurement = measurement
        self.workspace = workspace
        self.server = None
        self.ours = []

    def run(self):
        server = subprocess.Popen(
            [self.firetally, "emulator", "--port", "0", "--users", str(INSPECTED)],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            address = self.address(server)
            self.ours.append(self.measurement(
                [self.firetally, "inspect", "Users", "--sample", str(INSPECTED), "-C",
                 self.workspace.folder, "--project", "demo", "--json"],
                env={**self.workspace.environment, "FIRESTORE_EMULATOR_HOST": address}))
        finally:
            server.terminate()
            server.wait()
        if f'"sampled":{INSPECTED}' not in self.ours[-1].output.replace(" ", ""):
            sys.exit(f"bench: expected {INSPECTED} samples, got:\n{self.ours[-1].output}")

    @staticmethod
    def address(server):
        for line in server.stdout:
            for word in line.replace("=", " ").replace("/", " ").split():
                host, _, port = word.rstrip(".").partition(":")
                if host in ("127.0.0.1", "localhost") and port.isdigit():
                    return f"{host}:{port}"
        sys.exit("bench: the emulator told no address")

    def add_rows(self, table, seconds):
        taken = statistics.median(run.seconds for run in self.ours)
        megabytes = max(run.megabytes for run in self.ours)
        is_met = megabytes < MOST_MEGABYTES
        table.add(
            f"inspect {INSPECTED:,}", seconds(taken),
            seconds(statistics.median(run.cpu for run in self.ours)), f"{megabytes:.0f} MB", "", "",
            f"< {MOST_MEGABYTES} MB", "yes" if is_met else "NO")

    def summary(self):
        return f"inspection of {INSPECTED:,} documents"
