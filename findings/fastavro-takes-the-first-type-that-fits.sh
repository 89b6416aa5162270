#!/usr/bin/env bash
# fastavro writes the id 9007199254740993 as 9007199254740992.0, and a time as the day alone.
#
# Expected: where a field may be a double or a long, an integer of Python is written as the long,
# and where it may be a day or a time, a datetime as the time: those are what they are.
# Seen: fastavro writes the first type of the union that can take the value. Where the types are in
# alphabetical order, the double stands before the long, and each integer is a double: 5 comes back
# as 5.0, and ids above 2 ^ 53 are others, so that two users are one. Beside a float, a time in
# milliseconds is 45 seconds later. With the day before the time, a datetime is its day, and the
# hours are gone. validate() is content with all. A Python float in a union of float and double is
# a double since issue 437; integers and datetimes are not looked after in that way.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check fastavro==1.13.1
cat >"$folder/try.py" <<'PYTHON'
import datetime
import io
from importlib.metadata import version

import fastavro

print("fastavro", version("fastavro"))
DAY = {"type": "int", "logicalType": "date"}
TIME = {"type": "long", "logicalType": "timestamp-micros"}


def show(name, union, *values):
    field = {"name": "value", "type": union}
    schema = fastavro.parse_schema({"type": "record", "name": "document", "fields": [field]})
    file = io.BytesIO()
    rows = [{"value": value} for value in values]
    assert fastavro.validation.validate_many(rows, schema)
    fastavro.writer(file, schema, rows)
    file.seek(0)
    for value, row in zip(values, fastavro.reader(file)):
        print(f"{name}: {value} -> {row['value']}")


ids = 9007199254740992, 9007199254740993
night = datetime.datetime(2026, 3, 1, 23, 0, 5, tzinfo=datetime.timezone.utc)
for types in ("boolean, double, long, null, string", "null, boolean, long, double, string"):
    show(types, types.split(", "), 5, 4.5, *ids)
show("float, long", ["float", "long"], 16777217, 1772352000005)
show("float, double", ["float", "double"], 0.1)
show("day, time", [DAY, TIME], night, night.date())
show("time, day", [TIME, DAY], night, night.date())
PYTHON
"$folder/venv/bin/python" "$folder/try.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
fastavro 1.13.1
boolean, double, long, null, string: 5 -> 5.0
boolean, double, long, null, string: 4.5 -> 4.5
boolean, double, long, null, string: 9007199254740992 -> 9007199254740992.0
boolean, double, long, null, string: 9007199254740993 -> 9007199254740992.0
null, boolean, long, double, string: 5 -> 5
null, boolean, long, double, string: 4.5 -> 4.5
null, boolean, long, double, string: 9007199254740992 -> 9007199254740992
null, boolean, long, double, string: 9007199254740993 -> 9007199254740993
float, long: 16777217 -> 16777216.0
float, long: 1772352000005 -> 1772352045056.0
float, double: 0.1 -> 0.1
day, time: 2026-03-01 23:00:05+00:00 -> 2026-03-01
day, time: 2026-03-01 -> 2026-03-01
time, day: 2026-03-01 23:00:05+00:00 -> 2026-03-01 23:00:05+00:00
time, day: 2026-03-01 -> 2026-03-01
EXPECTED
