#!/usr/bin/env bash
# Tortoise ORM on SQLite compares times of other zones as texts: it finds, makes and deletes others.
#
# Expected: a time with a zone is one instant, whether it is stored or compared with.
# Seen: create() and bulk_create() turn a time into the zone of the settings, UTC unless named; what
# filter() compares with is sent as it is. SQLite compares the texts, so 10:00 in Berlin is later
# than 09:30 in UTC, and equal to no row, not even to the one that was created with it:
# get_or_create() makes a new row each time, and a delete() of what is before 10:30 takes the row
# of 11:00 as well. update() stores the offset as given, after which UTC does not find the row
# either. Nothing warns; a time without a zone gets a warning. With times of the settings' zone
# all is right: value.astimezone(timezone.utc) in every filter and update.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  tortoise-orm==1.1.9 pypika-tortoise==0.6.5 aiosqlite==0.22.1 tzdata==2026.6
cat >"$folder/visits.py" <<'PYTHON'
from tortoise import fields
from tortoise.models import Model


class Visit(Model):
    id = fields.IntField(primary_key=True)
    at = fields.DatetimeField()
PYTHON
cat >"$folder/try.py" <<'PYTHON'
import asyncio
import importlib.metadata
from datetime import datetime, timezone
from zoneinfo import ZoneInfo

from tortoise import Tortoise
from visits import Visit

for package in ("tortoise-orm", "aiosqlite"):
    print(package, importlib.metadata.version(package))


def berlin(hour, minute=0):
    return datetime(2026, 3, 1, hour, minute, tzinfo=ZoneInfo("Europe/Berlin"))


async def hours(**filter):
    times = await Visit.filter(**filter).order_by("at").values_list("at", flat=True)
    return [f"{at.astimezone(ZoneInfo('Europe/Berlin')):%H:%M}" for at in times]


async def compare(name, zone):
    exact, half = berlin(10).astimezone(zone), berlin(10, 30).astimezone(zone)
    print(f"{name}: at 10:00 {await hours(at=exact)}", end=", ")
    print(f"of a list {await hours(at__in=[exact])}", end=", ")
    print(f"since 10:30 {await hours(at__gte=half)}, before {await hours(at__lt=half)}")


async def run():
    await Tortoise.init(db_url="sqlite://:memory:", modules={"models": ["visits"]})
    await Tortoise.generate_schemas()
    for hour in (9, 10, 11):
        await Visit.create(at=berlin(hour))
    await compare("Berlin", ZoneInfo("Europe/Berlin"))
    await compare("UTC", timezone.utc)
    made = [(await Visit.get_or_create(at=berlin(10)))[1] for _ in range(3)]
    print("get_or_create made a row:", made)
    print("rows of 10:00:", len(await hours(at=berlin(10).astimezone(timezone.utc))))
    print("deleted before 10:30:", await Visit.filter(at__lt=berlin(10, 30)).delete(), "of 6")
    visit = await Visit.create(at=berlin(9))
    await Visit.filter(id=visit.id).update(at=berlin(10))
    text = await Tortoise.get_connection("default").execute_query_dict("SELECT at FROM visit")
    print("updated to 10:00:", text[0]["at"])
    await compare("UTC", timezone.utc)
    await Tortoise.close_connections()


asyncio.run(run())
PYTHON
"$folder/venv/bin/python" "$folder/try.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
tortoise-orm 1.1.9
aiosqlite 0.22.1
Berlin: at 10:00 [], of a list [], since 10:30 [], before ['09:00', '10:00', '11:00']
UTC: at 10:00 ['10:00'], of a list ['10:00'], since 10:30 ['11:00'], before ['09:00', '10:00']
get_or_create made a row: [True, True, True]
rows of 10:00: 4
deleted before 10:30: 6 of 6
updated to 10:00: 2026-03-01 10:00:00+01:00
UTC: at 10:00 [], of a list [], since 10:30 ['10:00'], before []
EXPECTED
