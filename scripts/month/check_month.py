#!/usr/bin/env python3
"""Thirty days of cron against the embedded Firestore: what goes wrong is told once, and rightly.

Every tick starts `firetally run JOB --now …` as the lines of a crontab do, and what it prints on
standard error, and in the second half of the month to `notify`, is a mail. The days have an outage,
a held lock, a bad document, a broken job file, a broken firetally.yml, a job that nothing starts, a
full disk, a machine that sleeps, a clock that is wrong, a clock that is set back, and the end of
summer time. docs/testing.md#a-month says what is demanded.
"""
import argparse
import contextlib
import datetime
import fcntl
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
import zoneinfo

MOST_MESSAGES = 25
PROJECT = "month"
ZONE = "Europe/Berlin"
# Thirty days around the end of summer time, 25 October 2026, 03:00.
BEGINNING = datetime.datetime(2026, 10, 10, 0, 0)
SPRING = datetime.datetime(2027, 3, 27, 0, 0)

CONFIGURATION = f"""app: {{name: Shop, bundle_id: com.example.shop}}
firestore: {{project: {PROJECT}}}
time_zone: {ZONE}
"""
# From this day on a command is told, and standard error has only what it cannot be.
NOTIFIED = 16.5


class Incident:
    """What is planned to go wrong: in days from the beginning, and what a message of it says."""

    def __init__(self, name, kind, start, end, pattern):
        self.name, self.kind, self.start, self.end = name, kind, start, end
        self.pattern = re.compile(pattern)
        self.messages = []


def plan():
    return [
        Incident("outage", "server", 2.0, 2.75, r"orders|customers|Firestore"),
        Incident("lock", "lock", 4.0, 4.75, r"holds the workspace|locked|free again"),
        Incident("bad document", "partial", 6.0, 8.25, r"[Pp]artial|Left empty"),
        Incident("broken job file", "file", 7.0, 7.75, r"customers"),
        Incident("full disk", "disk", 10.0, 11.25, r"full|recorded again"),
        Incident("sleep", "gap", 13.0, 16.0, r"No job was started"),
        Incident("broken firetally.yml", "configuration", 18.0, 18.75, r"firetally.yml|configuration"),
        Incident("job without a line", "late", 20.0, 21.0, r"customers was|started again"),
        # The clock is two days ahead once; these runs count when their time comes.
        Incident("wrong clock", "clock", 23.0, 25.0, r"No job was started|clock was wrong|future"),
        # A day back for six hours; what runs in them is dated before.
        Incident("clock set back", "clock", 26.0, 26.25, r"No job was started|clock was wrong|future"),
    ]


class Busy(http.server.BaseHTTPRequestHandler):
    """A gateway before a server in trouble asks to be left alone for an hour, so that nobody waits here."""

    def answer(self):
        self.send_response(503)
        self.send_header("Retry-After", "3600")
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_POST = do_PATCH = answer

    def log_message(self, *_):
        pass


class Stage:
    """A workspace, the servers, and a clock that is told to the program."""

    def __init__(self, program, folder, every):
        self.program, self.folder, self.every = program, folder, every
        self.workspace = os.path.join(folder, "shop")
        self.told = tempfile.NamedTemporaryFile("r", prefix="told-")
        self.ticks = 0
        self.mails, self.doubled, self.notices = [], [], 0
        self.skipped = None
        self.emulator = subprocess.Popen(
            [program, "emulator", "--port", "0", "--users", "0", "--project", PROJECT],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = self.emulator.stdout.readline()
        self.address = re.search(r"(?:127\.0\.0\.1|localhost):\d+", line).group()
        threading.Thread(target=self.emulator.stdout.read, daemon=True).start()
        self.trouble = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Busy)
        threading.Thread(target=self.trouble.serve_forever, daemon=True).start()
        self.is_out = False

    def close(self):
        self.emulator.terminate()
        self.trouble.shutdown()

    def document(self, path, total):
        body = json.dumps({"fields": {"total": total, "name": {"stringValue": path}}}).encode()
        request = urllib.request.Request(
            f"http://{self.address}/v1/projects/{PROJECT}/databases/(default)/documents/{path}",
            body, {"Content-Type": "application/json", "Authorization": "Bearer owner"},
            method="PATCH")
        urllib.request.urlopen(request).read()

    @property
    def notified(self):
        return f"{CONFIGURATION}notify: cat >> {self.told.name}\n"

    def write(self, path, text):
        with open(os.path.join(self.workspace, path), "w") as file:
            file.write(text)

    def job(self, name):
        self.write(f"jobs/{name}.yml", self.jobs[name][1])

    def prepare(self):
        for folder in ("jobs", "data", "output"):
            os.makedirs(os.path.join(self.workspace, folder), exist_ok=True)
        self.write("firetally.yml", CONFIGURATION)
        minutes, hours = (f"*/{self.every}", "*") if self.every < 60 else (
            "0", "*" if self.every == 60 else f"*/{self.every // 60}")
        often = f"{minutes} {hours} * * *"
        columns = "columns: {total: total REAL, name: name TEXT}\n"
        self.jobs = {
            "orders": (often, f"kind: sync-collection\ncollection: Orders\n{columns}"),
            "customers": (often, f"kind: sync-collection\ncollection: Customers\n{columns}"),
            "settle": ("0 0 * * *", "kind: settle\n"),
            "office": (f"{minutes if self.every < 60 else 0} 6-18/{max(1, self.every // 60)} * * *",
                       "kind: settle\n"),
            # Nothing ever starts it.
            "spare": ("*/5 * * * *", "kind: settle\n"),
        }
        for name, (schedule, text) in self.jobs.items():
            self.jobs[name] = (schedule, f"{text}schedule: '{schedule}'\n")
            self.job(name)
        for collection in ("Orders", "Customers"):
            for number in range(3):
                self.document(f"{collection}/{number}", {"doubleValue": number + 0.5})

    def run(self, job, now, wall):
        """What cron starts at an instant; what is printed is a mail."""
        host = f"127.0.0.1:{self.trouble.server_port}" if self.is_out else self.address
        ended = subprocess.run(
            [self.program, "-C", self.workspace, "--now", now.isoformat().replace("+00:00", "Z"),
             "run", job, "--lock-wait", "0"],
            env={**os.environ, "FIRESTORE_EMULATOR_HOST": host},
            stdin=subprocess.DEVNULL, capture_output=True, text=True)
        self.ticks += 1
        told = self.told.read()
        self.notices += bool(told)
        said = (ended.stdout + ended.stderr + told).strip()
        if said:
            self.mails.append((wall, job, said))
        if ended.stderr and told and "firetally.yml" not in said and "disk" not in said:
            self.doubled.append(f"day {wall:.2f}: {job} printed what notify was told: {said}")
        return ended.returncode


@contextlib.contextmanager
def small_disk(folder):
    """A file system of 64 MiB in the folder; yields whether there is one."""
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", folder], capture_output=True)
    try:
        yield made.returncode == 0
    finally:
        if made.returncode == 0:
            subprocess.run(["umount", "-l", folder], check=False)


def starts(stage, beginning, days):
    """The starts of a crontab: (local time, instant, jobs), each wall-clock time as cron has it."""
    zone = zoneinfo.ZoneInfo(ZONE)
    instant = beginning.replace(tzinfo=zone).astimezone(datetime.timezone.utc)
    end = (beginning + datetime.timedelta(days=days)).replace(tzinfo=zone)
    step = datetime.timedelta(minutes=min(stage.every, 60))
    daily = None
    while instant < end.astimezone(datetime.timezone.utc):
        local = instant.astimezone(zone)
        jobs = []
        if (local.hour * 60 + local.minute) % stage.every == 0:
            jobs += ["orders", "customers"]
            if 6 <= local.hour <= 18:
                jobs.append("office")
        if local.hour == 0 and local.minute == 0 and daily != local.date():
            daily = local.date()
            jobs.append("settle")
        if jobs:
            yield local, instant, jobs
        instant += step


def month(stage, incidents):
    beginning = BEGINNING.replace(tzinfo=zoneinfo.ZoneInfo(ZONE)).astimezone(datetime.timezone.utc)
    by_name = {incident.name: incident for incident in incidents}
    states, lock, ballast = {}, None, os.path.join(stage.folder, "ballast")
    for _, instant, jobs in starts(stage, BEGINNING, 30):
        day = (instant - beginning).total_seconds() / 86400

        def during(name):
            incident = by_name.get(name)
            return incident is not None and incident.start <= day < incident.end

        def turned(name):
            before, states[name] = states.get(name, False), during(name)
            return states[name] != before

        if turned("outage"):
            stage.is_out = states["outage"]
        if turned("lock"):
            if states["lock"]:
                lock = open(os.path.join(stage.workspace, "data/firetally.lock"), "a")
                fcntl.flock(lock, fcntl.LOCK_EX)
            else:
                lock.close()
        if turned("bad document"):
            bad = {"stringValue": "free"} if states["bad document"] else {"doubleValue": 1.5}
            stage.document("Orders/1", bad)
        if turned("broken job file"):
            if states["broken job file"]:
                stage.write("jobs/customers.yml", "kind: sync-colection\n")
            else:
                stage.job("customers")
        if turned("full disk"):
            fill(ballast) if states["full disk"] else os.remove(ballast)
        right = stage.notified if day >= NOTIFIED else CONFIGURATION
        if turned("broken firetally.yml"):
            stage.write("firetally.yml", "app: [\n" if states["broken firetally.yml"] else right)
        elif day >= NOTIFIED and not states.get("notified"):
            states["notified"] = True
            stage.write("firetally.yml", right)
        if during("sleep"):
            continue
        ahead = by_name["wrong clock"]
        is_wrong = ahead.start <= day < ahead.start + stage.every / 1440
        days = 2 if is_wrong else -1 if during("clock set back") else 0
        now = instant + datetime.timedelta(days=days)
        for job in jobs:
            if job == "customers" and during("job without a line"):
                continue
            stage.run(job, now, day)


def fill(path):
    """Takes all that the disk has left."""
    with open(path, "wb", buffering=0) as file:
        for size in (1 << 20, 4096, 1):
            try:
                while True:
                    file.write(b"\0" * size)
            except OSError:
                continue


def judge(stage, incidents):
    """The faults: a message of nothing, an incident that nobody heard of in time, too many."""
    faults = list(stage.doubled)
    if not stage.notices:
        faults.append("notify was told nothing")
    grace = 2 * stage.every / 1440 + 1e-9
    for day, job, said in stage.mails:
        fitting = [one for one in incidents
                   if one.start <= day <= one.end + grace and one.pattern.search(said)]
        if fitting:
            fitting[0].messages.append((day, said))
        else:
            faults.append(f"day {day:.2f}: {job} told of nothing that was planned: {said}")
    for one in incidents:
        if not one.messages:
            faults.append(f"nobody was told of {one.name}")
            continue
        first, last = one.messages[0][0], one.messages[-1][0]
        known = one.end if one.kind == "gap" else one.start
        if first > known + grace:
            faults.append(f"{one.name} began on day {known:.2f} and was told on day {first:.2f}")
        if last < one.end - 1e-9:
            faults.append(f"nobody was told that {one.name} is over")
        # Its beginning, its end, and each day between them; a clock is first taken for a sleep.
        most = 2 + int(one.end - one.start) + (1 if one.kind == "clock" else 0)
        if len(one.messages) > most:
            faults.append(f"{one.name} was told {len(one.messages)} times, at most {most} would do")
    if len(stage.mails) > MOST_MESSAGES:
        faults.append(f"{len(stage.mails)} messages, at most {MOST_MESSAGES}")
    return faults


def ledger(stage, incidents, now):
    """What `firetally incidents` has must be what was planned."""
    listed = subprocess.run(
        [stage.program, "-C", stage.workspace, "--now", now, "incidents", "--json", "--limit", "100"],
        capture_output=True, text=True, check=True)
    rows = [json.loads(line) for line in listed.stdout.splitlines()]
    faults = [f"open at the end: {row['sentence']}" for row in rows if row["endedAt"] is None]
    missing = {one.kind for one in incidents} - {row["kind"] for row in rows}
    return faults + [f"the ledger has no incident of kind {kind}" for kind in sorted(missing)]


def spring(program, folder, every):
    """Two days around the beginning of summer time: nothing is told."""
    stage = Stage(program, folder, every)
    try:
        stage.prepare()
        for _, instant, jobs in starts(stage, SPRING, 2):
            for job in jobs:
                stage.run(job, instant, 0)
        return [f"summer time: {said}" for _, _, said in stage.mails]
    finally:
        stage.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=".build/debug/firetally")
    parser.add_argument("--bounded", action="store_true", help="a start every six hours")
    parser.add_argument("--verbose", action="store_true", help="print every message")
    options = parser.parse_args()
    program, every = os.path.abspath(options.program), 360 if options.bounded else 60
    began = time.monotonic()
    incidents = plan()
    with tempfile.TemporaryDirectory() as other:
        faults = spring(program, other, every // 2)
    with tempfile.TemporaryDirectory() as folder, small_disk(folder) as has_disk:
        if not has_disk:
            print("check-month: no file system can be mounted here, so no disk is full.")
            incidents = [one for one in incidents if one.name != "full disk"]
        stage = Stage(program, folder, every)
        try:
            stage.prepare()
            month(stage, incidents)
            end = BEGINNING + datetime.timedelta(days=30)
            faults += judge(stage, incidents)
            faults += ledger(stage, incidents, f"{end.isoformat()}Z")
        finally:
            stage.close()
    for one in incidents:
        print(f"{one.name:22} {len(one.messages)} messages, days "
              + ", ".join(f"{day:.2f}" for day, _ in one.messages))
        if options.verbose:
            for _, said in one.messages:
                print("    " + said.replace("\n", "\n    "))
    print(f"check-month: {stage.ticks} starts in 30 days, {len(stage.mails)} messages, "
          f"{len(faults)} faults, {time.monotonic() - began:.0f} s.")
    for fault in faults:
        print(f"FAULT {fault}")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
