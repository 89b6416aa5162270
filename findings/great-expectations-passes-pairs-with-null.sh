#!/usr/bin/env bash
# Great Expectations passes pairs of columns with a NULL on SQLite that fail on pandas.
#
# Expected: one expectation has one verdict on the same rows, in SQLite and in pandas;
# ignore_row_if, which is "both_values_are_missing" unless set, says which rows are left out.
# Seen: on SQLite a pair with one NULL is neither left out nor unexpected: it passes. So an end that
# is missing is after its start, (annual, NULL) is one of the pairs that were named, and NULL + 10
# is 20, also with ignore_row_if="neither" or "never". Only "to be equal" counts it. The result has
# the element count of all rows and no exception. ignore_row_if="never" does not make two rows of
# (NULL, NULL) duplicates there either, and the texts "1" and "2" are in the set of the numbers 1
# and 2. An expectation for each column, not to be null, catches the NULLs.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  great_expectations==1.24.1 pandas==2.3.3 sqlalchemy==2.1.9
cat >"$folder/try.py" <<'PYTHON'
import logging
import os
import sqlite3
import sys
import warnings

os.environ["GX_ANALYTICS_ENABLED"] = "false"
warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)

import great_expectations
import great_expectations.expectations as expect
import pandas

path = os.path.join(sys.argv[1], "payments.sqlite")
frame = pandas.DataFrame(
    {
        "code": ["1", "2", "3", "4"],
        "start": [1, 2, 3, None],
        "end": [5, None, 4, None],
        "plan": ["annual", "annual", None, None],
        "period": ["P1Y", None, None, None],
        "paid": [10, 10, 10, None],
        "booked": [10, None, 10, 20],
    }
)
database = sqlite3.connect(path)
frame.to_sql("payments", database, index=False)
database.close()
context = great_expectations.get_context(mode="ephemeral")
context.variables.progress_bars = {"globally": False}
asset = context.data_sources.add_pandas("frames").add_dataframe_asset("payments")
on_pandas = asset.add_batch_definition_whole_dataframe("all").get_batch({"dataframe": frame})
source = context.data_sources.add_sqlite("files", connection_string=f"sqlite:///{path}")
asset = source.add_table_asset("payments", table_name="payments")
on_sqlite = asset.add_batch_definition_whole_table("all").get_batch()
print("great_expectations", great_expectations.__version__, "pandas", pandas.__version__)


def show(text, expectation):
    print(text)
    for name, batch in (("pandas", on_pandas), ("SQLite", on_sqlite)):
        found = batch.validate(expectation)
        result = found.result
        verdict = "passes" if found.success else "fails"
        rows = f"{result['unexpected_count']} of {result['element_count']} rows unexpected"
        print(f"  {name}: {verdict}, {rows}")


dates = {"column_A": "end", "column_B": "start"}
pairs = {"column_A": "plan", "column_B": "period"}
amounts = {"column_list": ["paid", "booked"], "sum_total": 20}
show("end after start", expect.ExpectColumnPairValuesAToBeGreaterThanB(**dates))
show(
    "end after start, no row ignored",
    expect.ExpectColumnPairValuesAToBeGreaterThanB(**dates, ignore_row_if="neither"),
)
named = [("annual", "P1Y"), ("monthly", "P1M")]
show("pairs", expect.ExpectColumnPairValuesToBeInSet(**pairs, value_pairs_set=named))
show("equal", expect.ExpectColumnPairValuesToBeEqual(**pairs))
show("sum of 20", expect.ExpectMulticolumnSumToEqual(**amounts, ignore_row_if="never"))
columns = ["plan", "period"]
unique = expect.ExpectCompoundColumnsToBeUnique(column_list=columns, ignore_row_if="never")
show("unique", unique)
show("end not null", expect.ExpectColumnValuesToNotBeNull(column="end"))
show("texts by numbers", expect.ExpectColumnValuesToBeInSet(column="code", value_set=[1, 2, 3, 4]))
PYTHON
"$folder/venv/bin/python" "$folder/try.py" "$folder" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
great_expectations 1.24.1 pandas 2.3.3
end after start
  pandas: fails, 1 of 4 rows unexpected
  SQLite: passes, 0 of 4 rows unexpected
end after start, no row ignored
  pandas: fails, 2 of 4 rows unexpected
  SQLite: passes, 0 of 4 rows unexpected
pairs
  pandas: fails, 1 of 4 rows unexpected
  SQLite: passes, 0 of 4 rows unexpected
equal
  pandas: fails, 2 of 4 rows unexpected
  SQLite: fails, 2 of 4 rows unexpected
sum of 20
  pandas: fails, 2 of 4 rows unexpected
  SQLite: passes, 0 of 4 rows unexpected
unique
  pandas: fails, 2 of 4 rows unexpected
  SQLite: passes, 0 of 4 rows unexpected
end not null
  pandas: fails, 2 of 4 rows unexpected
  SQLite: fails, 2 of 4 rows unexpected
texts by numbers
  pandas: fails, 4 of 4 rows unexpected
  SQLite: passes, 0 of 4 rows unexpected
EXPECTED
