#!/usr/bin/env bash
# local-crontab makes lines in UTC of a weekly job on Fridays that run 139 times, most on Thursdays.
#
# Expected: to_utc_crons() of a line and a zone gives lines that, read in UTC, run when the one line
# runs in its zone, in both halves of the year.
# Seen: the day of the week stays although the hour moves into another day: a job of Friday, 18:00
# in Los Angeles runs on Thursdays. An offset's minutes are left out, so 08:30 in Kolkata becomes
# 08:00, and noon in Adelaide 11:30. For the months in which the clock changes the lines name days
# of the month beside the day of the week, and cron runs a line when either is so: a weekly job runs
# daily then, also where the day does not move, as in Berlin. Nothing warns. Issue 4 of the
# project's tracker tells of the first of these. Daily and monthly jobs in zones of whole hours are
# right.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  local-crontab==0.3.0 cron-converter==2.0.2 croniter==7.0.0 tzdata==2026.6
cat >"$folder/try.py" <<'PYTHON'
import collections
import datetime
from importlib.metadata import version
from zoneinfo import ZoneInfo

from croniter import croniter
from local_crontab import Converter

for name in ("local-crontab", "cron-converter", "croniter"):
    print(name, version(name))


def runs(lines, read, shown):
    """The times of 2026 in the zone shown at which lines run that cron reads in the zone read."""
    end = datetime.datetime(2027, 1, 1, tzinfo=shown)
    found = set()
    for line in lines:
        start = datetime.datetime(2025, 12, 31, 23, 59, tzinfo=shown).astimezone(read)
        times = croniter(line, start)
        while (time := times.get_next(datetime.datetime)) < end:
            found.add(time.astimezone(shown))
    return found


def show(line, name):
    zone = ZoneInfo(name)
    lines = Converter(line, name, 2026).to_utc_crons()
    meant, done = runs([line], zone, zone), runs(lines, datetime.timezone.utc, zone)
    days = collections.Counter(time.strftime("%a %H:%M") for time in sorted(done)).most_common(3)
    text = ", ".join(f"{count} {day}" for day, count in days)
    print(f"{line} {name}: {len(meant)} runs a year")
    print(f"  {len(meant & done)} of {len(done)} runs in UTC are meant; most: {text}")
    return lines


show("0 18 * * 5", "America/Los_Angeles")
show("0 8 * * 1", "Asia/Tokyo")
for line in show("0 9 * * 1", "Europe/Berlin"):
    print("   ", line)
show("0 9 * * 1-5", "America/New_York")
for line in show("30 8 * * *", "Asia/Kolkata"):
    print("   ", line)
show("0 12 * * *", "Australia/Adelaide")
show("0 9 * * *", "Europe/Berlin")
show("0 9 1 * *", "America/New_York")
PYTHON
"$folder/venv/bin/python" "$folder/try.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
local-crontab 0.3.0
cron-converter 2.0.2
croniter 7.0.0
0 18 * * 5 America/Los_Angeles: 52 runs a year
  13 of 139 runs in UTC are meant; most: 53 Thu 18:00, 14 Sat 18:00, 14 Sun 18:00
0 8 * * 1 Asia/Tokyo: 52 runs a year
  4 of 79 runs in UTC are meant; most: 52 Tue 08:00, 6 Thu 08:00, 5 Wed 08:00
0 9 * * 1 Europe/Berlin: 52 runs a year
  52 of 114 runs in UTC are meant; most: 52 Mon 09:00, 9 Sun 09:00, 9 Tue 09:00
    0 8 * 1-2 1
    0 8 1-28 3 1
    0 7 29-31 3 1
    0 7 * 4-9 1
    0 7 1-24 10 1
    0 8 25-31 10 1
    0 8 * 11-12 1
0 9 * * 1-5 America/New_York: 261 runs a year
  261 of 292 runs in UTC are meant; most: 53 Thu 09:00, 52 Fri 09:00, 52 Mon 09:00
30 8 * * * Asia/Kolkata: 365 runs a year
  0 of 365 runs in UTC are meant; most: 53 Thu 08:00, 52 Fri 08:00, 52 Sat 08:00
    30 2 * * *
0 12 * * * Australia/Adelaide: 365 runs a year
  0 of 365 runs in UTC are meant; most: 53 Thu 11:30, 52 Fri 11:30, 52 Sat 11:30
0 9 * * * Europe/Berlin: 365 runs a year
  365 of 365 runs in UTC are meant; most: 53 Thu 09:00, 52 Fri 09:00, 52 Sat 09:00
0 9 1 * * America/New_York: 12 runs a year
  12 of 12 runs in UTC are meant; most: 3 Sun 09:00, 2 Thu 09:00, 2 Wed 09:00
EXPECTED
