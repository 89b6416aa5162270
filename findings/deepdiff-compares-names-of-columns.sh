#!/usr/bin/env bash
# DeepDiff finds no difference between pandas tables of other values, and drops rows by group_by.
#
# Expected: DeepDiff of two DataFrames shows the cells that differ, or refuses them; with group_by
# two rows of one key are both compared, or are an error.
# Seen: a pandas DataFrame is compared as the list of its column names: with the same columns and
# other values, or other numbers of rows, the result is {}, also within a dict. A pandas Series, a
# NumPy array and a Polars DataFrame are compared by value. With group_by="id" the last row of each
# key takes the place of the others, so a change in an earlier row, or its absence, is {}.
# Compare frame.to_dict("records") or use DataFrame.compare(), and check that keys are unique.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  deepdiff==9.1.0 pandas==3.1.1 polars==2.1.0 numpy==2.4.6
cat >"$folder/try.py" <<'PYTHON'
import deepdiff
import pandas
import polars
from deepdiff import DeepDiff

for module in (deepdiff, pandas, polars):
    print(module.__name__, module.__version__)
before = {"day": ["2026-03-01", "2026-03-02"], "payers": [5, 7]}
after = {"day": ["2026-03-01", "2026-03-02"], "payers": [5, 9]}
longer = {"day": [*before["day"], "2026-03-03"], "payers": [5, 7, 8]}
other = {"day": before["day"], "users": [5, 7]}


def show(name, left, right, **options):
    print(f"{name}: {DeepDiff(left, right, **options)}")


frame = pandas.DataFrame
show("pandas, another value", frame(before), frame(after))
show("pandas, one more row", frame(before), frame(longer))
show("another column", frame(before), frame(other))
show("in a dict", {"days": frame(before)}, {"days": frame(after)})
show("a column", frame(before)["payers"], frame(after)["payers"])
show("an array", frame(before)["payers"].to_numpy(), frame(after)["payers"].to_numpy())
show("Polars", polars.DataFrame(before), polars.DataFrame(after))
show("records", frame(before).to_dict("records"), frame(after).to_dict("records"))

payments = [
    {"user": "a", "price": 5},
    {"user": "a", "price": 7},
    {"user": "b", "price": 5},
]
changed = [{"user": "a", "price": 99}, *payments[1:]]
show("first payment changed", payments, changed, group_by="user")
show("first payment missing", payments, payments[1:], group_by="user")
changed = [*payments[:2], {"user": "b", "price": 6}]
show("last payment changed", payments, changed, group_by="user")
PYTHON
"$folder/venv/bin/python" "$folder/try.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
deepdiff 9.1.0
pandas 3.1.1
polars 2.1.0
pandas, another value: {}
pandas, one more row: {}
another column: {'values_changed': {'root[1]': {'new_value': 'users', 'old_value': 'payers'}}}
in a dict: {}
a column: {'values_changed': {'root[1]': {'new_value': 9, 'old_value': 7}}}
an array: {'values_changed': {'root[1]': {'new_value': np.int64(9), 'old_value': np.int64(7)}}}
Polars: {'values_changed': {'root[1][1]': {'new_value': 9, 'old_value': 7}}}
records: {'values_changed': {"root[1]['payers']": {'new_value': 9, 'old_value': 7}}}
first payment changed: {}
first payment missing: {}
last payment changed: {'values_changed': {"root['b']['price']": {'new_value': 6, 'old_value': 5}}}
EXPECTED
