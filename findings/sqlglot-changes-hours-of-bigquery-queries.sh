#!/usr/bin/env bash
# sqlglot carries queries on GA4's BigQuery export to DuckDB with other hours and days.
#
# Expected: what one dialect cannot say in the other's words is an error or a warning; the rest
# means the same.
# Seen: all of this without a word, even with unsupported_level=RAISE. TIMESTAMP_MICROS becomes a
# time without a zone, so AT TIME ZONE moves an event of 00:30 in Berlin to 22:00, and its day
# begins 22 hours too early. FORMAT_TIMESTAMP loses its zone. TIMESTAMP_DIFF counts whole hours
# in BigQuery and strokes of the clock in DuckDB: half an hour is one. Sunday is 0 instead of 1,
# WEEK is ISO's, UNIX_SECONDS rounds up, and FORMAT('%02d', 5) is %02d. DATE with a zone and the
# weeks of DATE_TRUNC come out right, which proves nothing for the others. The value before
# "became" is the one that BigQuery's reference gives.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check sqlglot==30.30.0 duckdb==2.0.1
cat >"$folder/try.py" <<'PYTHON'
import importlib.metadata

import duckdb
import sqlglot

for package in ("sqlglot", "duckdb"):
    print(package, importlib.metadata.version(package))
database = duckdb.connect()
database.execute("SET TimeZone = 'UTC'")
# Sunday, 29 November 2026, 23:30:00.9 in UTC: 00:30 of Monday in Berlin.
at = "TIMESTAMP_MICROS(t)"
for documented, expression in (
    ("2026-11-30", f"DATE({at}, 'Europe/Berlin')"),
    ("0", f"EXTRACT(HOUR FROM {at} AT TIME ZONE 'Europe/Berlin')"),
    ("2026-11-29 23:00:00", f"TIMESTAMP_TRUNC({at}, DAY, 'Europe/Berlin')"),
    ("2026-11-30 00h", f"FORMAT_TIMESTAMP('%Y-%m-%d %Hh', {at}, 'Europe/Berlin')"),
    ("2026-11-29", f"DATE_TRUNC(DATE({at}), WEEK)"),
    ("1", f"EXTRACT(DAYOFWEEK FROM {at})"),
    ("0", "EXTRACT(WEEK FROM DATE '2027-01-01')"),
    ("1795995000", f"UNIX_SECONDS({at})"),
    ("0", f"TIMESTAMP_DIFF(TIMESTAMP_MICROS(t + 1800000000), {at}, HOUR)"),
    ("05", "FORMAT('%02d', 5)"),
):
    query = f"SELECT {expression} FROM (SELECT 1795995000900000 AS t)"
    carried = sqlglot.transpile(
        query, "bigquery", "duckdb", unsupported_level=sqlglot.ErrorLevel.RAISE
    )[0]
    found = database.execute(f"SELECT CAST(({carried}) AS TEXT)").fetchone()[0]
    print(expression)
    print("  same:" if found == documented else f"  {documented} became", found)
PYTHON
"$folder/venv/bin/python" "$folder/try.py" >"$folder/seen" 2>&1
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
sqlglot 30.30.0
duckdb 2.0.1
DATE(TIMESTAMP_MICROS(t), 'Europe/Berlin')
  same: 2026-11-30
EXTRACT(HOUR FROM TIMESTAMP_MICROS(t) AT TIME ZONE 'Europe/Berlin')
  0 became 22
TIMESTAMP_TRUNC(TIMESTAMP_MICROS(t), DAY, 'Europe/Berlin')
  2026-11-29 23:00:00 became 2026-11-29 01:00:00
FORMAT_TIMESTAMP('%Y-%m-%d %Hh', TIMESTAMP_MICROS(t), 'Europe/Berlin')
  2026-11-30 00h became 2026-11-29 23h
DATE_TRUNC(DATE(TIMESTAMP_MICROS(t)), WEEK)
  same: 2026-11-29
EXTRACT(DAYOFWEEK FROM TIMESTAMP_MICROS(t))
  1 became 0
EXTRACT(WEEK FROM DATE '2027-01-01')
  0 became 53
UNIX_SECONDS(TIMESTAMP_MICROS(t))
  1795995000 became 1795995001
TIMESTAMP_DIFF(TIMESTAMP_MICROS(t + 1800000000), TIMESTAMP_MICROS(t), HOUR)
  0 became 1
FORMAT('%02d', 5)
  05 became %02d
EXPECTED
