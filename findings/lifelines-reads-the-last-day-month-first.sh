#!/usr/bin/env bash
# lifelines with dayfirst=True takes the end of observation, 12/02/2026, for 2 December.
#
# Expected: datetimes_to_durations(..., dayfirst=True) reads all its days with the day first, and an
# end after fill_date, the last day of observation, counts as not seen.
# Seen: start and end are read with the day first, and so is fill_date where it stands in for a
# missing end, but the same text is read with the month first where ends are compared with it. So
# with 12/02/2026 an end in March, which nobody could have seen yet, counts as a cancellation, and
# with 03/11/2026 (3 November) all ends after 11 March are cut to that day and count as still
# paying: the median time to cancellation is infinite. Nothing warns when the day is no more than
# 12; with 13/02/2026 pandas warns, and it is right. A datetime is right, too.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check lifelines==0.30.3 pandas==2.3.3
cat >"$folder/try.py" <<'PYTHON'
import datetime
import warnings

import lifelines
import pandas
from lifelines import KaplanMeierFitter
from lifelines.utils import datetimes_to_durations

print("a + stands behind the days of those who still pay")
print("lifelines", lifelines.__version__, "pandas", pandas.__version__)


def show(text, starts, ends, fill_date):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        durations, cancelled = datetimes_to_durations(starts, ends, fill_date, dayfirst=True)
    warned = len({str(warning.message) for warning in caught})
    median = KaplanMeierFitter().fit(durations, cancelled).median_survival_time_
    seen = [f"{days:g}{'' if end else '+'}" for days, end in zip(durations, cancelled)]
    print(f"{text}: days {' '.join(seen)}, median {median:g}, warnings {warned}")


starts = ["03/01/2026", "05/01/2026", "07/01/2026"]
ends = ["20/01/2026", "20/03/2026", None]
show("12/02/2026", starts, ends, "12/02/2026")
show("13/02/2026", starts, ends, "13/02/2026")
show("2026-02-12", starts, ends, datetime.datetime(2026, 2, 12))
starts = ["05/01/2026"] * 5
ends = ["20/02/2026", "20/04/2026", "20/06/2026", "20/08/2026", None]
show("03/11/2026", starts, ends, "03/11/2026")
show("2026-11-03", starts, ends, datetime.datetime(2026, 11, 3))
PYTHON
"$folder/venv/bin/python" "$folder/try.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
a + stands behind the days of those who still pay
lifelines 0.30.3 pandas 2.3.3
12/02/2026: days 17 74 36+, median 74, warnings 0
13/02/2026: days 17 39+ 37+, median inf, warnings 1
2026-02-12: days 17 38+ 36+, median inf, warnings 0
03/11/2026: days 46 65+ 65+ 65+ 65+, median inf, warnings 0
2026-11-03: days 46 105 166 227 302+, median 166, warnings 0
EXPECTED
