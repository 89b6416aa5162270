#!/usr/bin/env python3
"""Attack the built program: docs/testing.md#faults.

Every case starts it where something fails: a stream, a system call, the disk, the limit of open
files. It must end by itself, say why, leave a whole database, and do its work the next time.
"""
import argparse
import concurrent.futures
import os
import random
import shutil
import sys
import time

sys.dont_write_bytecode = True
import calls  # noqa: E402
import confine  # noqa: E402
import kills  # noqa: E402
import streams  # noqa: E402
import surroundings  # noqa: E402
from stage import Stage  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=os.path.join(ROOT, ".build", "debug", "firetally"))
    parser.add_argument("--only", default="", help="only cases whose name contains this")
    parser.add_argument("--bounded", action="store_true", help="a sample of the cases, for CI")
    parser.add_argument("--seconds", type=float, help="begin no case after so long")
    parser.add_argument("--port", type=int, default=18_677)
    return parser.parse_args()


def collect(stage, bounded):
    """The cases that can be tried here; says what is left out."""
    found = list(streams.cases(stage, bounded)) + list(surroundings.cases(stage, bounded))
    reason = calls.missing()
    if reason:
        print(f"check-faults: failing system calls and kills are left out: {reason}")
    else:
        found += calls.cases(stage, bounded)
        found += kills.cases(stage, bounded)
    reason = confine.missing()
    if reason:
        print(f"check-faults: the systemd service is left out: {reason}")
    else:
        found += surroundings.confined_cases(stage, bounded)
    reason = surroundings.cannot_mount()
    if reason:
        print(f"check-faults: missing /proc, full disks and read-only folders are left out: {reason}")
    else:
        found += surroundings.mounted_cases(stage, bounded)
    return found


def fault(work):
    try:
        return work()
    except Exception as error:  # a fault of the check itself is one, too
        return f"{type(error).__name__}: {error}"


def attempt(case):
    """A fault is one that comes again; one that does not is printed, and fails nothing."""
    name, work = case
    first = fault(work)
    again = fault(work) if first else None
    if first and not again:
        print(f"{name}: once, and not again: {first}")
    return name, again


def main():
    arguments = parse()
    started = time.monotonic()
    stage = Stage(
        arguments.program, os.path.join(ROOT, ".build", "faults"), arguments.port)
    faults, tried = [], 0
    try:
        cases = [case for case in collect(stage, arguments.bounded) if arguments.only in case[0]]
        if arguments.seconds:
            # What there is no time for is another part each time; in CI it is always the same.
            random.Random(0 if arguments.bounded else None).shuffle(cases)
        todo = iter(cases)

        def work():
            found = []
            while not arguments.seconds or time.monotonic() - started < arguments.seconds:
                case = next(todo, None)
                if case is None:
                    break
                found.append(attempt(case))
            return found

        workers = os.cpu_count() or 1
        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            for future in [pool.submit(work) for _ in range(workers)]:
                found = future.result()
                tried += len(found)
                faults += [one for one in found if one[1]]
    finally:
        stage.close()
        shutil.rmtree(stage.folder, ignore_errors=True)
    for name, fault in sorted(faults):
        print(f"{name}: {fault}")
    seconds = time.monotonic() - started
    print(f"check-faults: {tried} of {len(cases)} cases, {len(faults)} faults, {seconds:.0f} s")
    sys.exit(1 if faults or not tried else 0)


if __name__ == "__main__":
    main()
