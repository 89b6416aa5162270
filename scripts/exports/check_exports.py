#!/usr/bin/env python3
"""Hold managed exports against Google's emulator, in both directions: docs/testing.md#exports.

Writes invented documents into Google's emulator, strange ones of every kind and plain ones, and compares value by
value what comes back: loaded into tables from its export, served by the embedded server, exported by that and imported
by Google's again, and written by `firetally load`. Kills loads (kills.py), looks for masked values (masks.py), holds
earlier versions of rows against a model (history.py), and asks other readers where they are installed (oracles.py).
With --speed it only times a load of an export against one of the same documents over loopback REST; that wants an
optimised build.
"""
import argparse
import json
import os
import pathlib
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time

import firestore_server
import history
import kills
import masks
import oracles
import strange_documents

ROOT = pathlib.Path(__file__).resolve().parents[2]
JOB = "kind: sync-collection\ncollection_group: {0}\ntable: T{1}\n"


def canonical(value):
    """A value in one form, so that equal values are equal: doubles by their bits, times to the microsecond."""
    (kind, content), = value.items()
    if kind == "doubleValue":
        return kind, "NaN" if content == "NaN" else struct.pack(">d", float(content)).hex()
    if kind == "integerValue":
        return kind, str(content)
    if kind == "timestampValue":
        whole, _, fraction = content.rstrip("Z").partition(".")
        return kind, f"{whole}.{(fraction + '000000')[:6]}"
    if kind == "geoPointValue":
        return kind, float(content.get("latitude", 0)), float(content.get("longitude", 0))
    if kind == "mapValue":
        return kind, canonical_fields(content.get("fields", {}))
    if kind == "arrayValue":
        return kind, tuple(canonical(element) for element in content.get("values", []))
    return kind, content


def canonical_fields(fields):
    return tuple(sorted((name, canonical(value)) for name, value in fields.items()))


def canonical_all(documents):
    return {path: canonical_fields(fields) for path, fields in documents.items()}


class Check:
    def __init__(self, program):
        self.program, self.failures = program, 0
        self.canonical = canonical_all

    def fail(self, what):
        self.failures += 1
        print(f"  WRONG: {what}")

    def run(self, *arguments, environment=None):
        done = subprocess.run(
            [self.program, *arguments], capture_output=True, text=True, check=False,
            env={**os.environ, **(environment or {}), "NO_COLOR": "1"})
        if done.returncode:
            raise SystemExit(f"{' '.join(arguments)} ended with {done.returncode}: {done.stderr}{done.stdout}")
        return done.stdout

    def compare(self, what, expected, found):
        different = [path for path in expected.keys() | found.keys() if expected.get(path) != found.get(path)]
        print(f"{what}: {len(expected)} documents, {len(different)} differences")
        if different:
            self.failures += 1
            path = sorted(different)[0]
            print(f"  {path}\n    {str(expected.get(path))[:500]}\n    {str(found.get(path))[:500]}")

    def tables(self, workspace, export, ids):
        """The documents that jobs of all collection ids load from an export."""
        for job in pathlib.Path(workspace, "jobs").glob("*.yml"):
            job.unlink()
        for number, name in enumerate(ids):
            pathlib.Path(workspace, f"jobs/c{number}.yml").write_text(JOB.format(name, number), encoding="utf-8")
        self.run("-C", workspace, "run", *(f"c{number}" for number in range(len(ids))), "--from", export)
        return self.stored(workspace, {f"T{number}": name for number, name in enumerate(ids)})

    @staticmethod
    def stored(workspace, tables):
        """The fields of the documents in tables."""
        found = {}
        with sqlite3.connect(f"{workspace}/data/firetally.sqlite") as database:
            for table in tables:
                for path, document in database.execute(f"SELECT document_path, document FROM {table}"):
                    found[path] = json.loads(document).get("fields", {})
        return found

    def compare_all(self, folder, google, project, documents, log):
        server = firestore_server.Server(google.address, project)
        server.write(documents)
        there = server.documents()
        expected = canonical_all(there)
        export = server.export(folder, project)
        workspace = os.path.join(folder, f"ws-{project}")
        self.run("init", "-C", workspace, "--plain")
        ids = sorted({path.split("/")[-2] for path in there})
        self.compare("an export in tables", expected, canonical_all(self.tables(workspace, export, ids)))
        target = os.path.join(folder, f"out-{project}")
        port = firestore_server.free_port()
        with firestore_server.Process(
                [self.program, "emulator", "--import", export, "--export", target, "--port", str(port),
                 "--project", project], port, log) as own:
            served = firestore_server.Server(own.address, project)
            self.compare("an export served", expected, canonical_all(served.documents()))
            own.process.send_signal(signal.SIGTERM)
            own.process.wait(120)
        with firestore_server.google(log) as other:
            importer = firestore_server.Server(other.address, project)
            importer.load(f"{target}/firestore_export/firestore_export.overall_export_metadata")
            self.compare("an export of ours in Google's", expected, canonical_all(importer.documents()))
        copy = f"copy-{project}"
        self.run("-C", workspace, "load", export, "--to", copy,
                 environment={"FIRESTORE_EMULATOR_HOST": google.address})
        loaded = firestore_server.Server(google.address, copy).documents()
        back = json.loads(json.dumps(loaded).replace(f"projects/{copy}/", f"projects/{project}/"))
        self.compare("a load into another project", expected, canonical_all(back))

    def speed(self, folder, count, log):
        """Times the same documents from an export and over REST, in turns."""
        port = firestore_server.free_port()
        export = os.path.join(folder, "speed")
        with firestore_server.Process(
                [self.program, "emulator", "--users", "0", "--export", export, "--port", str(port), "--project",
                 "speed"], port, log) as own:
            server = firestore_server.Server(own.address, "speed")
            server.write(strange_documents.plain(count, 2))
            own.process.send_signal(signal.SIGTERM)
            own.process.wait(600)
        with firestore_server.Process(
                [self.program, "emulator", "--import", export, "--port", str(port)], port, log) as own:
            time.sleep(1)
            for turn in range(3):
                for name, arguments in (("export", ["--from", export]), ("REST", [])):
                    workspace = os.path.join(folder, f"speed-{name}-{turn}")
                    self.run("init", "-C", workspace, "--plain")
                    pathlib.Path(workspace, "jobs/users.yml").write_text(
                        "kind: sync-collection\ncollection: Users\n", encoding="utf-8")
                    took, cpu, peak = self.measured(
                        "-C", workspace, "run", "users", *arguments, environment={
                            "FIRESTORE_EMULATOR_HOST": own.address, "GOOGLE_CLOUD_PROJECT": "speed"})
                    with sqlite3.connect(f"{workspace}/data/firetally.sqlite") as database:
                        rows = database.execute("SELECT count(*) FROM Users").fetchone()[0]
                    if rows != count:
                        self.fail(f"{rows} rows")
                    print(f"{count} documents, {name}: {took:.2f} s, {cpu:.2f} s CPU, at most {peak // 1024} MB",
                          flush=True)

    def measured(self, *arguments, environment):
        """Seconds, CPU seconds and the peak of resident memory in KiB of one run alone."""
        start = time.monotonic()
        process = subprocess.Popen([self.program, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   env={**os.environ, **environment, "NO_COLOR": "1"})
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"{' '.join(arguments)} ended with {process.returncode}")
        return time.monotonic() - start, used.ru_utime + used.ru_stime, used.ru_maxrss


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / ".build/debug/firetally"))
    parser.add_argument("--bounded", action="store_true", help="fewer documents, kills and changes")
    parser.add_argument("--strange", type=int, default=1052)
    parser.add_argument("--plain", type=int, default=100_000)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--changes", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--speed", type=int, metavar="COUNT", help="times loads of so many documents")
    options = parser.parse_args()
    if options.bounded:
        options.strange, options.plain, options.kills, options.changes = 300, 2_000, 12, 100
    check = Check(options.program)
    with tempfile.TemporaryDirectory(prefix="firetally-exports-") as folder, \
            open(os.path.join(folder, "log"), "wb") as log:
        if options.speed:
            check.speed(folder, options.speed, log)
        else:
            print(f"seed {options.seed}")
            kills.run(check, folder, options.kills, max(2_000, options.plain // 5), options.seed, log)
            history.run(check, folder, options.changes, options.seed, log)
            if not os.path.exists(firestore_server.JAR):
                print("Google's emulator is not here: apt-get install google-cloud-cli-firestore-emulator")
            else:
                compare_with_google(check, folder, options, log)
    sys.exit(1 if check.failures else 0)


def compare_with_google(check, folder, options, log):
    with firestore_server.google(log) as google:
        check.compare_all(folder, google, "strange", strange_documents.strange(
            "strange", options.strange, options.seed), log)
        check.compare_all(folder, google, "plain", strange_documents.plain(options.plain, options.seed), log)
        masks.run(check, folder, google, options.strange, options.seed)
        oracles.run(check, folder, google, strange_documents.strange("oracle", options.strange, options.seed))


if __name__ == "__main__":
    main()
