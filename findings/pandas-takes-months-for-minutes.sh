#!/usr/bin/env bash
# pandas reads P1M, the period of a monthly subscription, as one minute.
#
# Expected: Timedelta(), which reads ISO 8601, refuses a month, whose length varies, as it refuses
# "1M" and P1Y, or takes it for some 30 days.
# Seen: the M before the T, which means months, counts as the one behind it, which means minutes:
# P1M, P3M and P6M, the periods of App Store and Google Play, are one, three and six minutes in
# Timedelta() and to_timedelta(), and P1M2D is two days and a minute. P1Y and P1Y6M are errors, and
# NaT with errors="coerce", so that a column of plans has minutes, missing values and right weeks
# side by side: the sum of a year's days is wrong without a word. pydantic and aniso8601 make 30
# days of a month and 365 of a year, isodate keeps months as months, and msgspec refuses all but
# days and what is shorter. isodate.parse_duration() added to a day is a day of the next month.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  pandas==3.1.1 numpy==2.4.6 pydantic==2.14.4 aniso8601==10.0.1 isodate==0.7.2 msgspec==0.23.0
cat >"$folder/try.py" <<'PYTHON'
import importlib.metadata
from datetime import date, timedelta

import aniso8601
import isodate
import msgspec
import pandas
import pydantic

for package in ("pandas", "pydantic", "aniso8601", "isodate", "msgspec"):
    print(package, importlib.metadata.version(package))
READERS = {
    "pandas": pandas.Timedelta,
    "pydantic": pydantic.TypeAdapter(timedelta).validate_python,
    "aniso8601": aniso8601.parse_duration,
    "isodate": isodate.parse_duration,
    "msgspec": lambda text: msgspec.convert(text, timedelta),
}


def read(name, text):
    try:
        length = READERS[name](text)
        return str(length).removesuffix(", 0:00:00").removesuffix(" 00:00:00")
    except (ValueError, msgspec.ValidationError):
        return "none"


for period in ("P3D", "P1W", "P1M", "P3M", "P6M", "P1M2D", "P1Y", "P1Y6M", "PT1M"):
    print(f"{period}:")
    print("  " + ", ".join(f"{name} {read(name, period)}" for name in READERS))
plans = pandas.Series(["P1W", "P1M", "P6M", "P1Y"])
lengths = pandas.to_timedelta(plans, errors="coerce")
print("a column:", [str(length) for length in lengths], "sum", lengths.sum())
try:
    print(pandas.Timedelta("1M"))
except ValueError:
    print("1M is refused by pandas")
print("a month from 31 January:", date(2026, 1, 31) + isodate.parse_duration("P1M"))
PYTHON
"$folder/venv/bin/python" "$folder/try.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
pandas 3.1.1
pydantic 2.14.4
aniso8601 10.0.1
isodate 0.7.2
msgspec 0.23.0
P3D:
  pandas 3 days, pydantic 3 days, aniso8601 3 days, isodate 3 days, msgspec 3 days
P1W:
  pandas 7 days, pydantic 7 days, aniso8601 7 days, isodate 7 days, msgspec none
P1M:
  pandas 0 days 00:01:00, pydantic 30 days, aniso8601 30 days, isodate 1 month, msgspec none
P3M:
  pandas 0 days 00:03:00, pydantic 90 days, aniso8601 90 days, isodate 3 months, msgspec none
P6M:
  pandas 0 days 00:06:00, pydantic 180 days, aniso8601 180 days, isodate 6 months, msgspec none
P1M2D:
  pandas 2 days 00:01:00, pydantic 32 days, aniso8601 32 days, isodate 1 month, 2 days, msgspec none
P1Y:
  pandas none, pydantic 365 days, aniso8601 365 days, isodate 1 years, msgspec none
P1Y6M:
  pandas none, pydantic 545 days, aniso8601 545 days, isodate 1 years, 6 months, msgspec none
PT1M:
  pandas 0 days 00:01:00, pydantic 0:01:00, aniso8601 0:01:00, isodate 0:01:00, msgspec 0:01:00
a column: ['7 days 00:00:00', '0 days 00:01:00', '0 days 00:06:00', 'NaT'] sum 7 days 00:07:00
1M is refused by pandas
a month from 31 January: 2026-02-28
EXPECTED
