#!/usr/bin/env bash
# sqldiff leaves out changes between two SQLite files, and the changes it prints round numbers.
#
# Expected: the SQL that sqldiff prints makes the first database equal to the second, and no output
# means that they are equal.
# Seen: values are compared as SQLite's = compares them. A name that changed its case in a COLLATE
# NOCASE column is no change, nor are spaces at the end in an RTRIM column, nor 1 that became 1.0,
# also in a key; --summary counts 0 changes. A real is printed with 15 digits, so a time in seconds
# with microseconds becomes another time, and a third or 0.1 + 0.2 another number. Run a second
# time, sqldiff prints the same lines again, for ever. It ends with 0 in all cases. Compare the rows
# themselves, such as with SELECT quote(...), or the two outputs of .sha3sum in sqlite3.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(
  cd "$folder"
  apt-get download -qq -o APT::Sandbox::User=root sqlite3-tools=3.40.1-2+deb12u2
  dpkg-deb --extract sqlite3-tools_*.deb package
)
cat >"$folder/try.py" <<'PYTHON'
import os
import shutil
import sqlite3
import subprocess
import sys

folder = sys.argv[1]
program = os.path.join(folder, "package", "usr", "bin", "sqldiff")
TABLE = """
CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, city TEXT COLLATE RTRIM, n);
CREATE TABLE codes (code TEXT COLLATE NOCASE PRIMARY KEY) WITHOUT ROWID;
"""


def made(name, people, code):
    path = os.path.join(folder, name)
    database = sqlite3.connect(path)
    database.executescript(TABLE)
    with database:
        database.executemany("INSERT INTO people VALUES (?, ?, ?, ?)", people)
        database.execute("INSERT INTO codes VALUES (?)", (code,))
    database.close()
    return path


def rows(path):
    database = sqlite3.connect(path)
    query = "SELECT id, name, city, quote(n), typeof(n) FROM people"
    result = database.execute(query).fetchall() + database.execute("SELECT * FROM codes").fetchall()
    database.close()
    return result


def sqldiff(*words):
    return subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout


old = made("old", [(1, "anna", "Rom", 1), (2, "bo", "Ulm", 0.0)], "de")
new = made("new", [(1, "Anna", "Rom ", 1.0), (2, "BO", "Ulm", 0)], "DE")
print("equal rows:", rows(old) == rows(new))
print("printed:", repr(sqldiff(old, new)))
print(sqldiff("--summary", old, new), end="")
numbers = (1795995000.123456, 0.1 + 0.2, 1 / 3)
old = made("zeros", [(n, "", "", 0) for n in range(3)], "de")
new = made("numbers", [(n, "", "", number) for n, number in enumerate(numbers)], "de")
patch = sqldiff(old, new)
print(patch, end="")
patched = shutil.copy(old, os.path.join(folder, "patched"))
database = sqlite3.connect(patched)
database.executescript(patch)
for (n,), number in zip(database.execute("SELECT n FROM people ORDER BY id"), numbers):
    print(f"{number!r} became {n!r}")
database.close()
print("the same lines again:", sqldiff(patched, new) == patch)
PYTHON
dpkg-deb --field "$folder"/sqlite3-tools_*.deb Package Version >"$folder/seen"
python3 "$folder/try.py" "$folder" >>"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
Package: sqlite3-tools
Version: 3.40.1-2+deb12u2
equal rows: False
printed: ''
codes: 0 changes, 0 inserts, 0 deletes, 1 unchanged
people: 0 changes, 0 inserts, 0 deletes, 2 unchanged
UPDATE people SET n=1795995000.12346 WHERE id=0;
UPDATE people SET n=0.3 WHERE id=1;
UPDATE people SET n=0.333333333333333 WHERE id=2;
1795995000.123456 became 1795995000.12346
0.30000000000000004 became 0.3
0.3333333333333333 became 0.333333333333333
the same lines again: True
EXPECTED
