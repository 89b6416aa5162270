#!/usr/bin/env bash
# tdigest gives 4.25 as the 90th percentile of 95 zeros and 5 fives, and -3.75 as the 10th.
#
# Expected: percentiles of a t-digest are near those of the values, and between the least and the
# largest of them, for few different values as well.
# Seen: equal values become one centroid, and percentile() draws straight lines between centroids as
# if the values of each lay spread around it. So of users of whom 5 in 100 paid 5 the half paid 0.25
# and more, the tenth with the largest amounts 4.25 and more, and some less than nothing. The 10th
# percentile of ratings of 1 and 5 is 1.4 or -0.2, and cdf() says that 0.475 of the users paid 0.
# 10,000 values are no better than 100. Nothing warns, and the manual speaks of accurate estimates;
# issue 60 of the project tells of dice. fastdigest is right away from the step, and both are
# right for amounts that hardly ever repeat.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  tdigest==0.5.2.2 accumulation-tree==0.6.4 pyudorandom==1.0.0 fastdigest==0.12.0
cat >"$folder/try.py" <<'PYTHON'
import statistics
from importlib.metadata import version

import fastdigest
from tdigest import TDigest

for name in ("tdigest", "fastdigest"):
    print(name, version(name))
PERCENTS = (10, 50, 75, 90, 99)


def show(text, values):
    digest = TDigest()
    digest.batch_update(values)
    fast = fastdigest.TDigest.from_values([float(value) for value in values])
    exact = statistics.quantiles(values, n=100, method="inclusive")
    print(f"{text}: percentiles {PERCENTS}")
    print("  exact     ", [round(exact[percent - 1], 2) for percent in PERCENTS])
    print("  tdigest   ", [round(digest.percentile(percent), 2) for percent in PERCENTS])
    print("  fastdigest", [round(fast.percentile(percent), 2) for percent in PERCENTS])
    zeros = sum(value <= 0 for value in values) / len(values)
    print(f"  share of at most 0: {zeros}, cdf(0) {digest.cdf(0):.3f}")


show("95 zeros and 5 fives", [0] * 95 + [5] * 5)
show("9500 zeros and 500 fives", [0] * 9500 + [5] * 500)
show("ratings, 100 of 1 and 900 of 5", [1] * 100 + [5] * 900)
show("ratings, 500 of 1 and 500 of 5", [1] * 500 + [5] * 500)
show("1 to 1000", list(range(1, 1001)))
PYTHON
"$folder/venv/bin/python" "$folder/try.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
tdigest 0.5.2.2
fastdigest 0.12.0
95 zeros and 5 fives: percentiles (10, 50, 75, 90, 99)
  exact      [0.0, 0.0, 0.0, 0.0, 5.0]
  tdigest    [-3.75, 0.25, 2.75, 4.25, 5.0]
  fastdigest [0.0, 0.0, 0.0, 0.0, 5.0]
  share of at most 0: 0.95, cdf(0) 0.475
9500 zeros and 500 fives: percentiles (10, 50, 75, 90, 99)
  exact      [0.0, 0.0, 0.0, 0.0, 5.0]
  tdigest    [-3.75, 0.25, 2.75, 4.25, 5.0]
  fastdigest [0.0, 0.0, 0.0, 0.0, 5.0]
  share of at most 0: 0.95, cdf(0) 0.475
ratings, 100 of 1 and 900 of 5: percentiles (10, 50, 75, 90, 99)
  exact      [4.6, 5.0, 5.0, 5.0, 5.0]
  tdigest    [1.4, 4.6, 5.0, 5.0, 5.0]
  fastdigest [4.6, 5.0, 5.0, 5.0, 5.0]
  share of at most 0: 0.0, cdf(0) 0.025
ratings, 500 of 1 and 500 of 5: percentiles (10, 50, 75, 90, 99)
  exact      [1.0, 3.0, 5.0, 5.0, 5.0]
  tdigest    [-0.2, 3.0, 5.0, 5.0, 5.0]
  fastdigest [1.0, 3.0, 5.0, 5.0, 5.0]
  share of at most 0: 0.0, cdf(0) 0.125
1 to 1000: percentiles (10, 50, 75, 90, 99)
  exact      [100.9, 500.5, 750.25, 900.1, 990.01]
  tdigest    [100.5, 500.5, 750.5, 900.5, 990.5]
  fastdigest [100.9, 500.5, 750.25, 900.1, 990.01]
  share of at most 0: 0.0, cdf(0) 0.000
EXPECTED
