#!/usr/bin/env bash
# ConnectorX gives pandas rows of zeros in place of those whose partition_on is NULL in SQLite.
#
# Expected: partition_on only says how a query is read in parallel: the rows are the same as without
# it, or a column with NULL is refused.
# Seen: each part asks for a range of the column, and NULL is in none. Polars and Arrow get 75 of
# 100 rows from ConnectorX. pandas gets 100: the space of the other 25 is there, and nobody fills
# it, so there are 25 rows whose id, stars and text are 0. The mean of the stars is too low, there
# is one id more, and isna() finds nothing. It is the same with partition_num=1. Neither
# polars.read_database_uri(), which uses ConnectorX, nor Dask's read_sql_table(index_col=...) has
# the rows, without a word. Take a column without NULL, such as the primary key, or
# coalesce(stars, -1) under a name of its own.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  connectorx==0.4.6 pandas==3.1.1 polars==2.1.0 pyarrow==25.0.1 numpy==2.4.6 \
  "dask[dataframe]==2026.8.0" sqlalchemy==2.0.58
cat >"$folder/try.py" <<'PYTHON'
import importlib.metadata
import sqlite3
import sys

import connectorx
import dask.dataframe
import polars

for package in ("connectorx", "pandas", "polars", "dask"):
    print(package, importlib.metadata.version(package))
PATH = f"{sys.argv[1]}/ratings.sqlite"
ADDRESS = f"sqlite://{PATH}"
QUERY = "SELECT * FROM ratings"
database = sqlite3.connect(PATH)
database.execute("CREATE TABLE ratings (id INTEGER PRIMARY KEY, stars INTEGER, text TEXT)")
for id in range(1, 101):
    stars = None if id % 4 == 0 else id % 5 + 1
    database.execute("INSERT INTO ratings VALUES (?, ?, ?)", (id, stars, f"text {id}"))
database.commit()
counts = database.execute("SELECT count(*), count(stars), avg(stars) FROM ratings")
print("sqlite3: {} rows, {} with stars, mean {}".format(*counts.fetchone()))


def to_pandas(**partition):
    return connectorx.read_sql(ADDRESS, QUERY, **partition)


def show(name, rows):
    stars, ids = rows["stars"], rows["id"].nunique()
    print(f"{name}: {len(rows)} rows, {ids} ids, {stars.isna().sum()} without stars", end=", ")
    print(f"mean {stars.mean():.2f}")


show("connectorx to pandas", to_pandas())
for number in (1, 3):
    rows = to_pandas(partition_on="stars", partition_num=number)
    show(f"partition_on=stars, {number} parts", rows)
print("rows of id 0:", int((rows["id"] == 0).sum()), rows[rows["id"] == 0].values.tolist()[:2])
show("partition_on=id, 3 parts", to_pandas(partition_on="id", partition_num=3))
QUERY = "SELECT *, coalesce(stars, -1) AS part FROM ratings"
show("partition_on=part, 3 parts", to_pandas(partition_on="part", partition_num=3))
QUERY = "SELECT * FROM ratings"
partition = {"partition_on": "stars", "partition_num": 3}
arrow = connectorx.read_sql(ADDRESS, QUERY, return_type="arrow", **partition)
print("connectorx to Arrow:", arrow.num_rows)
print("polars.read_database_uri:", polars.read_database_uri(QUERY, ADDRESS, **partition).height)
address = f"sqlite:///{PATH}"
table = dask.dataframe.read_sql_table("ratings", address, index_col="stars", npartitions=3)
print("dask.dataframe.read_sql_table:", len(table))
PYTHON
"$folder/venv/bin/python" -W ignore "$folder/try.py" "$folder" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
connectorx 0.4.6
pandas 3.1.1
polars 2.1.0
dask 2026.8.0
sqlite3: 100 rows, 75 with stars, mean 3.0
connectorx to pandas: 100 rows, 100 ids, 25 without stars, mean 3.00
partition_on=stars, 1 parts: 100 rows, 76 ids, 0 without stars, mean 2.25
partition_on=stars, 3 parts: 100 rows, 76 ids, 0 without stars, mean 2.25
rows of id 0: 25 [[0, 0, 0], [0, 0, 0]]
partition_on=id, 3 parts: 100 rows, 100 ids, 25 without stars, mean 3.00
partition_on=part, 3 parts: 100 rows, 100 ids, 25 without stars, mean 3.00
connectorx to Arrow: 75
polars.read_database_uri: 75
dask.dataframe.read_sql_table: 75
EXPECTED
