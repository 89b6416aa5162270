#!/usr/bin/env bash
# SQLAlchemy gives True for the sum of a Boolean column or condition, however many rows it counts.
#
# Expected: func.sum(users.c.paid) is the number of users who paid, as in SQLite, MySQL and Python.
# Seen: the sum has the type of what is summed, so 3, 2 and 1 are all True, and 0 is False. The same
# goes for sums of conditions such as sum(id > 2), for coalesce(sum(...), 0), running sums, and what
# pandas.read_sql makes of such a query; added up in Python, True counts as 1. There is no warning.
# The type follows from BOOLEAN of a table that is read from the file, too. ORDER BY and HAVING go
# by the true numbers. avg() is right. SUM / COUNT is True as well, with a warning that it is
# deprecated. Use func.count().filter(users.c.paid) or func.sum(users.c.paid, type_=Integer).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  SQLAlchemy==2.1.9 pandas==3.1.1 numpy==2.4.6
cat >"$folder/try.py" <<'PYTHON'
import importlib.metadata
import warnings

import pandas
from sqlalchemy import Integer, MetaData, Table, create_engine, func, select, text

for package in ("SQLAlchemy", "pandas"):
    print(package, importlib.metadata.version(package))
engine = create_engine("sqlite://")
with engine.begin() as connection:
    connection.execute(
        text("CREATE TABLE users (id INTEGER PRIMARY KEY, country TEXT, paid BOOLEAN)")
    )
    for country, paid in (("DE", 1), ("DE", 1), ("DE", 1), ("ES", 1), ("ES", 0), ("FR", 0)):
        values = {"country": country, "paid": paid}
        connection.execute(
            text("INSERT INTO users (country, paid) VALUES (:country, :paid)"), values
        )
users = Table("users", MetaData(), autoload_with=engine)
paid, number = users.c.paid, users.c.id
by_country = select(users.c.country, func.sum(paid).label("payers")).group_by(users.c.country)


def show(title, *columns):
    query = select(users.c.country, *columns).group_by(users.c.country)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        rows = [tuple(row) for row in connection.execute(query)]
    print(f"{title}: {rows}, warnings {len(warned)}")


with engine.connect() as connection:
    show("sum(paid)", func.sum(paid))
    show("sum(id > 2)", func.sum(number > 2))
    show("coalesce", func.coalesce(func.sum(paid), 0))
    show("avg(paid)", func.avg(paid))
    show("filter", func.count().filter(paid))
    show("type_", func.sum(paid, type_=Integer))
    print("all users:", connection.execute(select(func.sum(paid))).scalar(), end=", ")
    print("as text:", connection.execute(text("SELECT sum(paid) FROM users")).scalar())
    rows = connection.execute(by_country).all()
    print("added up in Python:", sum(row.payers for row in rows))
    many = by_country.having(func.sum(paid) >= 2)
    print("at least 2:", [tuple(row) for row in connection.execute(many)])
    print("pandas:", pandas.read_sql(by_country, connection)["payers"].tolist())
PYTHON
"$folder/venv/bin/python" "$folder/try.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
SQLAlchemy 2.1.9
pandas 3.1.1
sum(paid): [('DE', True), ('ES', True), ('FR', False)], warnings 0
sum(id > 2): [('DE', True), ('ES', True), ('FR', True)], warnings 0
coalesce: [('DE', True), ('ES', True), ('FR', False)], warnings 0
avg(paid): [('DE', 1.0), ('ES', 0.5), ('FR', 0.0)], warnings 0
filter: [('DE', 3), ('ES', 1), ('FR', 0)], warnings 0
type_: [('DE', 3), ('ES', 1), ('FR', 0)], warnings 0
all users: True, as text: 4
added up in Python: 2
at least 2: [('DE', True)]
pandas: [True, True, False]
EXPECTED
