#!/usr/bin/env bash
# sqlite-utils makes texts of numbers when the first rows of their column are null, and looks at
# fewer rows the more columns there are.
#
# Expected: a number of JSON is a number in SQLite; the first 100 rows decide on a column's type, or
# as many as --batch-size says.
# Seen: a column that is null in the whole first batch becomes TEXT, so SQLite stores the digits of
# each later number as a text: max() of numbers up to 1,200 is '999', and rows are in the order of
# words. Nothing warns. A batch has at most 999 values, so 30 columns make it 33 rows, and
# --batch-size does not change that. With --type late integer they are numbers, and
# sqlite-utils transform makes numbers of them later.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check sqlite-utils==4.2.1
cat >"$folder/try.py" <<'PYTHON'
import importlib.metadata
import json
import os
import subprocess
import sys

folder = sys.argv[1]
program = os.path.join(folder, "venv", "bin", "sqlite-utils")
rows, path = os.path.join(folder, "rows.ndjson"), os.path.join(folder, "rows.sqlite")


def run(*words):
    return subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout


def inserted(columns, first, *options):
    """The type and the maximum of a column that has its first number in this row, of 1,200."""
    if os.path.exists(path):
        os.remove(path)
    with open(rows, "w") as file:
        for number in range(1, 1201):
            row = {f"column_{place}": place for place in range(1, columns)}
            row["late"] = number if number >= first else None
            file.write(json.dumps(row) + "\n")
    run("insert", path, "rows", rows, "--nl", *options)
    return maximum()


def maximum():
    query = "SELECT typeof(late) AS type, max(late) AS max FROM rows WHERE late IS NOT NULL"
    row = json.loads(run("query", path, query))[0]
    return f"{row['type']}, max {row['max']!r}"


print("sqlite-utils", importlib.metadata.version("sqlite-utils"))
for columns, line in ((3, 100), (10, 99), (30, 33), (60, 16)):
    for first in (line, line + 1):
        print(f"{columns} columns, first number in row {first}: {inserted(columns, first)}")
print("the same, --batch-size 5000:", inserted(60, 17, "--batch-size", "5000"))
print("the same, --type late integer:", inserted(60, 17, "--type", "late", "integer"))
inserted(60, 17)
run("transform", path, "rows", "--type", "late", "integer")
print("after transform:", maximum())
PYTHON
"$folder/venv/bin/python" "$folder/try.py" "$folder" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
sqlite-utils 4.2.1
3 columns, first number in row 100: integer, max 1200
3 columns, first number in row 101: text, max '999'
10 columns, first number in row 99: integer, max 1200
10 columns, first number in row 100: text, max '999'
30 columns, first number in row 33: integer, max 1200
30 columns, first number in row 34: text, max '999'
60 columns, first number in row 16: integer, max 1200
60 columns, first number in row 17: text, max '999'
the same, --batch-size 5000: text, max '999'
the same, --type late integer: integer, max 1200
after transform: integer, max 1200
EXPECTED
