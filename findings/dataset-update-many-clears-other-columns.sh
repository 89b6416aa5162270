#!/usr/bin/env bash
# dataset's update_many() sets to NULL what a row does not name and another row of the list does.
#
# Expected: update_many(), "significantly faster than updating them one by one", leaves the same
# rows as update() for each: a column that a row does not name keeps its value.
# Seen: all rows of a call, by chunks of 1000, get one UPDATE with the columns of them all. A row
# without one of these columns has it set to NULL, so that a list of corrections, one with a new
# plan and one with a new country, deletes the country of the first and the plan of the second.
# A chunk also has the columns of the chunks before it. update() and upsert_many() leave them
# alone. Nothing is raised or logged. Group the rows by their names, or call update() for each.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  dataset==2.0.0 SQLAlchemy==2.1.9 alembic==1.20.1 banal==1.0.6
cat >"$folder/try.py" <<'PYTHON'
import importlib.metadata

import dataset

for package in ("dataset", "SQLAlchemy"):
    print(package, importlib.metadata.version(package))
database = dataset.connect("sqlite:///:memory:")
corrections = [{"name": "ann", "plan": "year"}, {"name": "ben", "country": "ES"}]


def table(name):
    people = database[name]
    people.insert_many(
        [
            {"name": "ann", "plan": "month", "country": "DE"},
            {"name": "ben", "plan": "month", "country": "FR"},
        ]
    )
    return people


def show(title, people, names=("ann", "ben")):
    rows = [people.find_one(name=name) for name in names]
    print(title, [(row["name"], row["plan"], row["country"]) for row in rows])


people = table("one_by_one")
for row in corrections:
    people.update(row, ["name"])
show("update       ", people)
people = table("upserted")
people.upsert_many(corrections, ["name"])
show("upsert_many  ", people)
people = table("at_once")
people.update_many(corrections, ["name"])
show("update_many  ", people)
people = table("two_chunks")
people.update_many(corrections, ["name"], chunk_size=1)
show("chunks of 1  ", people)
people = table("grouped")
for names in sorted({tuple(row) for row in corrections}):
    people.update_many([row for row in corrections if tuple(row) == names], ["name"])
show("grouped      ", people)
PYTHON
"$folder/venv/bin/python" "$folder/try.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
dataset 2.0.0
SQLAlchemy 2.1.9
update        [('ann', 'year', 'DE'), ('ben', 'month', 'ES')]
upsert_many   [('ann', 'year', 'DE'), ('ben', 'month', 'ES')]
update_many   [('ann', 'year', None), ('ben', None, 'ES')]
chunks of 1   [('ann', 'year', 'DE'), ('ben', None, 'ES')]
grouped       [('ann', 'year', 'DE'), ('ben', 'month', 'ES')]
EXPECTED
