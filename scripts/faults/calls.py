"""System calls that fail, one at a time, by strace's injection."""
import os
import re
import shutil

from stage import damage

WRITING = ("write", "pwrite64", "fsync", "fdatasync", "ftruncate", "link", "rename")
KINDS = ("openat", "write", "pwrite64", "pread64", "fsync", "fdatasync", "ftruncate", "rename",
         "unlink", "flock", "mkdir")
# The calls before these are the dynamic linker's, whose failures no program survives.
FIRST_OWN = re.compile(r'firetally\.yml|/jobs')


def missing():
    return None if shutil.which("strace") else "strace is not installed"


def cases(stage, bounded):
    yield from first_commands(stage, bounded)
    for arguments in (["run", "--all", "--force"], ["report"]):
        yield from later_commands(stage, arguments, bounded)


def first_commands(stage, bounded):
    """Every position at which the database is first made."""
    for call in WRITING:
        workspace = stage.workspace()
        count = positions(stage, ["limits", "use", "refresh", "-C", workspace], call)
        step = max(1, count // 6) if bounded else 1
        for error in ("EIO",) if bounded else ("EIO", "ENOSPC"):
            for when in range(1, count + 2, step):
                yield (f"first command, {call} {when} {error}",
                       lambda call=call, when=when, error=error: first(stage, call, when, error))


def positions(stage, arguments, call):
    """How often the command makes the call, at most in one thread."""
    trace = stage.file("trace")
    stage.run(arguments, before=["strace", "-f", "-o", trace, "-e", f"trace={call}"])
    counts = {}
    with open(trace, errors="replace") as lines:
        for line in lines:
            if f" {call}(" in line:
                thread = line.split()[0]
                counts[thread] = counts.get(thread, 0) + 1
    return max(counts.values(), default=0)


def inject(call, when, what):
    """Injects `error=EIO` or `signal=KILL` into the call that a thread makes so often."""
    return ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}",
            "-e", f"inject={call}:{what}:when={when}"]


def first(stage, call, when, error):
    workspace = stage.workspace()
    arguments = ["limits", "use", "refresh", "-C", workspace]
    ended = stage.run(arguments, before=inject(call, when, f"error={error}"))
    fault = ended.crash() or damage(workspace)
    if fault:
        return fault
    again = stage.run(arguments)
    if again.status != 0:
        return f"the next command: status {again.status}: {again.errors.strip()[-200:]}"
    left = [name for name in os.listdir(os.path.join(workspace, "data")) if ".new-" in name]
    return damage(workspace) or (f"left behind: {left}" if left else None)


def later_commands(stage, arguments, bounded):
    own = first_own_open(stage, arguments)
    for call in KINDS:
        start = own if call == "openat" else 1
        for when in range(start, start + 40, 13 if bounded else 1):
            for error in ("EIO",) if bounded else ("EIO", "ENOSPC", "EMFILE"):
                if error == "EMFILE" and call != "openat":
                    continue
                yield (f"{' '.join(arguments)}, {call} {when} {error}",
                       lambda call=call, when=when, error=error: later(
                           stage, arguments, call, when, error))


def first_own_open(stage, arguments):
    workspace = stage.workspace(filled=True)
    trace = stage.file("trace")
    stage.run([*arguments, "-C", workspace],
              before=["strace", "-f", "-o", trace, "-e", "trace=openat"])
    counts = {}
    with open(trace, errors="replace") as lines:
        for line in lines:
            if " openat(" not in line:
                continue
            thread = line.split()[0]
            counts[thread] = counts.get(thread, 0) + 1
            if workspace in line and FIRST_OWN.search(line):
                return counts[thread]
    return 1


def later(stage, arguments, call, when, error):
    workspace = stage.workspace(filled=True)
    command = [*arguments, "-C", workspace]
    ended = stage.run(command, before=inject(call, when, f"error={error}"))
    fault = ended.crash() or damage(workspace)
    # A failed write to standard error cannot be told there.
    if not fault and call != "write":
        fault = ended.silence()
    if not fault:
        again = stage.run(command)
        if again.status not in (0, 3):
            fault = f"the next run: status {again.status}: {again.errors.strip()[-200:]}"
    return fault or damage(workspace)
