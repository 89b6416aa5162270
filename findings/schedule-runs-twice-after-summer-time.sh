#!/usr/bin/env bash
# schedule runs a job of 02:30 at 01:30 and at 02:30 on the day after the change to summer time.
#
# Expected: every().day.at("02:30", "Europe/Berlin") runs once a day. On the day of the change,
# which has no 02:30, it may run at 03:30; the days after it are ordinary.
# Seen: on the day of the change it runs at 03:30. The next run is then set to 01:30 of the next
# day, an hour that nobody named, and the one after it to 02:30 of the same day: two reports, two
# backups. It is the same in New York. The zone of the machine does not matter; a job of 02:30
# without a zone has one run a day. Name an hour outside of 02:00 to 03:00. A simulated clock of
# time-machine stands for the real one.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  schedule==1.2.2 pytz==2026.6 time-machine==3.6.0 tzdata==2026.6
cat >"$folder/try.py" <<'PYTHON'
import importlib.metadata
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import schedule
import time_machine

for package in ("schedule", "pytz"):
    print(package, importlib.metadata.version(package))


def run(machine, zone, start, hour="02:30", *named):
    runs = []
    with time_machine.travel(start.astimezone(ZoneInfo(machine)), tick=False) as clock:
        jobs = schedule.Scheduler()
        jobs.every().day.at(hour, *named).do(lambda: runs.append(datetime.now(ZoneInfo(zone))))
        while datetime.now(timezone.utc) < start + timedelta(days=4):
            jobs.run_pending()
            clock.shift(timedelta(minutes=10))
    print(f"{hour} {zone} {'named' if named else 'of the machine'}, machine in {machine}")
    for day in sorted({at.date() for at in runs}):
        hours = [f"{at:%H:%M}" for at in runs if at.date() == day]
        print(f"  {day:%a %d %b}: {', '.join(hours)}")


march = datetime(2026, 3, 27, 12, tzinfo=timezone.utc)
run("UTC", "Europe/Berlin", march, "02:30", "Europe/Berlin")
run("Europe/Berlin", "Europe/Berlin", march, "02:30", "Europe/Berlin")
run("Europe/Berlin", "Europe/Berlin", march, "02:30")
run("UTC", "Europe/Berlin", march, "03:30", "Europe/Berlin")
start = datetime(2026, 3, 6, 12, tzinfo=timezone.utc)
run("UTC", "America/New_York", start, "02:30", "America/New_York")
PYTHON
"$folder/venv/bin/python" "$folder/try.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
schedule 1.2.2
pytz 2026.6
02:30 Europe/Berlin named, machine in UTC
  Sat 28 Mar: 02:30
  Sun 29 Mar: 03:30
  Mon 30 Mar: 01:30, 02:30
  Tue 31 Mar: 02:30
02:30 Europe/Berlin named, machine in Europe/Berlin
  Sat 28 Mar: 02:30
  Sun 29 Mar: 03:30
  Mon 30 Mar: 01:30, 02:30
  Tue 31 Mar: 02:30
02:30 Europe/Berlin of the machine, machine in Europe/Berlin
  Sat 28 Mar: 02:30
  Sun 29 Mar: 03:00
  Mon 30 Mar: 02:30
  Tue 31 Mar: 02:30
03:30 Europe/Berlin named, machine in UTC
  Sat 28 Mar: 03:30
  Sun 29 Mar: 03:30
  Mon 30 Mar: 03:30
  Tue 31 Mar: 03:30
02:30 America/New_York named, machine in UTC
  Sat 07 Mar: 02:30
  Sun 08 Mar: 03:30
  Mon 09 Mar: 01:30, 02:30
  Tue 10 Mar: 02:30
EXPECTED
