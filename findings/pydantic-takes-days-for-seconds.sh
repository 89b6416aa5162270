#!/usr/bin/env bash
# pydantic reads the event_date of GA4's export as a time in August 1970.
#
# Expected: "20260301", a day as ISO 8601 and BigQuery's export of GA4 write it, is 1 March 2026 for
# a datetime, as for datetime.fromisoformat(), or an error.
# Seen: a text of digits is a number of seconds since 1970 to pydantic, also with strict=True, so
# the days of ten years become three and a half hours of 22 and 23 August 1970. "20260301" for a
# date is an error. In JSON a text of digits is a time in the first place: with datetime | str,
# "12" becomes a time of 1970, while it stays a text when the same value comes from Python, or with
# str | datetime. A number up to 20,000,000,000 is seconds and a larger one milliseconds, so a
# birthday in milliseconds between May 1969 and August 1970 is in another century.
# BeforeValidator(datetime.fromisoformat) cures the days, val_temporal_unit="milliseconds" the
# birthdays.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  pydantic==2.14.4 pydantic_core==2.50.5
cat >"$folder/try.py" <<'PYTHON'
import importlib.metadata
from datetime import date, datetime, timedelta
from typing import Annotated

import pydantic

for package in ("pydantic", "pydantic_core"):
    print(package, importlib.metadata.version(package))


class Event(pydantic.BaseModel):
    event_date: datetime
    user: str


LINE = '{"event_date": "20260301", "user": "a"}'
print("fromisoformat:", datetime.fromisoformat("20260301"))
print("event_date:", Event.model_validate_json(LINE).event_date)
print("strict:", Event.model_validate_json(LINE, strict=True).event_date)
days = [date(2020, 1, 1) + timedelta(days=n) for n in range(3653)]
read = [Event(event_date=f"{day:%Y%m%d}", user="a").event_date for day in days]
print(f"from {days[0]} to {days[-1]}: from {min(read)} to {max(read)}")


def of(kind, config=None):
    return pydantic.TypeAdapter(kind, config=config)


refused = 0
for day in days:
    try:
        of(date).validate_python(f"{day:%Y%m%d}")
    except pydantic.ValidationError:
        refused += 1
print("refused as a date:", refused, "of", len(days))
for name, kind in (
    ("datetime | str", datetime | str),
    ("datetime | str | int | None", datetime | str | int | None),
    ("int | datetime", int | datetime),
    ("str | datetime", str | datetime),
):
    from_json, from_python = of(kind).validate_json('"12"'), of(kind).validate_python("12")
    print(f"{name}: JSON {from_json}, Python {from_python}")
milliseconds = {"val_temporal_unit": "milliseconds"}
for day in (date(1969, 6, 1), date(1970, 3, 1), date(1970, 9, 1)):
    number = (day - date(1970, 1, 1)) // timedelta(milliseconds=1)
    print(f"{day} is {of(datetime).validate_python(number):%Y-%m-%d}", end=", ")
    print(f"with the unit {of(datetime, milliseconds).validate_python(number):%Y-%m-%d}")
day = Annotated[datetime, pydantic.BeforeValidator(datetime.fromisoformat)]
print("BeforeValidator:", of(day).validate_json('"20260301"'))
PYTHON
"$folder/venv/bin/python" "$folder/try.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
pydantic 2.14.4
pydantic_core 2.50.5
fromisoformat: 2026-03-01 00:00:00
event_date: 1970-08-23 11:51:41+00:00
strict: 1970-08-23 11:51:41+00:00
from 2020-01-01 to 2029-12-31: from 1970-08-22 19:08:21+00:00 to 1970-08-23 20:27:11+00:00
refused as a date: 3653 of 3653
datetime | str: JSON 1970-01-01 00:00:12+00:00, Python 12
datetime | str | int | None: JSON 1970-01-01 00:00:12+00:00, Python 12
int | datetime: JSON 1970-01-01 00:00:12+00:00, Python 12
str | datetime: JSON 12, Python 12
1969-06-01 is 1384-02-02, with the unit 1969-06-01
1970-03-01 is 2131-07-16, with the unit 1970-03-01
1970-09-01 is 1970-09-01, with the unit 1970-09-01
BeforeValidator: 2026-03-01 00:00:00
EXPECTED
