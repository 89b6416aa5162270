#!/usr/bin/env bash
# tablib reads JSON and YAML objects by position: other orders of members swap values in silence.
#
# Expected: the order of an object's members means nothing, so each value comes under its own name.
# Seen: load() and Dataset.dict take the names of the first object, and of the others the values
# in the order in which they stand. An object with its members in another order has swapped values;
# one that has another member than the first has its value under the name of the missing one. Only
# another number of members is an error. So refunds become payments, and no check of types sees it.
# Write JSON for tablib with sorted names (sort_keys) and all members, or use CSV. tablib's pull
# request 663, still open, reads by name.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check tablib==3.10.0 PyYAML==6.0.3
cat >"$folder/try.py" <<'PYTHON'
import importlib.metadata
import json

import tablib

print("tablib", importlib.metadata.version("tablib"))
first = {"app": "a", "paid": 50, "refunded": 5}
cases = {
    "same order": {"app": "b", "paid": 70, "refunded": 7},
    "other order": {"app": "b", "refunded": 7, "paid": 70},
    "another member": {"app": "b", "paid": 70, "tax": 9},
    "a member fewer": {"app": "b", "paid": 70},
}


def attempt(load):
    try:
        return load().dict[1]
    except tablib.exceptions.InvalidDimensions:
        return "InvalidDimensions"


def assigned(rows):
    dataset = tablib.Dataset()
    dataset.dict = rows
    return dataset


for name, second in cases.items():
    rows = [first, second]
    text = json.dumps(rows)  # YAML as well
    print(f"{name}: {json.dumps(second)}")
    print("  JSON ", attempt(lambda: tablib.Dataset().load(text, format="json")))
    print("  YAML ", attempt(lambda: tablib.Dataset().load(text, format="yaml")))
    print("  .dict", attempt(lambda: assigned(rows)))
mixed = [first] * 2 + [cases["other order"]] * 2
table = tablib.Dataset().load(json.dumps(mixed), format="json")
print("paid", sum(table["paid"]), "of", sum(row["paid"] for row in mixed))
table = tablib.Dataset().load(json.dumps(mixed, sort_keys=True), format="json")
print("paid, sorted names", sum(table["paid"]))
PYTHON
"$folder/venv/bin/python" "$folder/try.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
tablib 3.10.0
same order: {"app": "b", "paid": 70, "refunded": 7}
  JSON  {'app': 'b', 'paid': 70, 'refunded': 7}
  YAML  {'app': 'b', 'paid': 70, 'refunded': 7}
  .dict {'app': 'b', 'paid': 70, 'refunded': 7}
other order: {"app": "b", "refunded": 7, "paid": 70}
  JSON  {'app': 'b', 'paid': 7, 'refunded': 70}
  YAML  {'app': 'b', 'paid': 7, 'refunded': 70}
  .dict {'app': 'b', 'paid': 7, 'refunded': 70}
another member: {"app": "b", "paid": 70, "tax": 9}
  JSON  {'app': 'b', 'paid': 70, 'refunded': 9}
  YAML  {'app': 'b', 'paid': 70, 'refunded': 9}
  .dict {'app': 'b', 'paid': 70, 'refunded': 9}
a member fewer: {"app": "b", "paid": 70}
  JSON  InvalidDimensions
  YAML  InvalidDimensions
  .dict InvalidDimensions
paid 114 of 240
paid, sorted names 240
EXPECTED
