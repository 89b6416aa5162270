#!/usr/bin/env bash
# isodate writes a year less a month as "-P1Y1M", which it reads as thirteen months back.
#
# Expected: duration_isoformat() writes a duration that reads as the same one, or refuses one that
# ISO 8601 has no text for.
# Seen: where the members of a Duration have two signs, all lose theirs and the whole gets a minus.
# A year less a month, P1Y - P1M, comes back as a year and a month into the past, a month less a day
# (the last day of a subscription) as a month and a day back, and a month back and three days on as
# a month and three days back. A plain timedelta is right, since it has one sign. A half month
# prints as "0 month", and dates refuse it, while its text is right. Nothing warns. Work out the
# date first, or keep the two parts, d.months and d.tdelta.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check isodate==0.7.2
cat >"$folder/try.py" <<'PYTHON'
import datetime
from importlib.metadata import version

from isodate import duration_isoformat, parse_duration

print("isodate", version("isodate"))
DAY = datetime.date(2026, 3, 31)


def show(text, duration):
    written = duration_isoformat(duration)
    read = parse_duration(written)
    print(f"{text}: {written}; {DAY} and it {DAY + duration}, read again {DAY + read}")


year, month = parse_duration("P1Y"), parse_duration("P1M")
day = datetime.timedelta(days=1)
show("a year", year)
show("a year less a month", year - month)
show("a month less a year", month - year)
show("a year and a month", year + month)
show("a month less a day", month - day)
show("a year less a week", year - 7 * day)
show("a month less 36 hours", month - datetime.timedelta(hours=36))
show("three days less a month", parse_duration("P3D") - month)
show("a week less a day", datetime.timedelta(weeks=1) - day)
show("a day less a week", day - datetime.timedelta(weeks=1))
half = parse_duration("P0.5M")
print("half a month:", half, "written", duration_isoformat(half))
PYTHON
"$folder/venv/bin/python" "$folder/try.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
isodate 0.7.2
a year: P1Y; 2026-03-31 and it 2027-03-31, read again 2027-03-31
a year less a month: -P1Y1M; 2026-03-31 and it 2027-02-28, read again 2025-02-28
a month less a year: -P1Y1M; 2026-03-31 and it 2025-04-30, read again 2025-02-28
a year and a month: P1Y1M; 2026-03-31 and it 2027-04-30, read again 2027-04-30
a month less a day: -P1M1D; 2026-03-31 and it 2026-04-29, read again 2026-02-27
a year less a week: -P1Y7D; 2026-03-31 and it 2027-03-24, read again 2025-03-24
a month less 36 hours: -P1M1DT12H; 2026-03-31 and it 2026-04-28, read again 2026-02-26
three days less a month: -P1M3D; 2026-03-31 and it 2026-03-03, read again 2026-02-25
a week less a day: P6D; 2026-03-31 and it 2026-04-06, read again 2026-04-06
a day less a week: -P6D; 2026-03-31 and it 2026-03-25, read again 2026-03-25
half a month: 0 month, 0:00:00 written P0.5M
EXPECTED
