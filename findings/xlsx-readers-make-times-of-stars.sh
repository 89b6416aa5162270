#!/usr/bin/env bash
# xlsx2csv writes the format in place of 4.5, shown as 4.5 stars, and pylightxl the time 12:00:00.
#
# Expected: a number whose format shows a word behind it is that number, and a duration of 25:30
# hours is 25.5 hours or 25:30:00, as openpyxl reads them.
# Seen: both take a format for one of times when it has a letter such as s, m or d, also within
# quotation marks, where Excel only shows it. xlsx2csv writes for each rating in the format
# 0.0 "stars" the same text, which is the format, and the number is lost; "months" becomes
# "01ont12s". pylightxl makes 4.5 stars 12:00:00, 4.5 days a moment of January 1900, and 5 months
# 00:00:00, as if it were a number of days. A duration in [h]:mm:ss loses its days in both: 25:30:00
# is 01:30:00, so that a total of 25 hours of use is one of an hour and a half. Of
# [h]:mm xlsx2csv gives the number of days, and of a minute and a half in mm:ss 00:01.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  xlsx2csv==0.8.6 pylightxl==1.61 openpyxl==3.1.5 XlsxWriter==3.3.1
cat >"$folder/try.py" <<'PYTHON'
import csv
import pathlib
import subprocess
import sys
from importlib.metadata import version

import openpyxl
import pylightxl
import xlsxwriter

folder = pathlib.Path(sys.argv[1])
for name in ("xlsx2csv", "pylightxl", "openpyxl"):
    print(name, version(name))
cells = [
    (4.5, "0.0"),
    (4.5, '0.0 "stars"'),
    (2, '0.0 "stars"'),
    (4.5, '0.0 "days"'),
    (5, '0 "months"'),
    (12, '0 "users"'),
    (25.5 / 24, "[h]:mm:ss"),
    (1.5 / 24, "[h]:mm:ss"),
    (25.5 / 24, "[h]:mm"),
    (1.5 / 1440, "mm:ss"),
]
file = str(folder / "usage.xlsx")
book = xlsxwriter.Workbook(file)
sheet = book.add_worksheet("usage")
for row, (number, form) in enumerate(cells):
    sheet.write_number(row, 0, number, book.add_format({"num_format": form}))
book.close()
text = subprocess.run(
    [sys.executable, "-m", "xlsx2csv", file], check=True, capture_output=True, text=True
).stdout
rows = list(csv.reader(text.splitlines()))
light = pylightxl.readxl(file).ws("usage")
right = openpyxl.load_workbook(file).active
for row, (_, form) in enumerate(cells):
    values = rows[row][0], light.index(row + 1, 1), right.cell(row + 1, 1).value
    print(f"{form}: {values[0]} | {values[1]} | {values[2]}")
PYTHON
"$folder/venv/bin/python" "$folder/try.py" "$folder" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
xlsx2csv 0.8.6
pylightxl 1.61
openpyxl 3.1.5
0.0: 4.5 | 4.5 | 4.5
0.0 "stars": 0.0 "stars" | 12:00:00 | 4.5
0.0 "stars": 0.0 "stars" | 00:00:00 | 2
0.0 "days": 0.0 "03ays" | 1900/01/03 12:00:00 | 4.5
0 "months": 0 "01ont12s" | 00:00:00 | 5
0 "users": 0 "users" | 00:00:00 | 12
[h]:mm:ss: 01:30 | 01:30:00 | 1 day, 1:30:00
[h]:mm:ss: 01:30 | 01:30:00 | 1:30:00
[h]:mm: 1.0625 | 01:30:00 | 1 day, 1:30:00
mm:ss: 00:01 | 00:01:30 | 00:01:30
EXPECTED
