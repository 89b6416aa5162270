#!/usr/bin/env bash
# ClickHouse makes a birthday of 1960 one of 2139, and fastparquet the year 1816 of 9999.
#
# Expected: a day or time that Parquet holds comes back as it is, or there is an error. 9999-12-31
# stands for never, and many birthdays are before 1970.
# Seen: fastparquet reads the times right, but days turn over at 584 years: 9999-12-31 is 1816-03-29
# and 2300-01-17 is 1715-06-29. ClickHouse (chDB) reads all, and then toDate() turns over at 2149:
# 1960-05-17 is 2139-10-22, 9999-12-31 is 2105-01-05. toStartOfMonth(), toStartOfDay() and
# toMonday() stop at their ends: birthdays before 1970 are all in January 1970, and what is far off
# is in June 2149 or February 2106. No warning tells it. toDate32(), date_trunc('month', at) and
# toYYYYMM() are right there, and so are pandas, Polars and DuckDB.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  fastparquet==2026.9.0 pandas==3.1.1 numpy==2.4.6 pyarrow==26.0.1 polars==2.1.0 duckdb==2.0.1 \
  chdb==4.4.0 chdb-core==26.9.0 pytz==2026.6
cat >"$folder/try.py" <<'PYTHON'
import importlib.metadata
import os
import sys
from datetime import date, datetime, timezone

import chdb
import duckdb
import fastparquet
import pandas
import polars
import pyarrow
import pyarrow.parquet

for package in ("fastparquet", "chdb-core", "pandas", "polars", "duckdb"):
    print(package, importlib.metadata.version(package))
os.chdir(sys.argv[1])
DAYS = [date(1, 1, 1), date(1960, 5, 17), date(2026, 3, 17), date(2300, 1, 17), date(9999, 12, 31)]
times = [datetime(day.year, day.month, day.day, 12, tzinfo=timezone.utc) for day in DAYS]
table = pyarrow.table({"day": DAYS, "at": pyarrow.array(times, pyarrow.timestamp("us", "UTC"))})
pyarrow.parquet.write_table(table, "days.parquet")


def show(name, values):
    print(f"{name}:", *(str(value)[:10] for value in values))


def with_chdb(expression):
    query = f"SELECT {expression} FROM (SELECT * FROM file('days.parquet') ORDER BY day)"
    return str(chdb.query(query, "TSV")).splitlines()


show("written", DAYS)
show("pandas", pandas.read_parquet("days.parquet")["day"])
show("polars", polars.read_parquet("days.parquet")["day"])
found = duckdb.connect().execute("SELECT day FROM 'days.parquet'").fetchall()
show("duckdb", (row[0] for row in found))
read = fastparquet.ParquetFile("days.parquet").to_pandas()
show("fastparquet, the days", read["day"])
show("fastparquet, the times", read["at"])
for expression in ("day", "toDate(at)", "toStartOfMonth(at)", "toStartOfDay(at)", "toMonday(at)"):
    show(f"chdb {expression}", with_chdb(f"arrayJoin(groupArray(toString({expression})))"))
for expression in ("toDate32(at)", "toYYYYMM(at)", "date_trunc('month', at)"):
    show(f"chdb {expression}", with_chdb(f"arrayJoin(groupArray(toString({expression})))"))
PYTHON
"$folder/venv/bin/python" -W ignore "$folder/try.py" "$folder" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
fastparquet 2026.9.0
chdb-core 26.9.0
pandas 3.1.1
polars 2.1.0
duckdb 2.0.1
written: 0001-01-01 1960-05-17 2026-03-17 2300-01-17 9999-12-31
pandas: 0001-01-01 1960-05-17 2026-03-17 2300-01-17 9999-12-31
polars: 0001-01-01 1960-05-17 2026-03-17 2300-01-17 9999-12-31
duckdb: 0001-01-01 1960-05-17 2026-03-17 2300-01-17 9999-12-31
fastparquet, the days: 1754-08-30 1960-05-17 2026-03-17 1715-06-29 1816-03-29
fastparquet, the times: 0001-01-01 1960-05-17 2026-03-17 2300-01-17 9999-12-31
chdb day: 0001-01-01 1960-05-17 2026-03-17 2300-01-17 9999-12-31
chdb toDate(at): 1974-10-01 2139-10-22 2026-03-17 2120-08-12 2105-01-05
chdb toStartOfMonth(at): 1970-01-01 1970-01-01 2026-03-01 2149-06-06 2149-06-06
chdb toStartOfDay(at): 1970-01-01 1970-01-01 2026-03-17 2106-02-07 2106-02-07
chdb toMonday(at): 1970-01-01 1970-01-01 2026-03-16 2149-06-06 2149-06-06
chdb toDate32(at): 0001-01-01 1960-05-17 2026-03-17 2300-01-17 9999-12-31
chdb toYYYYMM(at): 101 196005 202603 230001 999912
chdb date_trunc('month', at): 0001-01-01 1960-05-01 2026-03-01 2300-01-01 9999-12-01
EXPECTED
