#!/usr/bin/env bash
# DataComPy finds two tables equal whose ids of 19 digits or whose amounts differ at the end.
#
# Expected: without a tolerance, and abs_tol and rel_tol are 0 unless set, two numbers match when
# they are equal.
# Seen: numbers are compared as doubles. Two ids of 19 digits that differ by 1, or by 100, are a
# match, matches() is true, and no value is counted as unequal, with pandas and with Polars, and as
# Int64 beside NULL. So are, with pandas, Decimals of 16 digits that differ by a cent. The same
# numbers are kept apart in columns to join by, and compared exactly as texts. For columns of large
# numbers use compare() or assert_frame_equal() of pandas, or make them texts.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  datacompy==1.1.0 pandas==2.3.3 numpy==2.4.6 polars==1.44.2
cat >"$folder/try.py" <<'PYTHON'
from decimal import Decimal

import datacompy
import pandas
import polars

for module in (datacompy, pandas, polars):
    print(module.__name__, module.__version__)
ID = 1764000000123456789
CASES = {
    "ids by 1": ([ID, 5], [ID + 1, 5]),
    "ids by 100": ([ID, 5], [ID + 100, 5]),
    "ids by 1000": ([ID, 5], [ID + 1000, 5]),
    "as texts": ([str(ID), "5"], [str(ID + 1), "5"]),
    "Decimal": (
        [Decimal("90071992547409.93"), Decimal(5)],
        [Decimal("90071992547409.94"), Decimal(5)],
    ),
}


def show(name, compare, frame, left, right):
    left, right = ({"day": [1, 2], "value": values} for values in (left, right))
    found = compare(frame(left), frame(right), join_columns="day", abs_tol=0, rel_tol=0)
    unequal = sum(column["unequal_cnt"] for column in found.column_stats)
    print(f"{name}: matches {bool(found.matches())}, {unequal} unequal")


for name, (left, right) in CASES.items():
    show(f"{name}, pandas", datacompy.PandasCompare, pandas.DataFrame, left, right)
    show(f"{name}, Polars", datacompy.PolarsCompare, polars.DataFrame, left, right)
nullable = [pandas.array([number, None], dtype="Int64") for number in (ID, ID + 1)]
show("Int64 beside NULL, pandas", datacompy.PandasCompare, pandas.DataFrame, *nullable)
left, right = (pandas.DataFrame({"id": [number], "value": [1]}) for number in (ID, ID + 1))
joined = datacompy.PandasCompare(left, right, join_columns="id")
print("joined by the id:", bool(joined.matches()), len(joined.intersect_rows), "rows in both")
print("pandas compare():", len(left.compare(right)), "row differs")
PYTHON
"$folder/venv/bin/python" "$folder/try.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
datacompy 1.1.0
pandas 2.3.3
polars 1.44.2
ids by 1, pandas: matches True, 0 unequal
ids by 1, Polars: matches True, 0 unequal
ids by 100, pandas: matches True, 0 unequal
ids by 100, Polars: matches True, 0 unequal
ids by 1000, pandas: matches False, 1 unequal
ids by 1000, Polars: matches False, 1 unequal
as texts, pandas: matches False, 1 unequal
as texts, Polars: matches False, 1 unequal
Decimal, pandas: matches True, 0 unequal
Decimal, Polars: matches False, 1 unequal
Int64 beside NULL, pandas: matches True, 0 unequal
joined by the id: False 0 rows in both
pandas compare(): 1 row differs
EXPECTED
