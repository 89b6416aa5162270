#!/usr/bin/env bash
# ADBC's SQLite driver gives 1234567.89 as the text '1.234568e+06' when the column has a text too.
#
# Expected: where numbers and texts share a column, Arrow has one type for it, so numbers become
# texts; those name the same numbers, as CAST(price AS TEXT) does.
# Seen: the driver looks at the first 1024 rows. A real in such a column becomes a text with seven
# digits and an exponent, wherever the text stands; behind the first 1024 rows the same real comes
# as SQLite writes it, so one column has both forms. Integers beside a real and a text have lost
# digits as well: 1767225600123466, a time in microseconds, is '1.767226e+15'. pandas and Polars,
# which read SQLite by this driver, show the same. Nothing warns. A column of reals alone is exact.
# Select the numbers and the texts as two columns, or CAST(price AS TEXT).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check adbc-driver-sqlite==1.13.0 \
  adbc-driver-manager==1.13.0 pyarrow==26.0.1 pandas==3.1.1 polars==2.1.0
cat >"$folder/try.py" <<'PYTHON'
import importlib.metadata
import sqlite3
import sys

import adbc_driver_sqlite.dbapi
import pandas
import polars

for package in ("adbc-driver-sqlite", "pandas", "polars"):
    print(package, importlib.metadata.version(package))
path = sys.argv[1]
database = sqlite3.connect(path)
database.execute("CREATE TABLE prices (id INTEGER PRIMARY KEY, price)")
database.executemany("INSERT INTO prices (price) VALUES (?)", [(1234567.89,), (19.99,), ("free",)])
database.commit()
driver = adbc_driver_sqlite.dbapi.connect(path)


def adbc(query):
    with driver.cursor() as cursor:
        cursor.execute(query)
        return [row[0] for row in cursor.fetchall()]


def show(title, query):
    print(title)
    print("  sqlite3", [row[0] for row in database.execute(query)])
    print("  adbc   ", adbc(query))


show("a text among reals", "SELECT price FROM prices")
show("cast", "SELECT CAST(price AS TEXT) FROM prices")
show("reals alone", "SELECT price FROM prices WHERE price <> 'free'")
show("integers, a real, a text", "VALUES (1767225600123466), (0.5), ('none')")
query = "SELECT price FROM prices"
print("pandas", pandas.read_sql(query, driver)["price"].tolist())
print("polars", polars.read_database(query, driver)["price"].to_list())
many = """WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
SELECT iif(i = 1, 'free', 1234567.89) FROM n"""
prices = adbc(many)
print("of 2000 rows, the 2nd, 1024th, 1025th:", prices[1], prices[1023], prices[1024])
print("different prices:", len(set(prices) - {"free"}))
driver.close()
PYTHON
"$folder/venv/bin/python" "$folder/try.py" "$folder/prices.sqlite" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
adbc-driver-sqlite 1.13.0
pandas 3.1.1
polars 2.1.0
a text among reals
  sqlite3 [1234567.89, 19.99, 'free']
  adbc    ['1.234568e+06', '1.999000e+01', 'free']
cast
  sqlite3 ['1234567.89', '19.99', 'free']
  adbc    ['1234567.89', '19.99', 'free']
reals alone
  sqlite3 [1234567.89, 19.99]
  adbc    [1234567.89, 19.99]
integers, a real, a text
  sqlite3 [1767225600123466, 0.5, 'none']
  adbc    ['1.767226e+15', '5.000000e-01', 'none']
pandas ['1.234568e+06', '1.999000e+01', 'free']
polars ['1.234568e+06', '1.999000e+01', 'free']
of 2000 rows, the 2nd, 1024th, 1025th: 1.234568e+06 1.234568e+06 1234567.89
different prices: 2
EXPECTED
