#!/usr/bin/env bash
# pandas.json_normalize keeps one of two fields whose paths read alike, and drops empty maps.
#
# Expected: a document with the field "plan.name" and a map "plan" with "name", which Firestore and
# JSON allow, gives two columns, or an error. An empty map shows somewhere, as a text does.
# Seen: json_normalize() joins names with a point and writes both into one column: the map's value
# wins, whichever comes first, and the other is gone without a word. Polars' json_normalize() does
# the same. flatten_json keeps the later of plan_name and plan: {name}, a usual pair. An empty map
# gives no value, so its document looks as if it had no such field, and if all are empty there is no
# column. record_path leaves out the documents whose list is empty. sep="/", or another sign that no
# name has, cures the pairs, and max_level=0 shows empty maps.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  pandas==3.1.1 numpy==2.4.6 polars==2.1.0 flatten_json==0.1.14
cat >"$folder/try.py" <<'PYTHON'
import importlib.metadata
import json

import flatten_json
import pandas
import polars

for package in ("pandas", "polars", "flatten_json"):
    print(package, importlib.metadata.version(package))


def show(name, rows):
    print(f"{name}:", json.dumps(rows))


def with_pandas(documents, **options):
    rows = pandas.json_normalize(documents, **options)
    return json.loads(rows.to_json(orient="records"))


def both_orders(name):
    pair = {name: "pro", "plan": {"name": "free"}}
    yield pair
    yield dict(reversed(pair.items()))


for document in both_orders("plan.name"):
    show("document", document)
    show("  pandas", with_pandas([document]))
    show("  polars", polars.json_normalize([document]).to_dicts())
    show("  pandas, another sign", with_pandas([document], sep="/"))
for document in both_orders("plan_name"):
    show("document", document)
    show("  flatten_json", flatten_json.flatten(document))
documents = [
    {"id": 1, "plan": {"name": "free"}},
    {"id": 2, "plan": {}},
    {"id": 3},
    {"id": 4, "plan": None},
    {"id": 5, "plan": "none"},
]
for document, row in zip(documents, with_pandas(documents)):
    show(f"{json.dumps(document)} in pandas", row)
show("only empty maps", with_pandas([{"id": 1, "plan": {}}, {"id": 2, "plan": {}}]))
show("max_level=0", with_pandas([{"id": 1, "plan": {}}], max_level=0))
carts = [{"id": 1, "items": [{"sku": "a"}]}, {"id": 2, "items": []}]
show("record_path of 1 and 2", with_pandas(carts, record_path="items", meta=["id"]))
PYTHON
"$folder/venv/bin/python" "$folder/try.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
pandas 3.1.1
polars 2.1.0
flatten_json 0.1.14
document: {"plan.name": "pro", "plan": {"name": "free"}}
  pandas: [{"plan.name": "free"}]
  polars: [{"plan.name": "free"}]
  pandas, another sign: [{"plan.name": "pro", "plan/name": "free"}]
document: {"plan": {"name": "free"}, "plan.name": "pro"}
  pandas: [{"plan.name": "free"}]
  polars: [{"plan.name": "free"}]
  pandas, another sign: [{"plan.name": "pro", "plan/name": "free"}]
document: {"plan_name": "pro", "plan": {"name": "free"}}
  flatten_json: {"plan_name": "free"}
document: {"plan": {"name": "free"}, "plan_name": "pro"}
  flatten_json: {"plan_name": "pro"}
{"id": 1, "plan": {"name": "free"}} in pandas: {"id": 1, "plan.name": "free", "plan": null}
{"id": 2, "plan": {}} in pandas: {"id": 2, "plan.name": null, "plan": null}
{"id": 3} in pandas: {"id": 3, "plan.name": null, "plan": null}
{"id": 4, "plan": null} in pandas: {"id": 4, "plan.name": null, "plan": null}
{"id": 5, "plan": "none"} in pandas: {"id": 5, "plan.name": null, "plan": "none"}
only empty maps: [{"id": 1}, {"id": 2}]
max_level=0: [{"id": 1, "plan": {}}]
record_path of 1 and 2: [{"sku": "a", "id": 1}]
EXPECTED
