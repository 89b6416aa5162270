#!/usr/bin/env bash
# dlt makes true of numbers, and times of 1970, when a field's first value was true or a time.
#
# Expected: where a later value is of another type than a column, dlt keeps it in a column of its
# own, such as discount__v_double.
# Seen: it does so only where it has no conversion. A field that began with true takes 0.2, 2 and -1
# as true and 0 as false. One that began with an ISO time takes the 5 of a later document as five
# seconds of 1970, and "20260301" as a day; one that began with an integer takes "007" as 7 and
# "1_000" as 1000. No column of its own, warning or error tells it. Which value comes first decides:
# true behind a number is kept apart. Documents of one Firestore collection may mix such values.
# columns={"discount": {"data_type": "text"}} keeps all of them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  "dlt[duckdb]==1.31.0" duckdb==2.0.1
cat >"$folder/try.py" <<'PYTHON'
import importlib.metadata
import os
import sys

os.chdir(sys.argv[1])
os.environ["HOME"] = os.environ["DLT_DATA_DIR"] = sys.argv[1]
os.environ["RUNTIME__DLTHUB_TELEMETRY"] = "false"
os.environ["RUNTIME__LOG_LEVEL"] = "ERROR"
import dlt
import duckdb

for package in ("dlt", "duckdb"):
    print(package, importlib.metadata.version(package))


def load(name, values, **options):
    """The columns that dlt makes of one field, in the order of the documents."""
    documents = [{"id": id, "field": value} for id, value in enumerate(values)]
    to = dlt.destinations.duckdb(f"{name}.duckdb")
    pipeline = dlt.pipeline(name, destination=to, dataset_name="copy")
    pipeline.run(dlt.resource(documents, name="docs", **options))
    database = duckdb.connect(f"{name}.duckdb")
    database.execute("SET TimeZone = 'UTC'")
    names = [row[0] for row in database.execute("DESCRIBE copy.docs").fetchall()]
    print(f"{name}: {values}")
    for column in names:
        if column.startswith("field"):
            query = f"SELECT {column}::VARCHAR FROM copy.docs ORDER BY id"
            print(f"  {column}:", *(row[0] for row in database.execute(query).fetchall()))
    database.close()


load("truth", [True, 0.2, 2, -1, 0, "maybe"])
load("numbers", [2, True, 0.2, "007", "1_000", "n/a"])
load("times", ["2026-03-01T10:00:00Z", 5, "20260301", "soon"])
load("truth_as_text", [True, 0.2, 2], columns={"field": {"data_type": "text"}})
PYTHON
"$folder/venv/bin/python" -W ignore "$folder/try.py" "$folder" >"$folder/seen" 2>"$folder/errors"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
dlt 1.31.0
duckdb 2.0.1
truth: [True, 0.2, 2, -1, 0, 'maybe']
  field: true true true true false None
  field__v_text: None None None None None maybe
numbers: [2, True, 0.2, '007', '1_000', 'n/a']
  field: 2 None None 7 1000 None
  field__v_bool: None true None None None None
  field__v_double: None None 0.2 None None None
  field__v_text: None None None None None n/a
times: ['2026-03-01T10:00:00Z', 5, '20260301', 'soon']
  field: 2026-03-01 10:00:00+00 1970-01-01 00:00:05+00 2026-03-01 00:00:00+00 None
  field__v_text: None None None soon
truth_as_text: [True, 0.2, 2]
  field: True 0.2 2
EXPECTED
