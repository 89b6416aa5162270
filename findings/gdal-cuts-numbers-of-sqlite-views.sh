#!/usr/bin/env bash
# GDAL reads a share of 0.75 in an SQLite view as 0 when the first row's share is 0, and hides keys.
#
# Expected: ogr2ogr and pyogrio, which open SQLite files as they are, give every value, or say which
# ones they changed.
# Seen: a column that a view or a query computes has the type of its first row's value. Behind a 0 a
# 0.75 is 0, without a warning; with the rows in another order it is right. Behind a NULL numbers
# are texts. A column INTEGER PRIMARY KEY is no column of the result: its values are GDAL's "fid",
# which ogr2ogr 3.6.2 leaves out of CSV. An INTEGER column is taken for 32 bits where its first
# value fits: 3,000,000,000 becomes 2,147,483,647, with a warning. Cast in the view, as with
# CAST(share AS REAL), declare BIGINT, and give the key a second time, as with id AS app_id.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pyogrio==0.12.1 numpy==2.4.6
cat >"$folder/try.py" <<'PYTHON'
import os
import sqlite3
import sys
import warnings

import pyogrio
from pyogrio.raw import read

path = os.path.join(sys.argv[1], "apps.sqlite")
database = sqlite3.connect(path)
database.executescript("""
CREATE TABLE apps (id INTEGER PRIMARY KEY, name TEXT, installs INTEGER, big BIGINT);
INSERT INTO apps VALUES (101, 'a', 5, 5),
  (205, 'b', 7, 3000000000), (300, 'c', 3000000000, 9007199254740993);
CREATE TABLE days (name TEXT, users INTEGER, payers INTEGER);
INSERT INTO days VALUES ('a', 4, 0), ('b', 4, 3), ('c', 0, 0);
CREATE VIEW shares AS
  SELECT name, iif(payers = 0, 0, 1.0 * payers / users) AS share FROM days;
CREATE VIEW shares_from_b AS SELECT * FROM shares ORDER BY name = 'a';
CREATE VIEW shares_cast AS SELECT name, CAST(share AS REAL) AS share FROM shares;
CREATE VIEW averages AS SELECT name, 1.0 * users / nullif(payers, 0) AS average FROM days;
""")
database.close()
print("pyogrio", pyogrio.__version__, "GDAL", pyogrio.__gdal_version_string__)


def show(name, **options):
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        meta, _, _, columns = read(path, **options)
    print(name)
    for field, kind, values in zip(meta["fields"], meta["dtypes"], columns):
        print(f"  {field} {kind}: {[None if v is None else str(v) for v in values]}")
    for warning in warned:
        print("  warning:", str(warning.message).partition(" occurred")[0])


show("shares", layer="shares")
show("as a query", sql="SELECT * FROM shares")
show("in another order", layer="shares_from_b")
show("cast", layer="shares_cast")
show("NULL first", layer="averages")
show("apps", layer="apps")
show("the key as well", sql="SELECT id AS app_id, name FROM apps")
PYTHON
"$folder/venv/bin/python" "$folder/try.py" "$folder" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
pyogrio 0.12.1 GDAL 3.11.4
shares
  name object: ['a', 'b', 'c']
  share int32: ['0', '0', '0']
as a query
  name object: ['a', 'b', 'c']
  share int32: ['0', '0', '0']
in another order
  name object: ['b', 'c', 'a']
  share float64: ['0.75', '0.0', '0.0']
cast
  name object: ['a', 'b', 'c']
  share float64: ['0.0', '0.75', '0.0']
NULL first
  name object: ['a', 'b', 'c']
  average object: [None, '1.33333333333333', None]
apps
  name object: ['a', 'b', 'c']
  installs int32: ['5', '7', '2147483647']
  big int64: ['5', '3000000000', '9007199254740993']
  warning: Field apps.installs: integer overflow
the key as well
  app_id int32: ['101', '205', '300']
  name object: ['a', 'b', 'c']
EXPECTED
