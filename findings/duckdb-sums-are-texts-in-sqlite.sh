#!/usr/bin/env bash
# DuckDB writes the sum of integers into SQLite as a text, and into Parquet as a double.
#
# Expected: the sum of an INTEGER column is an integer wherever DuckDB puts it.
# Seen: DuckDB's sum() is a HUGEINT of 128 bits, which other formats do not have. CREATE TABLE AS in
# an attached SQLite file makes the column VARCHAR and stores digits: there max() of the sums 999
# and 1200 is '999', they are ordered as words, and each of them is more than any number. A sum of
# DECIMAL is a text as well. COPY to Parquet and .df() make doubles, so a sum above 2^53 is another
# number; only .fetchall(), Arrow and Polars are exact. Nothing warns. count() is a BIGINT and
# stays an integer. CAST(sum(n) AS BIGINT) is right everywhere, and so is an INSERT into a table
# whose column was made as INTEGER.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check duckdb==1.5.5 \
  duckdb-extensions==1.5.5 duckdb-extension-sqlite-scanner==1.5.5 pandas==3.1.1 pyarrow==26.0.1
cat >"$folder/try.py" <<'PYTHON'
import importlib.metadata
import os
import sqlite3
import sys

import duckdb
import pyarrow.parquet
from duckdb_extensions import import_extension

for package in ("duckdb", "duckdb-extension-sqlite-scanner", "pandas", "pyarrow"):
    print(package, importlib.metadata.version(package))
path = os.path.join(sys.argv[1], "app.sqlite")
parquet = os.path.join(sys.argv[1], "sums.parquet")
database = sqlite3.connect(path, isolation_level=None)
database.executescript("""
CREATE TABLE taps (day TEXT, n INTEGER);
INSERT INTO taps VALUES ('1st', 900), ('1st', 300), ('2nd', 99), ('2nd', 900), ('3rd', 5);
CREATE TABLE made_before (day TEXT, n INTEGER);
""")
import_extension("sqlite_scanner")
duckdb.sql("LOAD sqlite_scanner")
duckdb.sql(f"ATTACH '{path}' AS app (TYPE sqlite)")
for name, value in (
    ("count", "count(*)"),
    ("sum", "sum(n)"),
    ("sum_of_decimals", "sum(CAST(n AS DECIMAL(9, 2)))"),
    ("sum_as_bigint", "CAST(sum(n) AS BIGINT)"),
    ("made_before", "sum(n)"),
):
    query = f"SELECT day, {value} AS n FROM app.taps GROUP BY day"
    if name == "made_before":
        duckdb.sql(f"INSERT INTO app.made_before {query}")
    else:
        duckdb.sql(f"CREATE TABLE app.{name} AS {query}")
    columns = "typeof(n), max(n), sum(n > 1000)"
    kind, most, above = database.execute(f"SELECT {columns} FROM {name}").fetchone()
    days = [row[0] for row in database.execute(f"SELECT day FROM {name} ORDER BY n DESC, day")]
    print(f"{name}: {kind}, max {most!r}, {above} above 1000, {' '.join(days)}")

query = "SELECT sum(n) AS n FROM (VALUES (9007199254740992), (1)) AS v (n)"
print("fetchall:", duckdb.sql(query).fetchall()[0][0])
print("arrow:", duckdb.sql(query).to_arrow_table()["n"][0].as_py())
print("df:", repr(duckdb.sql(query).df()["n"].tolist()[0]))
duckdb.sql(f"COPY ({query}) TO '{parquet}'")
column = pyarrow.parquet.read_table(parquet)["n"]
print("parquet:", column.type, column[0].as_py())
PYTHON
"$folder/venv/bin/python" "$folder/try.py" "$folder" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
duckdb 1.5.5
duckdb-extension-sqlite-scanner 1.5.5
pandas 3.1.1
pyarrow 26.0.1
count: integer, max 2, 0 above 1000, 1st 2nd 3rd
sum: text, max '999', 3 above 1000, 2nd 3rd 1st
sum_of_decimals: text, max '999.00', 3 above 1000, 2nd 3rd 1st
sum_as_bigint: integer, max 1200, 1 above 1000, 1st 2nd 3rd
made_before: integer, max 1200, 1 above 1000, 1st 2nd 3rd
fetchall: 9007199254740993
arrow: 9007199254740993
df: 9007199254740992.0
parquet: double 9007199254740992.0
EXPECTED
