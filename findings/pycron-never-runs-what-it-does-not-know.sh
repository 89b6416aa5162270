#!/usr/bin/env bash
# pycron never runs a job of Sunday as 7, nor one of March as mar, L or 5/15, and says nothing.
#
# Expected: is_now() and has_been() of a crontab's line are true when cron would run it, and a field
# that is not understood is an error.
# Seen: 7 in the day of the week is never true, so "5-7" leaves Sundays out. A month by its name, a
# range that goes over the end, such as 22-2, a step behind a single number and the signs L and 1#1,
# which other libraries know, are False for each minute, and so is a slip such as 25 for the hour.
# has_been() of a whole week is False. 0, sun and mon-fri are right, and so is the rule that either
# of day and day of the week is enough. Nothing warns and nothing is raised; cronsim and croniter,
# asked here for comparison, find the times or refuse the line.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  pycron==3.3.0 cronsim==2.8 croniter==7.0.0
cat >"$folder/try.py" <<'PYTHON'
import datetime
import itertools
from importlib.metadata import version

import pycron
from croniter import croniter
from cronsim import CronSim, CronSimError

for name in ("pycron", "cronsim", "croniter"):
    print(name, version(name))
START = datetime.datetime(2026, 3, 1)
END = datetime.datetime(2026, 4, 1)
TIMES = [START + datetime.timedelta(minutes=minutes) for minutes in range(0, 31 * 1440, 5)]


def count(read):
    """How many times of March 2026 a library finds, or the error that it raises."""
    try:
        return sum(1 for time in itertools.takewhile(lambda time: time < END, read()))
    except (CronSimError, ValueError) as error:
        return type(error).__name__


def show(line):
    before = START - datetime.timedelta(minutes=1)
    counts = {
        "pycron": count(lambda: (time for time in TIMES if pycron.is_now(line, time))),
        "cronsim": count(lambda: CronSim(line, before)),
        "croniter": count(lambda: croniter(line, before, datetime.datetime)),
    }
    print(f"{line}: {', '.join(f'{name} {number}' for name, number in counts.items())}")


for line in (
    "0 9 * * 0",
    "0 9 * * 7",
    "0 9 * * sun",
    "0 9 * * 5-7",
    "0 9 * * mon-fri",
    "0 9 * mar *",
    "0 9 * mar-may *",
    "0 9 * 3-5 *",
    "5/15 * * * *",
    "5-59/15 * * * *",
    "0 22-2 * * *",
    "0 9 L * *",
    "0 9 * * 1#1",
    "0 25 * * *",
    "0 9 1,15 * 1",
):
    show(line)
week = datetime.datetime(2026, 3, 9), datetime.datetime(2026, 3, 16)
for line in ("0 9 * * 0", "0 9 * * 7"):
    print(f"has_been {line} in a week: {pycron.has_been(line, *week)}")
PYTHON
"$folder/venv/bin/python" "$folder/try.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
pycron 3.3.0
cronsim 2.8
croniter 7.0.0
0 9 * * 0: pycron 5, cronsim 5, croniter 5
0 9 * * 7: pycron 0, cronsim 5, croniter 5
0 9 * * sun: pycron 5, cronsim 5, croniter 5
0 9 * * 5-7: pycron 8, cronsim 13, croniter 13
0 9 * * mon-fri: pycron 22, cronsim 22, croniter 22
0 9 * mar *: pycron 0, cronsim 31, croniter 31
0 9 * mar-may *: pycron 0, cronsim 31, croniter 31
0 9 * 3-5 *: pycron 31, cronsim 31, croniter 31
5/15 * * * *: pycron 0, cronsim 2976, croniter 2976
5-59/15 * * * *: pycron 2976, cronsim 2976, croniter 2976
0 22-2 * * *: pycron 0, cronsim CronSimError, croniter 155
0 9 L * *: pycron 0, cronsim 1, croniter 1
0 9 * * 1#1: pycron 0, cronsim 1, croniter 1
0 25 * * *: pycron 0, cronsim CronSimError, croniter CroniterBadCronError
0 9 1,15 * 1: pycron 7, cronsim 7, croniter 7
has_been 0 9 * * 0 in a week: True
has_been 0 9 * * 7 in a week: False
EXPECTED
