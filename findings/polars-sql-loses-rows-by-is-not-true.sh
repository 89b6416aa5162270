#!/usr/bin/env bash
# Polars' SQL leaves out the rows of NULL where a query says IS NOT TRUE to have them.
#
# Expected: "paid IS NOT TRUE" is true where paid is NULL, as in SQLite, DuckDB and standard SQL: it
# is written for that.
# Seen: it is NULL where paid is NULL, as are IS NOT FALSE and NOT (... IS TRUE), so users about
# whom nothing is known are in neither half, without a word, and a CASE counts them as the others.
# IS DISTINCT FROM TRUE, coalesce(paid, false) = false, and NOT IN with NULL are right. In the same
# dialect round(2.5) is 2, since halves go to the even side, where SQLite and DuckDB have 3, and
# substr(day, -2), the last two characters there, is the whole text. The first by n DESC is the
# NULL: say NULLS LAST.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  polars==2.1.0 duckdb==2.0.1 pyarrow==26.0.1
cat >"$folder/try.py" <<'PYTHON'
import importlib.metadata
import sqlite3

import duckdb
import polars

for package in ("polars", "duckdb"):
    print(package, importlib.metadata.version(package))
ROWS = [(1, True, 7, 2.5), (2, False, 3, 0.5), (3, None, None, 1.5)]
users = polars.DataFrame(ROWS, schema=["id", "paid", "n", "x"], orient="row")
context = polars.SQLContext(users=users)
lite, duck = sqlite3.connect(":memory:"), duckdb.connect()
lite.execute("CREATE TABLE users (id INTEGER, paid INTEGER, n INTEGER, x REAL)")
lite.executemany("INSERT INTO users VALUES (?, ?, ?, ?)", ROWS)
duck.execute("CREATE TABLE users AS SELECT * FROM users")
ENGINES = {
    "SQLite": lambda query: lite.execute(query).fetchall(),
    "DuckDB": lambda query: duck.execute(query).fetchall(),
    "Polars": lambda query: context.execute(query, eager=True).rows(),
}
for query in (
    "SELECT id FROM users WHERE paid IS NOT TRUE ORDER BY id",
    "SELECT id FROM users WHERE paid IS NOT FALSE ORDER BY id",
    "SELECT id FROM users WHERE (n > 5) IS NOT TRUE ORDER BY id",
    "SELECT id FROM users WHERE NOT ((n > 5) IS TRUE) ORDER BY id",
    "SELECT sum(CASE WHEN (n > 5) IS NOT TRUE THEN 1 ELSE 0 END) FROM users",
    "SELECT id FROM users WHERE paid IS DISTINCT FROM TRUE ORDER BY id",
    "SELECT id FROM users WHERE coalesce(paid, false) = false ORDER BY id",
    "SELECT id FROM users WHERE id NOT IN (1, NULL)",
    "SELECT round(x) FROM users ORDER BY id",
    "SELECT substr('2026-03-01', -2)",
    "SELECT id FROM users ORDER BY n DESC LIMIT 1",
    "SELECT id FROM users ORDER BY n DESC NULLS LAST LIMIT 1",
):
    print(query)
    for name, ask in ENGINES.items():
        print(f"  {name}:", *(value for row in ask(query) for value in row))
PYTHON
"$folder/venv/bin/python" "$folder/try.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
polars 2.1.0
duckdb 2.0.1
SELECT id FROM users WHERE paid IS NOT TRUE ORDER BY id
  SQLite: 2 3
  DuckDB: 2 3
  Polars: 2
SELECT id FROM users WHERE paid IS NOT FALSE ORDER BY id
  SQLite: 1 3
  DuckDB: 1 3
  Polars: 1
SELECT id FROM users WHERE (n > 5) IS NOT TRUE ORDER BY id
  SQLite: 2 3
  DuckDB: 2 3
  Polars: 2
SELECT id FROM users WHERE NOT ((n > 5) IS TRUE) ORDER BY id
  SQLite: 2 3
  DuckDB: 2 3
  Polars: 2
SELECT sum(CASE WHEN (n > 5) IS NOT TRUE THEN 1 ELSE 0 END) FROM users
  SQLite: 2
  DuckDB: 2
  Polars: 1
SELECT id FROM users WHERE paid IS DISTINCT FROM TRUE ORDER BY id
  SQLite: 2 3
  DuckDB: 2 3
  Polars: 2 3
SELECT id FROM users WHERE coalesce(paid, false) = false ORDER BY id
  SQLite: 2 3
  DuckDB: 2 3
  Polars: 2 3
SELECT id FROM users WHERE id NOT IN (1, NULL)
  SQLite:
  DuckDB:
  Polars:
SELECT round(x) FROM users ORDER BY id
  SQLite: 3.0 1.0 2.0
  DuckDB: 3.0 1.0 2.0
  Polars: 2.0 0.0 2.0
SELECT substr('2026-03-01', -2)
  SQLite: 01
  DuckDB: 01
  Polars: 2026-03-01
SELECT id FROM users ORDER BY n DESC LIMIT 1
  SQLite: 1
  DuckDB: 1
  Polars: 3
SELECT id FROM users ORDER BY n DESC NULLS LAST LIMIT 1
  SQLite: 1
  DuckDB: 1
  Polars: 1
EXPECTED
