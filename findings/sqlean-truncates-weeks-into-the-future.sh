#!/usr/bin/env bash
# The SQLite extension sqlean cuts a Monday down to the Thursday behind it, milliseconds to year 1.
#
# Expected: time_trunc(t, 'week') is the Monday, or Sunday, at or before t. time_parse() reads ISO
# 8601 with any fraction of a second, and answers NULL or an error to what it cannot read.
# Seen: weeks begin on another weekday each year: in 2026, when 1 January was a Thursday, on
# Thursdays, in 2023 on Sundays. Monday, 2 March 2026, belongs to a week that begins on Thursday, 5
# March: 156 days of that year are before their own week's beginning. time_parse() reads a time
# without a fraction and one of nine digits; one of three or six, as most programs write them, is 1
# January of the year 1, as are 20260301 and words, without a word. time_micro() reads integers of
# microseconds, and SQLite's own unixepoch() and date(t, '-6 days', 'weekday 1') do both right.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check sqlean.py==3.50.4.5
cat >"$folder/try.py" <<'PYTHON'
import collections
import importlib.metadata
from datetime import date, timedelta

import sqlean

print("sqlean.py", importlib.metadata.version("sqlean.py"), "SQLite", sqlean.sqlite_version)
sqlean.extensions.enable_all()
database = sqlean.connect(":memory:")


def ask(expression, *values):
    return database.execute(f"SELECT {expression}", values).fetchone()[0]


def week(day):
    begin = ask("time_fmt_date(time_trunc(time_parse(?), 'week'))", day.isoformat())
    return date.fromisoformat(begin)


monday = date(2026, 3, 2)
print("the week of Monday", monday, "begins on", week(monday), f"{week(monday):%A}")
for year in range(2023, 2028):
    days = [date(year, 1, 1) + timedelta(days=n) for n in range(365)]
    later = sum(week(day) > day for day in days)
    begins = collections.Counter(f"{week(day):%A}" for day in days).most_common(1)[0][0]
    print(f"{year}: most weeks begin on a {begins}, {later} days are before it", end=", ")
    print(f"1 January was a {days[0]:%A}")
for unit in ("year", "quarter", "month", "day"):
    print(unit, ask("time_fmt_date(time_trunc(time_parse('2026-03-02'), ?))", unit))
for text in (
    "2026-03-01",
    "2026-03-01 10:00:00",
    "2026-03-01T10:00:00Z",
    "2026-03-01T10:00:00.123Z",
    "2026-03-01T10:00:00.123456Z",
    "2026-03-01T10:00:00.123456789Z",
    "2026-03-01T10:00:00.123456+02:00",
    "20260301",
    "soon",
):
    print(text, "is", ask("time_fmt_iso(time_parse(?))", text))
micro = ask("time_fmt_iso(time_micro(1772359200123456))")
print("time_micro:", micro)
own = "date(?, '-6 days', 'weekday 1'), unixepoch(?, 'subsec')"
values = ("2026-03-04", "2026-03-01T10:00:00.123Z")
print("SQLite itself:", *database.execute(f"SELECT {own}", values).fetchone())
PYTHON
"$folder/venv/bin/python" "$folder/try.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
sqlean.py 3.50.4.5 SQLite 3.50.4
the week of Monday 2026-03-02 begins on 2026-03-05 Thursday
2023: most weeks begin on a Sunday, 0 days are before it, 1 January was a Sunday
2024: most weeks begin on a Monday, 1 days are before it, 1 January was a Monday
2025: most weeks begin on a Wednesday, 105 days are before it, 1 January was a Wednesday
2026: most weeks begin on a Thursday, 156 days are before it, 1 January was a Thursday
2027: most weeks begin on a Friday, 0 days are before it, 1 January was a Friday
year 2026-01-01
quarter 2026-01-01
month 2026-03-01
day 2026-03-02
2026-03-01 is 2026-03-01T00:00:00Z
2026-03-01 10:00:00 is 2026-03-01T10:00:00Z
2026-03-01T10:00:00Z is 2026-03-01T10:00:00Z
2026-03-01T10:00:00.123Z is 0001-01-01T00:00:00Z
2026-03-01T10:00:00.123456Z is 0001-01-01T00:00:00Z
2026-03-01T10:00:00.123456789Z is 2026-03-01T10:00:00.123456789Z
2026-03-01T10:00:00.123456+02:00 is 0001-01-01T00:00:00Z
20260301 is 0001-01-01T00:00:00Z
soon is 0001-01-01T00:00:00Z
time_micro: 2026-03-01T10:00:00.123456000Z
SQLite itself: 2026-03-02 1772359200.123
EXPECTED
