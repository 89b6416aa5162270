"""Commands that are killed at a system call, by strace's injection of SIGKILL."""
import functools
import os

from calls import inject, positions
from stage import damage

CALLS = ("openat", "write", "pwrite64", "fsync", "rename", "unlink")
OLD = b"what the file held before\n"
# What is exported to each file.
EXPORTS = {
    "users.csv": "OnlineUsers", "users.ndjson.gz": "v_users", "users.sqlite.gz": "OnlineUsers",
    "users.parquet": "OnlineUsers", "users.sqlite": "OnlineUsers"}


def cases(stage, bounded):
    """Kills all along the way, or, bounded, at a few of the calls that matter most."""
    yield from along(stage, "inspect --write", inspection, bounded)
    for name in list(EXPORTS)[::2] if bounded else EXPORTS:
        work = functools.partial(export, name=name)
        yield from along(stage, f"export to {name}", work, bounded)


def along(stage, command, work, bounded):
    for call in ("write", "rename") if bounded else CALLS:
        for part in (0.5, 1) if bounded else (0, 0.2, 0.4, 0.6, 0.8, 0.9, 1):
            yield (f"{command} killed at {call}, {part:.0%} of the way",
                   functools.partial(work, stage, call=call, part=part))


def kill(stage, arguments, call, when):
    """Runs the command, which is killed there; why it ended otherwise, or None."""
    ended = stage.run(arguments, before=inject(call, when, "signal=KILL"))
    # Threads may share the calls in another way than before: then nothing is killed.
    return None if ended.status in (0, -9, 137) else f"status {ended.status}: {ended.errors[-200:]}"


def leftovers(folder):
    left = [name for name in os.listdir(folder) if ".tmp" in name]
    return f"left behind: {left}" if left else None


def read(path):
    if not os.path.exists(path):
        return None
    with open(path, "rb") as file:
        return file.read()


def export(stage, name, call, part):
    """The file is the old one or the new one, and the next export leaves nothing else."""
    workspace = stage.workspace(filled=True)
    folder = os.path.join(workspace, "exports")
    os.makedirs(folder)
    path = os.path.join(folder, name)
    words = ["export", EXPORTS[name], "-C", workspace, "--to", path]
    count = positions(stage, words, call)
    expected = read(path)
    for before in (OLD, None):
        os.remove(path)
        if before:
            with open(path, "wb") as file:
                file.write(before)
        fault = kill(stage, words, call, max(1, round(count * part)))
        if not fault and read(path) not in (before, expected):
            fault = "the file is neither the old nor the new one"
        if not fault:
            again = stage.run(words)
            if again.status != 0 or read(path) != expected:
                fault = f"the next export: status {again.status}: {again.errors.strip()[-200:]}"
        fault = fault or leftovers(folder) or damage(workspace)
        if fault:
            return fault
    return None


def drafts(workspace):
    folder = os.path.join(workspace, "jobs")
    return {name: read(os.path.join(folder, name)) for name in os.listdir(folder)}


def inspection(stage, call, part):
    """Each drafted file is whole or absent, and the next inspection drafts the others."""
    workspace, undisturbed = (stage.workspace(filled=True) for _ in range(2))
    words = ["inspect", "--write", "-C"]
    count = positions(stage, [*words, undisturbed], call)
    expected = drafts(undisturbed)
    fault = kill(stage, [*words, workspace], call, max(1, round(count * part)))
    if fault:
        return fault
    for name, text in drafts(workspace).items():
        if not name.startswith(".") and text != expected.get(name):
            return f"jobs/{name} is not whole"
    again = stage.run([*words, workspace])
    if again.status != 0 or drafts(workspace) != expected:
        return (f"the next inspection: status {again.status}: {sorted(drafts(workspace))}: "
                f"{again.errors.strip()[-200:]}")
    return damage(workspace)
