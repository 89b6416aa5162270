#!/usr/bin/env bash
# pandas and Polars write the same time into SQLite as 00:30 or 02:30, by the driver that they use.
#
# Expected: a column of times with a zone has the same instants in the file, whichever connection
# to_sql() or write_database() is given.
# Seen: by SQLAlchemy the hour of the zone is written without its offset. SQLite takes it for UTC,
# so it is two hours off, and in autumn 02:30 and 02:30 of an hour later are one text. By ADBC the
# time in UTC is written, by pandas and a connection of sqlite3 the offset as well. So Polars' hours
# depend on engine=, and pandas' on the kind of connection; rows that another one appended sort and
# compare wrongly. Nothing warns. pandas documents the first of these, Polars none. Turn times into
# UTC before, with tz_convert() or convert_time_zone().
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pandas==3.1.1 numpy==2.4.6 \
  polars==2.1.0 pyarrow==26.0.1 SQLAlchemy==2.1.9 adbc-driver-sqlite==1.13.0 \
  adbc-driver-manager==1.13.0 tzdata==2026.6
cat >"$folder/try.py" <<'PYTHON'
import importlib.metadata
import os
import sqlite3
import sys
from datetime import datetime, timezone

import adbc_driver_sqlite.dbapi
import pandas
import polars
import sqlalchemy

for package in ("pandas", "polars", "SQLAlchemy", "adbc-driver-sqlite"):
    print(package, importlib.metadata.version(package))
# The last hour of summer time in Berlin, and the one behind it.
times = [datetime(2026, 10, 25, hour, 30, tzinfo=timezone.utc) for hour in (0, 1)]
pandas_frame = pandas.DataFrame({"at": pandas.to_datetime(times).tz_convert("Europe/Berlin")})
polars_frame = polars.DataFrame({"at": times}).with_columns(
    polars.col("at").dt.convert_time_zone("Europe/Berlin")
)
pandas_utc = pandas.DataFrame({"at": pandas.to_datetime(times)})


def show(title, write):
    path = os.path.join(sys.argv[1], title.replace(" ", "-"))
    write(path)
    database = sqlite3.connect(path)
    texts = [row[0] for row in database.execute("SELECT at FROM t ORDER BY rowid")]
    print(title)
    for text, right in zip(texts, times):
        query = "SELECT (unixepoch(?) - ?) / 3600"
        hours = database.execute(query, [text, int(right.timestamp())]).fetchone()[0]
        print(f"  {text}: {hours} hours off")


def by_sqlite3(path):
    with sqlite3.connect(path) as database:
        pandas_frame.to_sql("t", database, index=False)


def by_adbc(path):
    with adbc_driver_sqlite.dbapi.connect(path) as database:
        pandas_frame.to_sql("t", database, index=False)


def by_sqlalchemy(path, frame=pandas_frame):
    frame.to_sql("t", sqlalchemy.create_engine(f"sqlite:///{path}"), index=False)


def polars_by(engine):
    return lambda path: polars_frame.write_database("t", f"sqlite:///{path}", engine=engine)


show("pandas SQLAlchemy", by_sqlalchemy)
show("pandas sqlite3", by_sqlite3)
show("pandas ADBC", by_adbc)
show("polars SQLAlchemy", polars_by("sqlalchemy"))
show("polars ADBC", polars_by("adbc"))
show("pandas SQLAlchemy in UTC", lambda path: by_sqlalchemy(path, pandas_utc))
PYTHON
"$folder/venv/bin/python" "$folder/try.py" "$folder" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
pandas 3.1.1
polars 2.1.0
SQLAlchemy 2.1.9
adbc-driver-sqlite 1.13.0
pandas SQLAlchemy
  2026-10-25 02:30:00.000000: 2 hours off
  2026-10-25 02:30:00.000000: 1 hours off
pandas sqlite3
  2026-10-25 02:30:00+02:00: 0 hours off
  2026-10-25 02:30:00+01:00: 0 hours off
pandas ADBC
  2026-10-25T00:30:00.000000: 0 hours off
  2026-10-25T01:30:00.000000: 0 hours off
polars SQLAlchemy
  2026-10-25 02:30:00.000000: 2 hours off
  2026-10-25 02:30:00.000000: 1 hours off
polars ADBC
  2026-10-25T00:30:00.000000: 0 hours off
  2026-10-25T01:30:00.000000: 0 hours off
pandas SQLAlchemy in UTC
  2026-10-25 00:30:00.000000: 0 hours off
  2026-10-25 01:30:00.000000: 0 hours off
EXPECTED
