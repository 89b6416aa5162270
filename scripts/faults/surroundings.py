"""Machines that lack something: /proc, open files, disk, the right to write, sound files, calls."""
import os
import shutil
import sqlite3
import subprocess

import confine
from stage import damage, database

READING = (["status"], ["jobs"], ["users", "list", "--limit", "1"], ["limits", "show"],
           ["outbox", "list"], ["settings", "show"], ["feedback", "list"], ["profile", "show"])


# Beside this folder: the service that the Debian package installs.
UNIT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "package", "firetally@.service")


def confined_cases(stage, bounded):
    for command in (["run", "--all", "--force"], ["run", "maintain"], ["report"], ["backup"]):
        yield (f"{' '.join(command)} as the systemd service",
               lambda command=command: confined(stage, command))


def cannot_mount():
    """Why file systems cannot be mounted here; None when they can."""
    if os.geteuid() != 0:
        return "mounting needs root"
    if not shutil.which("unshare"):
        return "unshare is not installed"
    tried = subprocess.run(
        ["unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True)
    return None if tried.returncode == 0 else "mounting is not allowed here"


def cases(stage, bounded):
    for limit in (4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 28, 32, 64):
        for command in (["run", "--all"], ["status"], ["report"]):
            yield (f"{' '.join(command)} with ulimit -n {limit}",
                   lambda command=command, limit=limit: few_files(stage, command, limit))
    for command in READING:
        yield (f"{' '.join(command)} with ulimit -n 6",
               lambda command=command: reads(stage, command, 6))
    for name in ("firetally.yml", "data/firetally.sqlite", "data/firetally.lock", "output", "jobs"):
        for odd in ("folder", "file", "empty", "socketless link"):
            for command in (["run", "--all"], ["status"], ["report"]):
                yield (f"{' '.join(command)} with {name} as {odd}",
                       lambda name=name, odd=odd, command=command: odd_file(
                           stage, name, odd, command))
    yield "maintain beside a long reader", lambda: long_reader(stage)


def mounted_cases(stage, bounded):
    for command in (*READING, ["run", "--all", "--force"], ["report"]):
        yield (f"{' '.join(command)} without /proc",
               lambda command=command: without_proc(stage, command))
        yield (f"{' '.join(command)} in a read-only workspace",
               lambda command=command: read_only(stage, command))
    for size in (256, 2048) if bounded else (64, 128, 256, 512, 1024, 2048, 3072):
        yield f"first run on a disk of {size} KB", lambda size=size: small_disk(stage, size)
    for left in (0, 32) if bounded else (0, 4, 8, 16, 32, 64, 128):
        for command in (["run", "--all", "--force"], *READING):
            yield (f"{' '.join(command)} with {left} KB left",
                   lambda left=left, command=command: full_disk(stage, left, command))


def confined(stage, command):
    """The service may make few calls, and jobs need no other: they end as they do without it."""
    workspace = stage.workspace(filled=True)
    ended = stage.run([*command, "-C", workspace], before=[confine.__file__, UNIT])
    free = stage.run([*command, "-C", stage.workspace(filled=True)])
    if ended.status != free.status:
        return f"status {ended.status} instead of {free.status}: {ended.errors.strip()[-200:]}"
    return damage(workspace)


def few_files(stage, command, limit):
    workspace = stage.workspace(filled=True)
    ended = stage.run(
        [*command, "-C", workspace], before=["bash", "-c", f'ulimit -n {limit}; exec "$0" "$@"'])
    if ended.status == 127:
        # The dynamic linker itself has failed.
        return None
    return ended.crash() or ended.silence() or damage(workspace)


def reads(stage, command, limit):
    workspace = stage.workspace(filled=True)
    ended = stage.run(
        [*command, "-C", workspace], before=["bash", "-c", f'ulimit -n {limit}; exec "$0" "$@"'])
    return None if ended.status == 0 else f"status {ended.status}: {ended.errors.strip()[-200:]}"


def odd_file(stage, name, odd, command):
    workspace = stage.workspace(filled=True)
    path = os.path.join(workspace, name)
    if os.path.isdir(path):
        shutil.rmtree(path)
    elif os.path.exists(path):
        os.remove(path)
    if odd == "folder":
        os.makedirs(os.path.join(path, "within"))
    elif odd == "socketless link":
        os.symlink("/nonexistent/place", path)
    else:
        with open(path, "wb") as file:
            file.write(b"" if odd == "empty" else os.urandom(4096))
    ended = stage.run([*command, "-C", workspace])
    return ended.crash() or ended.silence()


def long_reader(stage):
    workspace = stage.workspace(filled=True)
    reader = sqlite3.connect(database(workspace), isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM OnlineUsers").fetchone()
    ended = stage.run(["run", "maintain", "-C", workspace])
    reader.close()
    if ended.status != 0:
        return f"status {ended.status}: {ended.errors.strip()[-200:]}"
    return f"took {ended.seconds:.1f} s" if ended.seconds > 4 else None


def mounted(script):
    return ["unshare", "-m", "bash", "-c", f'set -e; {script}; exec "$0" "$@"']


def without_proc(stage, command):
    workspace = stage.workspace(filled=True)
    ended = stage.run(
        [*command, "-C", workspace], before=mounted("mount -t tmpfs none /proc"))
    if "There is no /proc" not in ended.errors:
        return f"status {ended.status}: {ended.errors.strip()[-200:]}"
    return ended.crash() or damage(workspace)


def read_only(stage, command):
    workspace = stage.workspace(filled=True)
    script = f"mount --bind '{workspace}' '{workspace}'; mount -o remount,bind,ro '{workspace}'"
    ended = stage.run([*command, "-C", workspace], before=mounted(script))
    if command in READING:
        return None if ended.status == 0 else f"status {ended.status}: {ended.errors[-200:]}"
    return ended.crash() or ended.silence() or ("wrote" if ended.status == 0 else None)


def small_disk(stage, size):
    """The first run on a new, small disk, and a second one: no damage, no crash, a word."""
    workspace = stage.workspace()
    check = (f"mount -t tmpfs -o size={size}k none '{workspace}/data'")
    script = (f'{check}; "$0" "$@" || true; python3 -c "import sqlite3,sys,os; p=sys.argv[1]; '
              "sys.exit(0 if not os.path.exists(p) else sqlite3.connect(p).execute("
              "'PRAGMA integrity_check').fetchone()[0] != 'ok')\" "
              f"'{database(workspace)}' || {{ echo damaged >&2; exit 199; }}")
    ended = stage.run(["run", "--all", "-C", workspace], before=mounted(script))
    return ended.crash() or ended.silence()


def full_disk(stage, left, command):
    workspace = stage.workspace(filled=True)
    script = (f"mkdir -p '{workspace}.kept'; cp -a '{workspace}/.' '{workspace}.kept/'; "
              f"mount -t tmpfs -o size=16m none '{workspace}'; "
              f"cp -a '{workspace}.kept/.' '{workspace}/'; "
              f"dd if=/dev/zero of='{workspace}/filler' bs=1k 2>/dev/null || true; "
              f"truncate -s -{left}k '{workspace}/filler'")
    ended = stage.run([*command, "-C", workspace], before=mounted(script))
    if command in READING:
        return None if ended.status == 0 else f"status {ended.status}: {ended.errors[-200:]}"
    return ended.crash() or ended.silence()
