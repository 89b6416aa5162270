#!/usr/bin/env bash
# python-crontab loses "PATH = ..." and moves "1-7/2" to other days when it writes a crontab back.
#
# Expected: a program that reads a crontab, adds a job and writes it back leaves the other lines
# with their meaning. By crontab(5) spaces around the equal sign are optional.
# Seen: a variable with a space before its equal sign is no longer there, so the jobs run without
# their PATH; a variable whose line begins with a space is gone as well. Days 1-7/2 (Monday,
# Wednesday, Friday, Sunday) become */2 (Sunday, Tuesday, Thursday, Saturday), and 2-7/2 gets a
# Sunday in addition. Nothing is raised or logged. "The 1st, or a Monday" runs on one day in 2026
# by frequency_per_year(), and on 63 by cron. Write names without spaces, and days as a list
# (1,3,5,0). The days beside each line are those that cronsim takes from it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  python-crontab==3.4.0 cronsim==2.8
cat >"$folder/tab" <<'CRONTAB'
PATH = /usr/local/bin:/usr/bin:/bin
MAILTO=root
 REGION=eu
0 6 * * 1-7/2 report
0 7 * * 2-7/2 backup
0 9 1 * 1 invoice
CRONTAB
cat >"$folder/try.py" <<'PYTHON'
import importlib.metadata
import sys
from datetime import datetime

from cronsim import CronSim
from crontab import CronTab

for package in ("python-crontab", "cronsim"):
    print(package, importlib.metadata.version(package))


def days(line):
    runs = CronSim(" ".join(line.split()[:5]), datetime(2026, 2, 28, 12))
    week = [run for run in (next(runs) for _ in range(7)) if run < datetime(2026, 3, 8)]
    return " ".join(f"{run:%a}" for run in week)


def show(lines):
    for line in lines:
        print(f"  {line:36}{days(line) if line[0].isdigit() else ''}".rstrip())


print("before")
show(open(sys.argv[1]).read().splitlines())
tab = CronTab(tabfile=sys.argv[1])
tab.new(command="added").setall("30 6 * * *")
tab.write()
print("after")
show(open(sys.argv[1]).read().splitlines())
for job in tab.find_command("invoice"):
    print("days of invoice in 2026:", job.frequency_per_year(year=2026))
PYTHON
"$folder/venv/bin/python" "$folder/try.py" "$folder/tab" >"$folder/seen" 2>&1
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
python-crontab 3.4.0
cronsim 2.8
before
  PATH = /usr/local/bin:/usr/bin:/bin
  MAILTO=root
   REGION=eu
  0 6 * * 1-7/2 report                Sun Mon Wed Fri
  0 7 * * 2-7/2 backup                Tue Thu Sat
  0 9 1 * 1 invoice                   Sun Mon
after
  MAILTO=root
  0 6 * * */2 report                  Sun Tue Thu Sat
  0 7 * * 0,2-6/2 backup              Sun Tue Thu Sat
  0 9 1 * 1 invoice                   Sun Mon
  30 6 * * * added                    Sun Mon Tue Wed Thu Fri Sat
days of invoice in 2026: 1
EXPECTED
