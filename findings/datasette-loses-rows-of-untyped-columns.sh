#!/usr/bin/env bash
# Datasette leaves out rows of tables and views whose columns have no declared type.
#
# Expected: SQLite needs no types, so a table that CREATE TABLE ... AS SELECT made, or the computed
# column of a view, is shown, filtered and exported like any other.
# Seen: what an address says is text to Datasette, and where a column has no type, SQLite takes
# every number for less than a text. The second page of a table is empty when it is sorted by such
# a column, or has it as the key: the CSV of all rows ends after 100 of 250. A facet counts 50
# rows, and its own link shows none; so does a filter for a value, or for more than a fraction.
# Columns with a type are right. In a view a CAST gives the column one; a table needs CREATE TABLE
# with types.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check datasette==0.65.5
cat >"$folder/try.py" <<'PYTHON'
import asyncio
import csv
import importlib.metadata
import io
import os
import sqlite3
import sys

from datasette.app import Datasette

path = os.path.join(sys.argv[1], "app.sqlite")
database = sqlite3.connect(path)
database.executescript("""
CREATE TABLE typed (id INTEGER PRIMARY KEY, score INTEGER, mean REAL);
WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number LIMIT 250)
INSERT INTO typed SELECT n, n % 5, n % 5 / 2.0 FROM number;
CREATE TABLE copied AS SELECT id, score + 0 AS score, mean * 1 AS mean FROM typed;
CREATE TABLE keyed (id PRIMARY KEY, score);
INSERT INTO keyed SELECT id, score FROM typed;
CREATE VIEW computed AS SELECT id, score + 0 AS score, mean * 1 AS mean FROM typed;
CREATE VIEW with_cast AS
  SELECT id, CAST(score AS INTEGER) AS score, CAST(mean AS REAL) AS mean FROM computed;
""")
database.close()


async def main():
    client = Datasette([path]).client

    async def exported(address):
        text = (await client.get(f"/app/{address}")).text
        return len(list(csv.reader(io.StringIO(text)))) - 1

    async def shown(address):
        answer = (await client.get(f"/app/{address}")).json()
        return answer["filtered_table_rows_count"], len(answer["rows"])

    for address in (
        "typed.csv?_stream=1&_sort=score",
        "typed.csv?_stream=1&_sort=mean",
        "copied.csv?_stream=1",
        "copied.csv?_stream=1&_sort=score",
        "copied.csv?_stream=1&_sort=mean",
        "keyed.csv?_stream=1",
    ):
        print(f"{address}: {await exported(address)} of 250 rows")
    for name in ("typed", "copied", "computed", "with_cast"):
        facets = (await client.get(f"/app/{name}.json?_facet=score")).json()["facet_results"]
        facet = facets["score"]["results"][0]
        link = facet["toggle_url"].split("/app/")[1]
        print(f"facet of {name}: {facet['count']} rows; behind its link: {(await shown(link))[0]}")
        for test in ("score=3", "mean=1.5", "score__gt=3", "mean__gt=1.5"):
            print(f"  {test}: {(await shown(f'{name}.json?{test}'))[0]}")


print("datasette", importlib.metadata.version("datasette"))
asyncio.run(main())
PYTHON
"$folder/venv/bin/python" "$folder/try.py" "$folder" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
datasette 0.65.5
typed.csv?_stream=1&_sort=score: 250 of 250 rows
typed.csv?_stream=1&_sort=mean: 250 of 250 rows
copied.csv?_stream=1: 250 of 250 rows
copied.csv?_stream=1&_sort=score: 100 of 250 rows
copied.csv?_stream=1&_sort=mean: 100 of 250 rows
keyed.csv?_stream=1: 100 of 250 rows
facet of typed: 50 rows; behind its link: 50
  score=3: 50
  mean=1.5: 50
  score__gt=3: 50
  mean__gt=1.5: 50
facet of copied: 50 rows; behind its link: 0
  score=3: 0
  mean=1.5: 0
  score__gt=3: 50
  mean__gt=1.5: 0
facet of computed: 50 rows; behind its link: 0
  score=3: 0
  mean=1.5: 0
  score__gt=3: 50
  mean__gt=1.5: 0
facet of with_cast: 50 rows; behind its link: 50
  score=3: 50
  mean=1.5: 50
  score__gt=3: 50
  mean__gt=1.5: 50
EXPECTED
