#!/usr/bin/env bash
# Polars and DuckDB leave out a member of NDJSON that the first lines do not have, without a word.
#
# Expected: a reader of NDJSON has every member of every line, or an error.
# Seen: Polars takes its columns from the first 100 lines (infer_schema_length), DuckDB from the
# first 20,480 (sample_size); a member that first comes one line later is in no column, and neither
# error nor warning says so. A value of another type there is an error in both, so a file that is
# read without one looks whole. PyArrow takes its columns from all of the file. Where members that
# are null are left out, rare columns are lost this way.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  polars==2.1.0 duckdb==2.0.1 pyarrow==26.0.1
cat >"$folder/try.py" <<'PYTHON'
import importlib.metadata
import os
import sys

import duckdb
import polars
import pyarrow.json

path = os.path.join(sys.argv[1], "rows.ndjson")
for package in ("polars", "duckdb", "pyarrow"):
    print(package, importlib.metadata.version(package))
readers = {
    "polars": lambda: polars.read_ndjson(path).columns,
    "polars, infer_schema_length=None": lambda: polars.read_ndjson(
        path, infer_schema_length=None
    ).columns,
    "duckdb": lambda: duckdb.sql(f"FROM read_json('{path}')").columns,
    "duckdb, sample_size=-1": lambda: duckdb.sql(
        f"FROM read_json('{path}', sample_size=-1)"
    ).columns,
    "pyarrow": lambda: pyarrow.json.read_json(path).column_names,
}
for line in (100, 101, 20480, 20481):
    with open(path, "w") as file:
        file.write('{"id":1}\n' * (line - 1) + '{"id":2,"rare":"x"}\n')
    print(f"'rare' comes in line {line}")
    for name, columns in readers.items():
        print(f"  {name}: {'is there' if 'rare' in columns() else 'left out'}")
PYTHON
output=$("$folder/venv/bin/python" -W error "$folder/try.py" "$folder")
echo "$output"
diff <(echo "$output") - <<'EXPECTED'
polars 2.1.0
duckdb 2.0.1
pyarrow 26.0.1
'rare' comes in line 100
  polars: is there
  polars, infer_schema_length=None: is there
  duckdb: is there
  duckdb, sample_size=-1: is there
  pyarrow: is there
'rare' comes in line 101
  polars: left out
  polars, infer_schema_length=None: is there
  duckdb: is there
  duckdb, sample_size=-1: is there
  pyarrow: is there
'rare' comes in line 20480
  polars: left out
  polars, infer_schema_length=None: is there
  duckdb: is there
  duckdb, sample_size=-1: is there
  pyarrow: is there
'rare' comes in line 20481
  polars: left out
  polars, infer_schema_length=None: is there
  duckdb: left out
  duckdb, sample_size=-1: is there
  pyarrow: is there
EXPECTED
