#!/usr/bin/env bash
# PM4Py makes dates of app versions: its format_dataframe() turns 2.14.0 into 14 February 2000.
#
# Expected: format_dataframe() names the columns of case, event and time, reads the times of the
# column that timestamp_key names, and leaves the others as they are.
# Seen: every column of texts that pandas can read as times in one way or another becomes times:
# versions of three parts of an app or a system, years and months. "1.10" stays, and one version of
# four parts keeps its column, so the same column is texts or times by its rows. Each value is read
# by itself: of three days in the column of times "03/04/2026" is 4 March and "13/04/2026" is
# 13 April, and the events of a funnel change places. Nothing warns. With timest_format="%d/%m/%Y"
# the days are right, and columns of other forms stay texts; columns of categories always do.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  pm4py==2.7.23.11 pandas==2.3.3 numpy==2.4.6
cat >"$folder/try.py" <<'PYTHON'
import contextlib
import io
import warnings

import pandas

with contextlib.redirect_stderr(io.StringIO()):
    import pm4py

print("pm4py", pm4py.__version__, "pandas", pandas.__version__)
NAMES = {"case_id": "user", "activity_key": "event", "timestamp_key": "time"}


def format(frame, **options):
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        log = pm4py.format_dataframe(frame, **NAMES, **options)
    for warning in warned:
        print("warning:", warning.message)
    return log


def show(text, values, **options):
    rows = len(values)
    times = pandas.date_range("2026-03-01", periods=rows, freq="h", tz="UTC")
    frame = pandas.DataFrame({"user": "u", "event": "open", "time": times, "value": values})
    found = format(frame, **options)["value"]
    if found.dtype.kind == "M":
        found = found.dt.strftime("%Y-%m-%d")
    print(f"{text}: {list(values)} -> {found.tolist()}")


show("app version", ["2.14.0", "2.13.5"])
show("with a format", ["2.14.0", "2.13.5"], timest_format="%Y-%m-%d %H:%M:%S%z")
show("as category", pandas.Categorical(["2.14.0", "2.13.5"]))
show("system", ["17.4.1", "17.3.2"])
show("two parts", ["1.10", "1.9"])
show("one of four parts", ["2.14.0", "2.14.0.1"])
show("release", ["2026.10", "2026.11"])
show("year", ["2026", "2025"])
show("month", ["2026-03", "2026-04"])
days = ["03/04/2026", "13/04/2026", "05/04/2026"]
funnel = pandas.DataFrame({"user": "u", "event": ["open", "view", "buy"], "time": days})
print("days", days)
for text, options in (("as they are", {}), ("%d/%m/%Y", {"timest_format": "%d/%m/%Y"})):
    log = format(funnel.copy(), **options)
    times = log["time:timestamp"].dt.strftime("%Y-%m-%d")
    print(f"  {text}: {list(zip(log['concept:name'], times))}")
PYTHON
"$folder/venv/bin/python" "$folder/try.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
pm4py 2.7.23.11 pandas 2.3.3
app version: ['2.14.0', '2.13.5'] -> ['2000-02-14', '2005-02-13']
with a format: ['2.14.0', '2.13.5'] -> ['2.14.0', '2.13.5']
as category: ['2.14.0', '2.13.5'] -> ['2.14.0', '2.13.5']
system: ['17.4.1', '17.3.2'] -> ['2001-04-17', '2002-03-17']
two parts: ['1.10', '1.9'] -> ['1.10', '1.9']
one of four parts: ['2.14.0', '2.14.0.1'] -> ['2.14.0', '2.14.0.1']
release: ['2026.10', '2026.11'] -> ['2026-10-01', '2026-11-01']
year: ['2026', '2025'] -> ['2026-01-01', '2025-01-01']
month: ['2026-03', '2026-04'] -> ['2026-03-01', '2026-04-01']
days ['03/04/2026', '13/04/2026', '05/04/2026']
  as they are: [('open', '2026-03-04'), ('view', '2026-04-13'), ('buy', '2026-05-04')]
  %d/%m/%Y: [('open', '2026-04-03'), ('buy', '2026-04-05'), ('view', '2026-04-13')]
EXPECTED
