#!/usr/bin/env bash
# DuckDB keeps the quotes of a CSV file in its values when no early line has a quoted field.
#
# Expected: the quote of CSV is ", as RFC 4180 and DuckDB's manual have it, wherever the first
# quoted field comes; what the sample decides is the types.
# Seen: when the first quoted field comes in data row 20,480 or later (2,048 with one column), the
# file counts as one without quotes. A text such as say "hi" then has its quotes doubled and two
# more around it, an empty text "" is two quotes, and neither error nor warning says so; a comma
# within quotes is an error. Naming the header and making all columns text changes nothing. Naming
# quote='"', or sample_size=-1, reads two columns as written. sniff_csv shows it: (empty).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check duckdb==2.0.1
cat >"$folder/try.py" <<'PYTHON'
import csv
import importlib.metadata
import os
import sys

import duckdb

path = os.path.join(sys.argv[1], "rows.csv")
print("duckdb", importlib.metadata.version("duckdb"))


def last(options=""):
    """The first value of the last row, or the error's name."""
    try:
        relation = duckdb.sql(f"FROM read_csv('{path}', all_varchar=true, header=true{options})")
        return relation.fetchall()[-1][0]
    except duckdb.Error as error:
        return type(error).__name__


def write(row, text, columns):
    """Rows without quotes, and in this one, the last, a text that needs them, or is empty."""
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["name", "kind"][:columns])
        writer.writerows([[f"n{number}", "x"][:columns] for number in range(1, row)])
        writer.writerow([text, "x"][:columns]) if text else file.write('"",x\r\n')
    with open(path, newline="") as file:
        assert list(csv.reader(file))[-1][0] == text


QUOTE = ", quote='\"', force_not_null=['name']"
for columns, rows in ((2, (20479, 20480)), (1, (2047, 2048))):
    for row in rows:
        write(row, 'say "hi"', columns)
        print(f"{columns} columns, quoted in row {row}: {last()}")
for text in ("a,b", "", 'say "hi"'):
    write(20480, text, 2)
    print(f"{text!r}: {last()!r}, with quote: {last(QUOTE)!r}")
print(f"with sample_size=-1: {last(', sample_size=-1')}")
print("sniff_csv:", duckdb.sql(f"SELECT Quote FROM sniff_csv('{path}')").fetchall()[0][0])
PYTHON
output=$("$folder/venv/bin/python" -W error "$folder/try.py" "$folder")
echo "$output"
diff <(echo "$output") - <<'EXPECTED'
duckdb 2.0.1
2 columns, quoted in row 20479: say "hi"
2 columns, quoted in row 20480: "say ""hi"""
1 columns, quoted in row 2047: say "hi"
1 columns, quoted in row 2048: "say ""hi"""
'a,b': 'InvalidInputException', with quote: 'a,b'
'': '""', with quote: ''
'say "hi"': '"say ""hi"""', with quote: 'say "hi"'
with sample_size=-1: say "hi"
sniff_csv: (empty)
EXPECTED
