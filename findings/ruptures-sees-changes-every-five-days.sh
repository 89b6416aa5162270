#!/usr/bin/env bash
# ruptures finds a change of daily counts days late, and many changes behind a day without a count.
#
# Expected: a step from 100 to 150 users on day 33, without any noise, is a change on day 33, and a
# day without a count (NaN) is an error.
# Seen: Pelt, Binseg, BottomUp and Dynp look at every fifth day only, unless jump=1 is given: the
# change is on day 35, or Pelt has two of them, on 30 and 35. A step on day 3 is one on day 5.
# KernelCPD has no such step. With a NaN on day 10 Pelt has a change on every fifth day from 15 on,
# Binseg and Dynp have one on day 5, BottomUp on day 25, and KernelCPD on day 1; nothing warns. Give
# jump=1, and fill or drop days without a count first.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  ruptures==1.1.10 numpy==2.4.6 scipy==1.17.1
cat >"$folder/try.py" <<'PYTHON'
import importlib.metadata
import warnings

warnings.simplefilter("error")

import numpy
import ruptures

print("ruptures", importlib.metadata.version("ruptures"))
SEARCHES = {
    "Pelt": (ruptures.Pelt, {"pen": 10}),
    "Binseg": (ruptures.Binseg, {"n_bkps": 1}),
    "BottomUp": (ruptures.BottomUp, {"n_bkps": 1}),
    "Dynp": (ruptures.Dynp, {"n_bkps": 1}),
}


def step(day):
    return numpy.where(numpy.arange(60) < day, 100.0, 150.0)


def show(text, counts, **options):
    print(text)
    for name, (search, stop) in SEARCHES.items():
        found = search(model="l2", **options).fit(counts).predict(**stop)
        print(f"  {name}: {[int(day) for day in found]}")
    found = ruptures.KernelCPD(kernel="linear", min_size=1).fit(counts).predict(n_bkps=1)
    print(f"  KernelCPD: {[int(day) for day in found]}")


show("step on day 33", step(33))
show("step on day 33, jump 1", step(33), jump=1)
show("step on day 3", step(3))
show("step on day 3, jump 1", step(3), jump=1)
gap = step(33)
gap[10] = numpy.nan
show("step on day 33, no count on day 10", gap)
PYTHON
"$folder/venv/bin/python" "$folder/try.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
ruptures 1.1.10
step on day 33
  Pelt: [30, 35, 60]
  Binseg: [35, 60]
  BottomUp: [35, 60]
  Dynp: [35, 60]
  KernelCPD: [33, 60]
step on day 33, jump 1
  Pelt: [33, 60]
  Binseg: [33, 60]
  BottomUp: [33, 60]
  Dynp: [33, 60]
  KernelCPD: [33, 60]
step on day 3
  Pelt: [5, 60]
  Binseg: [5, 60]
  BottomUp: [5, 60]
  Dynp: [5, 60]
  KernelCPD: [3, 60]
step on day 3, jump 1
  Pelt: [3, 60]
  Binseg: [3, 60]
  BottomUp: [3, 60]
  Dynp: [3, 60]
  KernelCPD: [3, 60]
step on day 33, no count on day 10
  Pelt: [15, 20, 25, 30, 35, 40, 45, 50, 55, 60]
  Binseg: [5, 60]
  BottomUp: [25, 60]
  Dynp: [5, 60]
  KernelCPD: [1, 60]
EXPECTED
