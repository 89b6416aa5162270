#!/usr/bin/env bash
# cron-converter turns the days 2-7/2 into Sunday, Tuesday, Thursday and Saturday, and 5/15 into 5.
#
# Expected: a Cron and its schedule run when cron does, as croniter and cronsim say, or the line is
# refused, and to_string() of a line is one of the same meaning.
# Seen: 7 becomes Sunday, 0, and goes to the front before the step counts: 1-7/2 loses its Sunday,
# and 2-7/2 gets one that it does not have. 5/15 is minute 5 alone, without a word, where others
# have four times an hour. "0 0 1,15 * 1" runs when the 1st or the 15th is a Monday, twice in 2026,
# where cron runs on both days and on each Monday, 74 times; huey and crontab, too, want both, and
# crontab's manual says to give one of the two. to_string() writes the wrong days into the line. The
# manual of cron-converter names none of these. Write days from 0 to 6, and 5-59/15.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  cron-converter==2.0.2 croniter==7.0.0 cronsim==2.8 crontab==1.0.5 huey==3.5.4
cat >"$folder/try.py" <<'PYTHON'
import collections
import datetime
import itertools
from importlib.metadata import version

import crontab
import huey
from cron_converter import Cron
from croniter import croniter
from cronsim import CronSim

for name in ("cron-converter", "croniter", "cronsim", "crontab", "huey"):
    print(name, version(name))
START, END = datetime.datetime(2025, 12, 31, 23, 59), datetime.datetime(2027, 1, 1)
DAYS = [START + datetime.timedelta(days=day, minutes=1) for day in range(365)]
FIELDS = ("minute", "hour", "day", "month", "day_of_week")


def until(times):
    return list(itertools.takewhile(lambda time: time < END, times))


def schedule(line):
    times = Cron(line).schedule(START)
    return until(times.next() for _ in itertools.count())


def days(times):
    counts = collections.Counter(time.isoweekday() % 7 for time in times)
    return f"{len(times)} runs, days {' '.join(str(day) for day in sorted(counts))}"


for line in ("0 0 * * 0-6/2", "0 0 * * 1-7/2", "0 0 * * 2-7/2", "5/15 * * * *", "0 0 1,15 * 1"):
    print(line)
    print("  as a string:", Cron(line).to_string())
    print("  cron-converter:", days(schedule(line)))
    print("  croniter:", days(until(croniter(line, START, datetime.datetime))))
    print("  cronsim:", days(until(CronSim(line, START))))
matches = huey.crontab(**dict(zip(FIELDS, line.split())))
print("  huey:", days([day for day in DAYS if matches(day)]))
table = crontab.CronTab(line)
print("  crontab:", days([day for day in DAYS if table.test(day)]))
PYTHON
"$folder/venv/bin/python" "$folder/try.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
cron-converter 2.0.2
croniter 7.0.0
cronsim 2.8
crontab 1.0.5
huey 3.5.4
0 0 * * 0-6/2
  as a string: 0 0 * * */2
  cron-converter: 209 runs, days 0 2 4 6
  croniter: 209 runs, days 0 2 4 6
  cronsim: 209 runs, days 0 2 4 6
0 0 * * 1-7/2
  as a string: 0 0 * * 1-5/2
  cron-converter: 156 runs, days 1 3 5
  croniter: 208 runs, days 0 1 3 5
  cronsim: 208 runs, days 0 1 3 5
0 0 * * 2-7/2
  as a string: 0 0 * * */2
  cron-converter: 209 runs, days 0 2 4 6
  croniter: 157 runs, days 2 4 6
  cronsim: 157 runs, days 2 4 6
5/15 * * * *
  as a string: 5 * * * *
  cron-converter: 8760 runs, days 0 1 2 3 4 5 6
  croniter: 35040 runs, days 0 1 2 3 4 5 6
  cronsim: 35040 runs, days 0 1 2 3 4 5 6
0 0 1,15 * 1
  as a string: 0 0 1,15 * 1
  cron-converter: 2 runs, days 1
  croniter: 74 runs, days 0 1 2 3 4 5 6
  cronsim: 74 runs, days 0 1 2 3 4 5 6
  huey: 2 runs, days 1
  crontab: 2 runs, days 1
EXPECTED
