"""Kills loads of an export, and loads of its documents into a server, with SIGKILL at moments of all their time.

A killed load of an export has stored all or nothing. A killed load into a server goes on, and in the end each document
is there once, with the values of the source, and was never written twice.
"""
import os
import random
import signal
import sqlite3
import subprocess
import time

import firestore_server
import strange_documents

JOB = "kind: sync-collection\ncollection: Users\n"
# Kills are spread over this share of the time of an undisturbed run.
SPREAD = 1.05


def killed(command, environment, pause, log):
    """Whether the command was still running after the pause."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                               env={**os.environ, **environment}, start_new_session=True)
    try:
        process.wait(pause)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return True
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    return False


class Kills:
    def __init__(self, check, folder, export, expected, own, log, seed):
        self.check, self.folder, self.export, self.expected = check, folder, export, expected
        self.own, self.log, self.random, self.workspaces = own, log, random.Random(seed), 0

    def pauses(self, took, count):
        """Moments in each of so many parts of the time, in any order, again and again."""
        while True:
            moments = [took * SPREAD * (part + self.random.random()) / count for part in range(count)]
            self.random.shuffle(moments)
            yield from moments

    def workspace(self):
        self.workspaces += 1
        path = os.path.join(self.folder, f"kills-{self.workspaces}")
        self.check.run("init", "-C", path, "--plain")
        with open(os.path.join(path, "jobs/users.yml"), "w", encoding="utf-8") as job:
            job.write(JOB)
        return path

    @staticmethod
    def rows(workspace):
        path = f"{workspace}/data/firetally.sqlite"
        if not os.path.exists(path):
            return 0
        with sqlite3.connect(path) as database:
            if not database.execute("SELECT 1 FROM sqlite_schema WHERE name = 'Users'").fetchone():
                return 0
            return database.execute("SELECT count(*) FROM Users").fetchone()[0]

    def imports(self, count):
        command = [self.check.program, "-C", self.workspace(), "run", "users", "--from", self.export]
        start = time.monotonic()
        killed(command, {}, 600, self.log)
        moments = self.pauses(time.monotonic() - start, count)
        command[2] = self.workspace()
        halves, ended, kills = 0, 0, 0
        while kills < count:
            kills += killed(command, {}, next(moments), self.log)
            rows = self.rows(command[2])
            halves += rows not in (0, len(self.expected))
            if rows == len(self.expected):
                ended += 1
                command[2] = self.workspace()
        killed(command, {}, 600, self.log)
        found = self.check.stored(command[2], {"Users": "Users"})
        self.check.compare(f"a load of an export after {kills} kills, {ended} times whole", self.expected,
                           self.check.canonical(found))
        if halves:
            self.check.fail(f"{halves} kills left a part of an export")

    def loads(self, count):
        workspace = self.workspace()
        number = 0

        def load(pause):
            return killed([self.check.program, "-C", workspace, "load", self.export, "--to", f"kills-{number}"],
                          {"FIRESTORE_EMULATOR_HOST": self.own}, pause, self.log)

        def compare(kills):
            project = f"kills-{number}"
            whole = firestore_server.Server(self.own, project).whole_documents()
            self.check.compare(f"a load into a server after {kills} kills", self.expected, self.check.canonical(
                {path: document.get("fields", {}) for path, document in whole.items()}))
            twice = [path for path, document in whole.items() if document["createTime"] != document["updateTime"]]
            if twice:
                self.check.fail(f"{len(twice)} documents were written twice, such as {twice[0]}")

        start = time.monotonic()
        load(600)
        moments = self.pauses(time.monotonic() - start, count)
        number, kills, total = 1, 0, 0
        while total < count:
            if load(next(moments)):
                kills, total = kills + 1, total + 1
                continue
            compare(kills)
            number, kills = number + 1, 0
        load(600)
        compare(kills)
        print(f"loads into a server: {total} kills in all")


def run(check, folder, count, documents, seed, log):
    """Half of the kills hit loads of an export, the others loads into a server."""
    port = firestore_server.free_port()
    export = os.path.join(folder, "kills-export")
    plain = list(strange_documents.plain(documents, seed))
    with firestore_server.Process(
            [check.program, "emulator", "--users", "0", "--export", export, "--port", str(port), "--project", "kills"],
            port, log) as own:
        firestore_server.Server(own.address, "kills").write(plain)
        own.process.send_signal(signal.SIGTERM)
        own.process.wait(600)
    with firestore_server.Process(
            [check.program, "emulator", "--users", "0", "--port", str(port)], port, log) as own:
        kills = Kills(check, folder, export, check.canonical(dict(plain)), own.address, log, seed)
        kills.imports(count // 2)
        kills.loads(count - count // 2)
