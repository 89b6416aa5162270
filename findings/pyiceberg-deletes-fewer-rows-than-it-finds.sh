#!/usr/bin/env bash
# PyIceberg deletes fewer rows by a filter than the same filter finds, where NULL or NaN are.
#
# Expected: delete(filter) removes the rows that scan(row_filter=filter) shows, and overwrite() with
# it replaces them. not in and != take one view of NULL.
# Seen: scan() finds the row whose country is NULL by "country not in ('DE', 'FR')", and not by
# "country != 'DE'". delete() by the first leaves that row, so does overwrite(), and a job that
# deletes what it has copied keeps it for ever. It is the same for NaN: "n != 1" and "not (n > 1)"
# find it, and delete() leaves it. "n <= 1" does not even find it. Name NULL and
# NaN in each filter that denies something: "country is null or country not in ('DE', 'FR')".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  "pyiceberg[sql-sqlite,pyarrow]==0.12.0" pyarrow==25.0.1 sqlalchemy==2.0.58
cat >"$folder/try.py" <<'PYTHON'
import importlib.metadata
import sys

import pyarrow
from pyiceberg.catalog.sql import SqlCatalog

for package in ("pyiceberg", "pyarrow"):
    print(package, importlib.metadata.version(package))
folder = sys.argv[1]
address = f"sqlite:///{folder}/catalog.sqlite"
catalog = SqlCatalog("app", uri=address, warehouse=f"file://{folder}/lake")
catalog.create_namespace("app")
ROWS = pyarrow.table(
    {
        "id": pyarrow.array([1, 2, 3, 4, 5], pyarrow.int64()),
        "country": ["DE", "FR", None, "", "US"],
        "n": [1.0, 2.0, None, float("nan"), 5.0],
    }
)
for row in ROWS.to_pylist():
    print(*row.values())


def ids(table, **options):
    return sorted(table.scan(**options).to_arrow()["id"].to_pylist())


for number, filter in enumerate(
    (
        "country != 'DE'",
        "country not in ('DE', 'FR')",
        "country is null or country not in ('DE', 'FR')",
        "n > 1",
        "n != 1",
        "not (n > 1)",
        "n <= 1",
        "n is nan or n != 1",
    )
):
    table = catalog.create_table(f"app.t{number}", schema=ROWS.schema)
    table.append(ROWS)
    found = ids(table, row_filter=filter)
    table.delete(filter)
    left = ids(table)
    both = sorted(set(found) & set(left))
    print(f"{filter}: finds {found}, leaves {left}" + (f", found and left: {both}" if both else ""))
table = catalog.create_table("app.over", schema=ROWS.schema)
table.append(ROWS)
table.overwrite(ROWS.slice(4), overwrite_filter="country not in ('DE', 'FR')")
print("overwrite by country not in ('DE', 'FR') with 5:", ids(table))
PYTHON
"$folder/venv/bin/python" -W ignore "$folder/try.py" "$folder" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
pyiceberg 0.12.0
pyarrow 25.0.1
1 DE 1.0
2 FR 2.0
3 None None
4  nan
5 US 5.0
country != 'DE': finds [2, 4, 5], leaves [1, 3]
country not in ('DE', 'FR'): finds [3, 4, 5], leaves [1, 2, 3], found and left: [3]
country is null or country not in ('DE', 'FR'): finds [3, 4, 5], leaves [1, 2]
n > 1: finds [2, 5], leaves [1, 3, 4]
n != 1: finds [2, 4, 5], leaves [1, 3, 4], found and left: [4]
not (n > 1): finds [1, 4], leaves [2, 3, 4, 5], found and left: [4]
n <= 1: finds [1], leaves [2, 3, 4, 5]
n is nan or n != 1: finds [2, 4, 5], leaves [1, 3]
overwrite by country not in ('DE', 'FR') with 5: [1, 2, 3, 5]
EXPECTED
