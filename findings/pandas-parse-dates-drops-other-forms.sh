#!/usr/bin/env bash
# pandas.read_sql(parse_dates=...) makes NaT of valid times whose form differs from the first one's.
#
# Expected: ISO 8601 with and without a fraction of a second is read alike, or is an error.
# Seen: the form of the column's first value is taken for all. A time with another number of parts
# is NaT, without a warning, although the column keeps its type datetime64. pandas.to_datetime,
# which reads the same column alone, raises ValueError; read_csv leaves the column as text. So one
# text column has three outcomes in one library, and only read_sql loses values. The form has to be
# named: parse_dates={"at": "ISO8601"} reads them all.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pandas==3.1.1
cat >"$folder/try.py" <<'PYTHON'
import io
import sqlite3

import pandas

print("pandas", pandas.__version__)
times = ["2026-01-31T08:00:00Z", "2026-01-31T08:00:00.5Z", "2026-01-31T08:00:00.123456Z"]
database = sqlite3.connect(":memory:")
database.execute("CREATE TABLE events (at TEXT)")
database.executemany("INSERT INTO events VALUES (?)", [(time,) for time in times])


def described(column):
    return f"{column.dtype}, {column.isna().sum()} of {len(column)} missing"


query = "SELECT at FROM events"
print("read_sql:", described(pandas.read_sql(query, database, parse_dates=["at"])["at"]))
try:
    print("to_datetime:", described(pandas.to_datetime(pandas.Series(times))))
except ValueError:
    print("to_datetime: ValueError")
text = io.StringIO("at\n" + "\n".join(times) + "\n")
print("read_csv:", described(pandas.read_csv(text, parse_dates=["at"])["at"]))
named = pandas.read_sql(query, database, parse_dates={"at": "ISO8601"})["at"]
print("read_sql, ISO8601:", described(named))
PYTHON
output=$("$folder/venv/bin/python" -W ignore "$folder/try.py")
echo "$output"
diff <(echo "$output") - <<'EXPECTED'
pandas 3.1.1
read_sql: datetime64[us, UTC], 2 of 3 missing
to_datetime: ValueError
read_csv: str, 0 of 3 missing
read_sql, ISO8601: datetime64[us, UTC], 0 of 3 missing
EXPECTED
