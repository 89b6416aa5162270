#!/usr/bin/env bash
# deltalake stores 4 where 4.99 is appended to a table whose first prices were whole numbers.
#
# Expected: an append whose column has another type is refused, as it is for texts with a fraction
# and for integers that are too large, or it keeps the values.
# Seen: write_deltalake casts the new rows to the types of the table. Doubles for a column of
# integers lose their fraction: after a first day with prices of 5 and 12 the column is one of
# integers, and from then on 4.99 is 4 and 9.99 is 9, and the sum of a month is too low. They are
# not rounded, and -4.99 is -4. It depends on the day that came first: with 4.99 before, all prices
# stay. schema_mode="merge" does the same, and so do update() and merge(). Nothing warns.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  deltalake==1.6.6 arro3-core==0.9.1
cat >"$folder/try.py" <<'PYTHON'
import pathlib
import sys
from importlib.metadata import version

from arro3.core import Array, DataType, Table
from deltalake import DeltaTable, QueryBuilder, write_deltalake

folder = pathlib.Path(sys.argv[1])
for name in ("deltalake", "arro3-core"):
    print(name, version(name))
LONG, INTEGER, DOUBLE, TEXT = (
    DataType.int64(), DataType.int32(), DataType.float64(), DataType.utf8(),
)


def table(values, kind):
    return Table.from_pydict({"paid": Array(values, kind)})


def prices(path):
    reader = QueryBuilder().register("sales", DeltaTable(path))
    found = reader.execute("SELECT paid FROM sales ORDER BY paid").read_all()
    return found.column("paid").to_pylist()


def show(name, first, kind, later, other, **options):
    path = str(folder / name.replace(" ", "-"))
    write_deltalake(path, table(first, kind))
    try:
        write_deltalake(path, table(later, other), mode="append", **options)
    except Exception as error:
        print(f"{name}: {later} is refused, {str(error).split(':')[0]}")
    else:
        print(f"{name}: {first} and {later} are {prices(path)}")
    return path


path = show("prices", [5, 12], LONG, [4.99, 9.99], DOUBLE)
show("refunds", [5, 12], LONG, [-4.99], DOUBLE)
show("merged schema", [5, 12], LONG, [4.99], DOUBLE, schema_mode="merge")
show("other order", [4.99], DOUBLE, [5, 12], LONG)
show("texts", [5, 12], LONG, ["4.99"], TEXT)
show("large", [5, 12], INTEGER, [5000000000], LONG)
DeltaTable(path).update(predicate="paid = 12", updates={"paid": "11.99"})
print("after update of 12 to 11.99:", prices(path))
merged = DeltaTable(path).merge(
    table([7.99], DOUBLE), "new.paid = old.paid", source_alias="new", target_alias="old"
)
merged.when_not_matched_insert_all().execute()
print("after merge of 7.99:", prices(path))
PYTHON
"$folder/venv/bin/python" "$folder/try.py" "$folder" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
deltalake 1.6.6
arro3-core 0.9.1
prices: [5, 12] and [4.99, 9.99] are [4, 5, 9, 12]
refunds: [5, 12] and [-4.99] are [-4, 5, 12]
merged schema: [5, 12] and [4.99] are [4, 5, 12]
other order: [4.99] and [5, 12] are [4.99, 5.0, 12.0]
texts: ['4.99'] is refused, Cast error
large: [5000000000] is refused, Cast error
after update of 12 to 11.99: [4, 5, 9, 11]
after merge of 7.99: [4, 5, 7, 9, 11]
EXPECTED
