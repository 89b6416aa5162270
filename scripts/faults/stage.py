"""A server, workspaces, and the built program run in them under faults."""
import itertools
import os
import shutil
import sqlite3
import subprocess
import time


class Stage:
    """What the cases of one sweep share: a seeded server and a folder of workspaces."""

    def __init__(self, program, folder, port):
        self.program = os.path.abspath(program)
        self.folder = folder
        self.numbers = itertools.count(1)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        address = f"127.0.0.1:{port}"
        self.environment = {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": "/nonexistent",
            "FIRESTORE_EMULATOR_HOST": address, "GOOGLE_CLOUD_PROJECT": "demo",
            # A crash is what we look for; its picture would take seconds.
            "SWIFT_BACKTRACE": "enable=no"}
        self.server = subprocess.Popen(
            [self.program, "emulator", "--port", str(port), "--users", "40", "--seed", "7"],
            stdout=subprocess.PIPE, text=True, env=self.environment)
        if not self.server.stdout.readline():
            raise SystemExit(f"check-faults: the server could not listen on {address}")

    def close(self):
        self.server.terminate()
        self.server.wait()

    def file(self, name):
        """The path of a new file, whichever case asks."""
        return os.path.join(self.folder, f"{name}{next(self.numbers)}")

    def workspace(self, filled=False):
        """A new workspace; with a database when it is to be filled."""
        path = self.file("w")
        if not filled:
            self.run(["init", path])
            return path
        pattern = os.path.join(self.folder, "filled")
        if not os.path.isdir(pattern):
            self.run(["init", pattern])
            self.run(["run", "--all", "-C", pattern])
        shutil.copytree(pattern, path)
        return path

    def run(self, arguments, before=(), shell=None, seconds=60):
        """Status and standard error; `before` is put in front, `shell` follows the words in a shell."""
        words = [*before, self.program, *arguments]
        if shell is not None:
            words = ["bash", "-c", f'"$0" "$@" {shell}', *words]
        started = time.monotonic()
        try:
            done = subprocess.run(
                words, capture_output=True, text=True, errors="replace", env=self.environment,
                stdin=subprocess.DEVNULL, timeout=seconds)
        except subprocess.TimeoutExpired:
            return Outcome(-1, "", f"still running after {seconds} s", seconds)
        return Outcome(done.returncode, done.stdout, done.stderr, time.monotonic() - started)


class Outcome:
    def __init__(self, status, output, errors, seconds):
        self.status, self.output, self.errors, self.seconds = status, output, errors, seconds

    def crash(self):
        """Why this ending is none that the program chose; None when it chose it."""
        if self.status < 0 or self.status > 128 and self.status != 130:
            return f"ended with {self.status}: {self.errors.strip()[-200:]}"
        if "Fatal error" in self.errors or "NSCocoaErrorDomain" in self.errors:
            return self.errors.strip()[-200:]
        return None

    def silence(self):
        """Why a failure was not told; None when it was, or there is none."""
        if self.status in (0, 3) or self.errors.strip():
            return None
        return f"status {self.status} without a word"


def database(workspace):
    return os.path.join(workspace, "data", "firetally.sqlite")


def damage(workspace):
    """What is wrong with a workspace's database; None when it is whole or not there."""
    path = database(workspace)
    if not os.path.exists(path):
        return None
    try:
        connection = sqlite3.connect(path)
        try:
            found = connection.execute("PRAGMA integrity_check").fetchone()[0]
            tables = connection.execute(
                "SELECT count(*) FROM sqlite_schema WHERE name = 'sync_runs'").fetchone()[0]
        finally:
            connection.close()
    except sqlite3.Error as error:
        return f"database: {error}"
    if found != "ok":
        return f"database: {found}"
    return None if tables else "database: it has no tables"
