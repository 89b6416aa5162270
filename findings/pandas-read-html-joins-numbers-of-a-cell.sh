#!/usr/bin/env bash
# pandas.read_html reads the list of 1 and 2 in a cell as 12, and 10 with the footnote 2 as 102.
#
# Expected: a cell with two numbers is a text, as it is with <br> between them ("5 7"), or there is
# an error. That 1,234 is 1234 is documented (thousands=",").
# Seen: the texts of a cell are put together with nothing between them, unless the source has white
# space there, which minified pages have not. The items of a list, two paragraphs, a value and its
# rank, a footnote, the label of an SVG chart, and what the attribute "hidden" hides become one
# number in a column of integers, and "1,2,15", three days of a month, is 1215. All three parsers do
# it. Nothing warns, and sums are wrong by far. In pages of your own write a space or <br> between
# numbers; of others read the column as text first, with converters={"column": str}.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pandas==3.1.1 numpy==2.4.6 \
  lxml==6.1.3 html5lib==1.1 beautifulsoup4==4.15.0
cat >"$folder/try.py" <<'PYTHON'
import importlib.metadata
import io

import pandas

for package in ("pandas", "lxml", "beautifulsoup4"):
    print(package, importlib.metadata.version(package))
cells = {
    "<br>": "5<br>7",
    "list": "<ul><li>1</li><li>2</li></ul>",
    "paragraphs": "<p>5</p><p>7</p>",
    "value and change": "<span>30</span><span class='change'>+4</span>",
    "value and rank": "<b>30</b><small>4</small>",
    "footnote": "10<sup><a href='#note2'>2</a></sup>",
    "chart": "<svg><text>100</text></svg>40",
    "hidden": "3<span hidden>000</span>",
    "display: none": "3<span style='display: none'>000</span>",
    "days": "1,2,15",
    "days with spaces": "1, 2, 15",
}


def read(cell, flavor):
    page = f"<table><tr><th>n</th></tr><tr><td>{cell}</td></tr><tr><td>1</td></tr></table>"
    column = pandas.read_html(io.StringIO(page), flavor=flavor)[0]["n"]
    return column.iloc[0], column.dtype


for name, cell in cells.items():
    values = {str(read(cell, flavor)) for flavor in ("lxml", "bs4", "html5lib")}
    value, kind = read(cell, "lxml")
    kind = "number" if kind == "int64" else "text"
    print(f"{name}: {cell} is the {kind} {value}{'' if len(values) == 1 else ', or another'}")
PYTHON
"$folder/venv/bin/python" "$folder/try.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
pandas 3.1.1
lxml 6.1.3
beautifulsoup4 4.15.0
<br>: 5<br>7 is the text 5 7
list: <ul><li>1</li><li>2</li></ul> is the number 12
paragraphs: <p>5</p><p>7</p> is the number 57
value and change: <span>30</span><span class='change'>+4</span> is the text 30+4
value and rank: <b>30</b><small>4</small> is the number 304
footnote: 10<sup><a href='#note2'>2</a></sup> is the number 102
chart: <svg><text>100</text></svg>40 is the number 10040
hidden: 3<span hidden>000</span> is the number 3000
display: none: 3<span style='display: none'>000</span> is the number 3
days: 1,2,15 is the number 1215
days with spaces: 1, 2, 15 is the text 1, 2, 15
EXPECTED
