"""The report rows of bench/run: `firetally report` beside GoAccess on a web log of as many lines."""
import json
import os
import shutil
import statistics
import sys

import imports

FULL_USERS = 100_000
FULL_EVENTS = 1_000_000
LEAST_RATIO = 6
MOST_MEGABYTES = 80
MOST_PAGE_BYTES = 400_000
# A day after the newest event: all of them lie in the period or in the one before it.
WRITTEN_AT = "2026-01-06T12:00:00Z"
GOACCESS = ("--log-format=COMBINED", "--no-global-config", "--no-progress")


class Reports:
    """All reports in all formats of two workspaces, the smaller with a tenth of the events."""

    def __init__(self, firetally, cache, folder, measurement, arguments, workspaces):
        self.firetally = firetally
        self.measurement = measurement
        self.events = arguments.events
        self.users = min(arguments.documents, FULL_USERS)
        self.tenth = max(1, arguments.events // 10)
        self.full, self.small = (
            self.fill(workspace, cache, events)
            for workspace, events in zip(workspaces, (self.events, self.tenth)))
        self.log = self.web_log(cache) if shutil.which("goaccess") else None
        self.pages = os.path.join(folder, "goaccess")
        os.makedirs(self.pages)
        self.ours, self.fewer, self.theirs = [], [], []

    def web_log(self, cache):
        return imports.generate(cache, self.events, "web-{}.log", "make_weblog.py")

    def fill(self, workspace, cache, events):
        """Users and events into the workspace; returns its folder."""
        run = workspace.run("--json", "--now", "2026-01-05T00:00:00Z")
        if f'"inserted":{self.users},' not in run.output:
            sys.exit(f"bench: expected {self.users} users, got:\n{run.output}")
        run = self.measurement(
            [self.firetally, "events", "import", imports.generate(cache, events),
             "-C", workspace.folder, "--json"])
        if f'"added":{events},' not in run.output:
            sys.exit(f"bench: expected {events} new events, got:\n{run.output}")
        return workspace.folder

    def run(self):
        """Our reports of all events and of a tenth of them, and GoAccess's of the log."""
        self.ours.append(self.write(self.full))
        self.fewer.append(self.write(self.small))
        if not self.log:
            return
        outputs = [part for kind in ("html", "json", "csv")
                   for part in ("-o", os.path.join(self.pages, f"report.{kind}"))]
        self.theirs.append(self.measurement(["goaccess", self.log, *GOACCESS, *outputs]))

    def write(self, folder):
        run = self.measurement(
            [self.firetally, "report", "-C", folder, "--now", WRITTEN_AT, "--json"])
        output = os.path.dirname(json.loads(run.output.splitlines()[-1])["index"])
        for name in os.listdir(output):
            size = os.path.getsize(os.path.join(output, name))
            if name.endswith(".html") and size >= MOST_PAGE_BYTES:
                sys.exit(f"bench: {name} has {size:,} bytes of less than {MOST_PAGE_BYTES:,}")
        return run

    def add_rows(self, table, seconds):
        is_judged = self.events >= FULL_EVENTS and self.users >= FULL_USERS
        rows = (
            ("reports", self.ours, self.theirs, "GoAccess"),
            ("reports", self.ours, self.fewer, "ours of a tenth"))
        for label, runs, others, name in rows:
            if not others:
                continue
            taken, theirs = (
                statistics.median(run.seconds for run in both) for both in (runs, others))
            megabytes = max(run.megabytes for run in runs)
            is_tenth = others is self.fewer
            ratio = f"{taken / theirs:.1f} times its time" if is_tenth else (
                f"{theirs / taken:.1f} times as fast")
            floor = "" if is_tenth else f">= {LEAST_RATIO}, < {MOST_MEGABYTES} MB"
            is_met = theirs / taken >= LEAST_RATIO and megabytes < MOST_MEGABYTES
            memory = max(run.megabytes for run in others)
            table.add(
                label, seconds(taken), seconds(statistics.median(run.cpu for run in runs)),
                f"{megabytes:.0f} MB", f"{name} {seconds(theirs)}, {memory:.0f} MB", ratio, floor,
                ("yes" if is_met else "NO") if is_judged and not is_tenth else "")

    def summary(self):
        return f"reports of {self.users:,} users and {self.events:,} events, all formats"
