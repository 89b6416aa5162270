#!/usr/bin/env python3
"""confine.py UNIT COMMAND...: run a command under the system call filter of a systemd unit.

systemd itself is not asked, since most containers do not run it: `systemd-analyze` says what its
groups of calls are, and libseccomp sets the filter.
"""
import ctypes
import errno
import os
import shutil
import subprocess
import sys

ALLOW, KILL, ERROR = 0x7FFF0000, 0x80000000, 0x00050000
NO_NEW_PRIVILEGES = 38
# What systemd allows whatever a unit says: systemd.exec(5).
ALWAYS = ["@default", "execve", "exit", "exit_group", "getrlimit", "rt_sigreturn", "sigreturn"]


def missing():
    """Why no filter can be set here; None when one can."""
    if not shutil.which("systemd-analyze"):
        return "systemd-analyze is not installed"
    try:
        ctypes.CDLL("libseccomp.so.2")
    except OSError:
        return "libseccomp is not installed"
    return None


def members(name):
    """The calls of a group, and those of the groups in it; a call is itself."""
    if not name.startswith("@"):
        return {name}
    listed = subprocess.run(
        ["systemd-analyze", "syscall-filter", "--no-pager", name],
        capture_output=True, text=True, check=True).stdout.splitlines()[1:]
    words = [line.strip() for line in listed]
    return set().union(*(members(word) for word in words if word and not word.startswith("#")))


def settings(unit):
    """The allowed calls, and what any other call comes to."""
    allowed, otherwise = members("@default"), KILL
    for name in ALWAYS:
        allowed |= members(name)
    with open(unit, encoding="utf-8") as file:
        for line in file:
            key, _, value = line.strip().partition("=")
            if key == "SystemCallErrorNumber":
                otherwise = ERROR | getattr(errno, value)
            elif key == "SystemCallFilter":
                named = set().union(*(members(name) for name in value.lstrip("~").split()))
                allowed = allowed - named if value.startswith("~") else allowed | named
    return allowed, otherwise


def confine(unit):
    allowed, otherwise = settings(unit)
    library = ctypes.CDLL("libseccomp.so.2")
    library.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(otherwise)))
    for name in sorted(allowed):
        number = library.seccomp_syscall_resolve_name(name.encode())
        if number >= 0:
            library.seccomp_rule_add_array(context, ctypes.c_uint32(ALLOW), number, 0, None)
    ctypes.CDLL(None).prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    if library.seccomp_load(context) != 0:
        raise SystemExit("confine: the filter was refused")


if __name__ == "__main__":
    confine(sys.argv[1])
    os.execvp(sys.argv[2], sys.argv[2:])
