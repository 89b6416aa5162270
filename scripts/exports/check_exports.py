#!/usr/bin/env python3
"""Hold managed exports against Google's emulator, in both directions: docs/testing.md#exports.

Writes invented documents into Google's emulator, strange ones of every kind and plain ones, and compares value by
value what comes back: loaded into tables from its export, served by the embedded server, exported by that and imported
by Google's again, and written by `firetally load`. With --speed it also times a load of an export against one of the
same documents over loopback REST; that wants an optimised build.
"""
import argparse
import json
import os
import pathlib
import resource
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time

import firestore_server
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
        found = {}
        with sqlite3.connect(f"{workspace}/data/firetally.sqlite") as database:
            for number in range(len(ids)):
                for path, document in database.execute(f"SELECT document_path, document FROM T{number}"):
                    found[path] = json.loads(document).get("fields", {})
        return found

    def compare_all(self, folder, google, project, documents, log):
        server = firestore_server.Server(google.address, project)
        server.write(documents)
        there = server.documents()
        expected = canonical_all(there)
        export = server.export(folder, project)
        workspace = os.path.join(folder, f"ws-{project}")
        self.run("init", "-C", workspace)
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
                    self.run("init", "-C", workspace)
                    pathlib.Path(workspace, "jobs/users.yml").write_text(
                        "kind: sync-collection\ncollection: Users\n", encoding="utf-8")
                    before = resource.getrusage(resource.RUSAGE_CHILDREN)
                    start = time.monotonic()
                    self.run("-C", workspace, "run", "users", *arguments, environment={
                        "FIRESTORE_EMULATOR_HOST": own.address, "GOOGLE_CLOUD_PROJECT": "speed"})
                    took = time.monotonic() - start
                    used = resource.getrusage(resource.RUSAGE_CHILDREN)
                    cpu = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
                    print(f"{count} documents, {name}: {took:.2f} s, {cpu:.2f} s CPU, "
                          f"at most {used.ru_maxrss // 1024} MB of any run so far")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / ".build/debug/firetally"))
    parser.add_argument("--bounded", action="store_true", help="300 strange and 2,000 plain documents")
    parser.add_argument("--strange", type=int, default=1052)
    parser.add_argument("--plain", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--speed", type=int, metavar="COUNT", help="times loads of so many documents")
    options = parser.parse_args()
    if options.bounded:
        options.strange, options.plain = 300, 2_000
    check = Check(options.program)
    with tempfile.TemporaryDirectory(prefix="firetally-exports-") as folder, \
            open(os.path.join(folder, "log"), "wb") as log:
        if options.speed:
            check.speed(folder, options.speed, log)
        elif not os.path.exists(firestore_server.JAR):
            print("Google's emulator is not here: apt-get install google-cloud-cli-firestore-emulator")
        else:
            with firestore_server.google(log) as google:
                print(f"seed {options.seed}")
                check.compare_all(folder, google, "strange", strange_documents.strange(
                    "strange", options.strange, options.seed), log)
                check.compare_all(folder, google, "plain", strange_documents.plain(options.plain, options.seed), log)
    sys.exit(1 if check.failures else 0)


if __name__ == "__main__":
    main()
