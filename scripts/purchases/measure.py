#!/usr/bin/env python3
"""Measures imports of purchases against sqlite3's .import of the same rows, in turns (docs/purchases.md#proof).

The rows are those of a ledger, as RevenueCat's events and as its export. sqlite3 imports what the program has stored, as
CSV, into an empty table of the same declaration with its indexes. Times are seconds on the clock and of CPU, user and
system; memory is the peak of the program alone. Example:

  measure.py --program .build/release/firetally --rows 1000000
"""
import argparse
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import forms  # noqa: E402
from ledger import NOW, PAYMENTS, ledger  # noqa: E402

FORMS = "events", "export"
AT = NOW.strftime("%Y-%m-%dT%H:%M:%SZ")


def measured(*command):
    """Seconds, CPU seconds and the peak of resident memory in MB of one command."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command[0]} ended with {process.returncode}")
    return time.monotonic() - start, used.ru_utime + used.ru_stime, used.ru_maxrss // 1024


def write(count, folder):
    """Writes the rows of a ledger in each form."""
    rows = ledger(count // 6 + 1, 7)[:count]
    (folder / "events").write_text(forms.lines(rows))
    (folder / "export").write_text(forms.export([one for one in rows if one.kind in PAYMENTS]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=".build/release/firetally")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--write", metavar="FOLDER", help="only writes the files that are imported")
    arguments = parser.parse_args()
    if arguments.write:
        return write(arguments.rows, pathlib.Path(arguments.write))
    program = os.path.abspath(arguments.program)
    with tempfile.TemporaryDirectory(prefix="purchases-") as scratch:
        bare = pathlib.Path(scratch, "bare")
        subprocess.run([program, "init", bare, "--plain", "--quiet", "--now", AT], check=True)
        (bare / "jobs" / "purchases.yml").write_text("kind: import-purchases\nfiles: [in/*]\n")
        (bare / "in").mkdir()
        # A process of its own, since a child's peak of memory begins with that of its parent.
        subprocess.run([sys.executable, __file__, "--rows", str(arguments.rows), "--write", scratch], check=True)
        for turn in range(arguments.turns):
            for name in FORMS:
                folder = pathlib.Path(scratch, "work")
                shutil.rmtree(folder, ignore_errors=True)
                shutil.copytree(bare, folder)
                shutil.copy(pathlib.Path(scratch, name), folder / "in")
                ours = measured(program, "run", "purchases", "-C", folder, "--quiet", "--now", AT)
                stored = folder / "data" / "firetally.sqlite"
                with sqlite3.connect(stored) as database:
                    made = [sql for sql, in database.execute(
                        "SELECT sql FROM sqlite_schema WHERE tbl_name = 'purchases' AND sql IS NOT NULL AND type <> 'trigger'")]
                    count = database.execute("SELECT count(*) FROM purchases").fetchone()[0]
                values = pathlib.Path(scratch, "rows.csv")
                with open(values, "w") as out:
                    subprocess.run(["sqlite3", "-csv", stored, "SELECT * FROM purchases"], check=True, stdout=out)
                other = pathlib.Path(scratch, "other.sqlite")
                other.unlink(missing_ok=True)
                with sqlite3.connect(other) as database:
                    for sql in made:
                        # An empty field is no number of a STRICT table.
                        database.execute(sql.replace(" STRICT", ""))
                theirs = measured("sqlite3", other, f".import --csv {values} purchases")
                print(f"turn {turn + 1}: {name}, {count:,} rows: firetally {ours[0]:.2f} s ({ours[1]:.2f} s of CPU, "
                      f"{ours[2]} MB), sqlite3 {theirs[0]:.2f} s ({theirs[1]:.2f} s of CPU): "
                      f"{theirs[0] / ours[0]:.2f} times as fast, {theirs[1] / ours[1]:.2f} by CPU", flush=True)


if __name__ == "__main__":
    main()
