#!/usr/bin/env bash
# Ibis reads every form of time that SQLite has, and compares the texts when it filters.
#
# Expected: a column that Ibis shows as timestamps is filtered and sorted as timestamps.
# Seen: in an SQLite file, a column declared TIMESTAMP is read from all forms, with T or a space,
# with Z or an offset. A comparison or isin() is left to SQLite, which compares the text with
# one that has a space. So of five rows that all show 08:00, "== 08:00" finds one and
# "< 12:00" two, without a warning; T sorts behind the space, so times of the same day are later
# than its last hour. date() == and hour() == find all five, since they call SQLite's functions.
# microsecond() gives the seconds, day_of_week() of the last half millisecond of a day is that of
# the next day, and round(-2) leaves integers as they are. Fetch first and filter in pandas, or
# compare .epoch_seconds().
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  "ibis-framework[sqlite]==12.0.0" sqlglot==30.30.0 pandas==3.1.1
cat >"$folder/try.py" <<'PYTHON'
import importlib.metadata
import os
import sqlite3
import sys

import ibis

for package in ("ibis-framework", "sqlglot", "pandas"):
    print(package, importlib.metadata.version(package))
path = os.path.join(sys.argv[1], "app.sqlite")
database = sqlite3.connect(path)
database.execute("CREATE TABLE taps (id INTEGER PRIMARY KEY, time TIMESTAMP, n INTEGER)")
times = (
    "2026-03-27 08:00:00",
    "2026-03-27T08:00:00",
    "2026-03-27T08:00:00Z",
    "2026-03-27 09:00:00+01:00",
    "2026-03-27T09:00:00+01:00",
)
database.executemany("INSERT INTO taps VALUES (?, ?, 1234)", enumerate(times, 1))
database.execute("INSERT INTO taps VALUES (6, '2026-03-27 23:59:59.999999', 1234)")
database.commit()
database.close()
taps = ibis.sqlite.connect(path).table("taps")
print("type:", taps.time.type())
for id, time in taps.order_by("id").execute()[["id", "time"]].itertuples(index=False):
    print(f"  {id} {time}")


def at(text):
    return ibis.timestamp(f"2026-03-27 {text}")


def ids(condition):
    return " ".join(str(id) for id in taps.filter(condition).order_by("id").execute()["id"])


print("== 08:00:", ids(taps.time == at("08:00:00")))
print("isin 08:00:", ids(taps.time.isin([at("08:00:00")])))
print("< 12:00:", ids(taps.time < at("12:00:00")))
print("> 23:00:", ids(taps.time > at("23:00:00")))
print("epoch_seconds() < 12:00:", ids(taps.time.epoch_seconds() < at("12:00:00").epoch_seconds()))
print("hour() == 8:", ids(taps.time.hour() == 8))
rows = taps.execute()
print("< 12:00 in pandas:", *rows[rows.time < "2026-03-27 12:00:00"]["id"])
last = taps.filter(taps.id == 6)
for name, value in (
    ("date", last.time.date()),
    ("microsecond", last.time.microsecond()),
    ("day_of_week", last.time.day_of_week.full_name()),
    ("1234 rounded to hundreds", last.n.round(-2)),
):
    print(f"23:59:59.999999 on a Friday, {name}: {value.execute()[0]}")
PYTHON
"$folder/venv/bin/python" -W ignore "$folder/try.py" "$folder" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
ibis-framework 12.0.0
sqlglot 30.30.0
pandas 3.1.1
type: timestamp
  1 2026-03-27 08:00:00
  2 2026-03-27 08:00:00
  3 2026-03-27 08:00:00
  4 2026-03-27 08:00:00
  5 2026-03-27 08:00:00
  6 2026-03-27 23:59:59.999999
== 08:00: 1
isin 08:00: 1
< 12:00: 1 4
> 23:00: 2 3 5 6
epoch_seconds() < 12:00: 1 2 3 4 5
hour() == 8: 1 2 3 4 5
< 12:00 in pandas: 1 2 3 4 5
23:59:59.999999 on a Friday, date: 2026-03-27 00:00:00
23:59:59.999999 on a Friday, microsecond: 59
23:59:59.999999 on a Friday, day_of_week: Saturday
23:59:59.999999 on a Friday, 1234 rounded to hundreds: 1234.0
EXPECTED
