#!/usr/bin/env bash
# pandas, Polars and DuckDB count half days of local time in three ways, and Polars in two itself.
#
# Expected: bins of 12 hours in Europe/Berlin begin at 0 and 12 o'clock on every day, as the bins of
# one day begin at midnight; the same rows make the same bins, whatever rows come before them.
# Seen: pandas' resample("12h") and Polars' group_by_dynamic(every="12h") step by hours of real
# time from the first day, so after the change in March they begin at 1 and 13 o'clock, and a day in
# April has other halves in a report since March than in one since April. "24h" does the same,
# "1d" does not. Polars' dt.truncate("12h") has 0 and 12 o'clock throughout. DuckDB's time_bucket()
# has the days of UTC, also with SET TimeZone, where date_trunc() has local ones; the zone as its
# third argument makes the days local and the half days those of winter, 1 and 13 o'clock in April.
# Seven days are no week either: Polars' "7d" begins on Thursdays and its "1w" on Mondays, pandas'
# "7D" on the weekday of the first row. Take "1d" and "1w", and for parts of a day the local hour.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  pandas==3.1.1 polars==2.1.0 duckdb==2.0.1 pyarrow==26.0.1 pytz==2026.2 tzdata==2026.6
cat >"$folder/try.py" <<'PYTHON'
import importlib.metadata
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import duckdb
import pandas
import polars

for package in ("pandas", "polars", "duckdb"):
    print(package, importlib.metadata.version(package))
ZONE = "Europe/Berlin"


def hours(since):
    """Every hour from a local midnight to that of 11 April 2026; 29 March had 23 of them."""
    at = datetime.fromisoformat(since).replace(tzinfo=ZoneInfo(ZONE)).astimezone(timezone.utc)
    while at < datetime(2026, 4, 10, 22, tzinfo=timezone.utc):
        yield at
        at += timedelta(hours=1)


def with_pandas(bin, times):
    rows = pandas.Series(1, index=pandas.DatetimeIndex(times).tz_convert(ZONE))
    return rows.resample(bin).count().index.to_pydatetime()


def frame(times):
    return polars.DataFrame({"at": times}).with_columns(polars.col("at").dt.convert_time_zone(ZONE))


def with_polars(bin, times):
    grouped = frame(times).set_sorted("at").group_by_dynamic("at", every=bin)
    return grouped.agg(polars.len())["at"].to_list()


def truncated(bin, times):
    return frame(times)["at"].dt.truncate(bin).unique().sort().to_list()


def with_duckdb(bin, times):
    rows = frame(times)  # the query reads it by this name
    bin, _, zone = bin.partition(", ")
    bucket = f"time_bucket(INTERVAL '{bin}', \"at\"" + (f", '{zone}')" if zone else ")")
    call = bucket if " " in bin else f"date_trunc('{bin}', \"at\")"
    database = duckdb.connect()
    database.execute(f"SET TimeZone = '{ZONE}'")
    found = database.execute(f"SELECT DISTINCT {call} FROM rows ORDER BY 1").fetchall()
    return [row[0].astimezone(ZoneInfo(ZONE)) for row in found]


for name, bins, make in (
    ("pandas resample", ("12h", "24h", "1D"), with_pandas),
    ("polars group_by_dynamic", ("12h", "24h", "1d"), with_polars),
    ("polars dt.truncate", ("12h", "24h", "1d"), truncated),
    ("duckdb time_bucket", ("12 hours", "1 day"), with_duckdb),
    ("duckdb time_bucket", (f"12 hours, {ZONE}", f"1 day, {ZONE}"), with_duckdb),
    ("duckdb date_trunc", ("day",), with_duckdb),
):
    for bin in bins:
        begins = []
        for since in ("2026-03-27", "2026-04-01"):
            day = [at for at in make(bin, list(hours(since))) if at.strftime("%d %B") == "09 April"]
            begins.append(" ".join(f"{at:%H:%M}" for at in day))
        print(f"{name} {bin}: since March {begins[0]}, since April {begins[1]}")
for name, bins, make in (
    ("pandas resample", ("7D", "W"), with_pandas),
    ("polars group_by_dynamic", ("7d", "1w"), with_polars),
    ("duckdb time_bucket", ("7 days",), with_duckdb),
):
    for bin in bins:
        print(f"{name} {bin}: {make(bin, list(hours('2026-03-31')))[1]:%A, %d %B, %H:%M}")
PYTHON
"$folder/venv/bin/python" -W ignore "$folder/try.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
pandas 3.1.1
polars 2.1.0
duckdb 2.0.1
pandas resample 12h: since March 01:00 13:00, since April 00:00 12:00
pandas resample 24h: since March 01:00, since April 00:00
pandas resample 1D: since March 00:00, since April 00:00
polars group_by_dynamic 12h: since March 01:00 13:00, since April 00:00 12:00
polars group_by_dynamic 24h: since March 01:00, since April 00:00
polars group_by_dynamic 1d: since March 00:00, since April 00:00
polars dt.truncate 12h: since March 00:00 12:00, since April 00:00 12:00
polars dt.truncate 24h: since March 00:00, since April 00:00
polars dt.truncate 1d: since March 00:00, since April 00:00
duckdb time_bucket 12 hours: since March 02:00 14:00, since April 02:00 14:00
duckdb time_bucket 1 day: since March 02:00, since April 02:00
duckdb time_bucket 12 hours, Europe/Berlin: since March 01:00 13:00, since April 01:00 13:00
duckdb time_bucket 1 day, Europe/Berlin: since March 00:00, since April 00:00
duckdb date_trunc day: since March 00:00, since April 00:00
pandas resample 7D: Tuesday, 07 April, 00:00
pandas resample W: Sunday, 12 April, 00:00
polars group_by_dynamic 7d: Thursday, 02 April, 00:00
polars group_by_dynamic 1w: Monday, 06 April, 00:00
duckdb time_bucket 7 days: Monday, 06 April, 02:00
EXPECTED
