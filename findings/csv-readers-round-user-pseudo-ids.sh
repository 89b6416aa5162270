#!/usr/bin/env bash
# CSV readers take GA4's user_pseudo_id of a website for a number and round it: no id comes back.
#
# Expected: an id is a text. In GA4's export the column user_pseudo_id is a STRING.
# Seen: for a website it is two numbers with a point between them, a random one and the second of
# the first visit: 1089386152.1772000000. pandas, Polars, DuckDB and PyArrow make a column of
# doubles of it, which hold 15 to 17 of its 20 digits, without a warning. None of 1000 ids is the
# one that was written, so a join with BigQuery, or with a table of users, finds nobody. Ids of one
# random number become one: 100 that were first seen a minute apart are 3. The ids of an app have
# letters and stay texts, so what works for the app fails for its website. Name the type, as with
# dtype={"user_pseudo_id": str} in pandas, or export Parquet.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  pandas==3.1.1 polars==2.1.0 duckdb==2.0.1 pyarrow==26.0.1
cat >"$folder/try.py" <<'PYTHON'
import importlib.metadata
import os
import random
import sys

import duckdb
import pandas
import polars
import pyarrow.csv

FOLDER = sys.argv[1]
COLUMN = "user_pseudo_id"
random.seed(1)


def written(name, ids):
    path = os.path.join(FOLDER, name)
    with open(path, "w") as file:
        file.write(f"{COLUMN},event_name\n")
        file.writelines(f"{id},first_visit\n" for id in ids)
    return path


def seen(name, values, ids):
    same = sum(str(value) == id for value, id in zip(values, ids))
    kind = type(values[0]).__name__
    return f"{name}: {values[0]!r} ({kind}), {same} of {len(ids)} ids, {len(set(values))} different"


def read(title, ids):
    path = written("events.csv", ids)
    print(f"{title}: {ids[0]}, {len(set(ids))} different")
    query = f"SELECT {COLUMN} FROM read_csv('{path}')"
    for name, values in (
        ("pandas", pandas.read_csv(path)[COLUMN].tolist()),
        ("polars", polars.read_csv(path)[COLUMN].to_list()),
        ("duckdb", [row[0] for row in duckdb.sql(query).fetchall()]),
        ("pyarrow", pyarrow.csv.read_csv(path)[COLUMN].to_pylist()),
    ):
        print("  " + seen(name, values, ids))


for package in ("pandas", "polars", "duckdb", "pyarrow"):
    print(package, importlib.metadata.version(package))
first = (random.randint(10**8, 2**31 - 1) for _ in range(1000))
website = [f"{number}.{random.randint(1700000000, 1772000000)}" for number in first]
app = [f"{random.getrandbits(128):032x}" for _ in range(1000)]
read("a website", website)
read("one first number", [f"1089386152.{1772000000 + 60 * minute}" for minute in range(100)])
read("an app", app)
PYTHON
"$folder/venv/bin/python" "$folder/try.py" "$folder" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
pandas 3.1.1
polars 2.1.0
duckdb 2.0.1
pyarrow 26.0.1
a website: 388545018.1708470054, 1000 different
  pandas: 388545018.170847 (float), 0 of 1000 ids, 1000 different
  polars: 388545018.170847 (float), 0 of 1000 ids, 1000 different
  duckdb: 388545018.170847 (float), 0 of 1000 ids, 1000 different
  pyarrow: 388545018.170847 (float), 0 of 1000 ids, 1000 different
one first number: 1089386152.1772000000, 100 different
  pandas: 1089386152.1772 (float), 0 of 100 ids, 3 different
  polars: 1089386152.1772 (float), 0 of 100 ids, 3 different
  duckdb: 1089386152.1772 (float), 0 of 100 ids, 3 different
  pyarrow: 1089386152.1772 (float), 0 of 100 ids, 3 different
an app: d1e3ce9b3f2457cda177eb6ec47e1bcd, 1000 different
  pandas: 'd1e3ce9b3f2457cda177eb6ec47e1bcd' (str), 1000 of 1000 ids, 1000 different
  polars: 'd1e3ce9b3f2457cda177eb6ec47e1bcd' (str), 1000 of 1000 ids, 1000 different
  duckdb: 'd1e3ce9b3f2457cda177eb6ec47e1bcd' (str), 1000 of 1000 ids, 1000 different
  pyarrow: 'd1e3ce9b3f2457cda177eb6ec47e1bcd' (str), 1000 of 1000 ids, 1000 different
EXPECTED
