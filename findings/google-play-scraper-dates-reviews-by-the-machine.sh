#!/usr/bin/env bash
# google-play-scraper gives reviews the time of the machine's zone, and ends early without an error.
#
# Expected: the "at" of a review, a time without a zone, is UTC, the same on each machine. A request
# that fails is an error, or the returned token tells to go on there.
# Seen: "at" and "repliedAt" are the local time of the machine, so one review has two days on two
# machines, and the night in October when an hour comes twice cannot be told apart. reviews() takes
# any error for the end: when Google answers the second page with 503, it returns the first page
# with the token of a complete list, which stands for no more reviews; when it answers the first one
# so, the list is empty, as that of an app without reviews. reviews_all() does the same. Set TZ=UTC,
# and compare the number of reviews with app()["reviews"]. (Here the answers come from a function in
# the place of urlopen, in the form that the package reads.)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  google-play-scraper==1.2.7 tzdata==2026.6
cat >"$folder/try.py" <<'PYTHON'
import importlib.metadata
import io
import json
import os
import sys
import time
import urllib.error
from datetime import datetime, timezone

import google_play_scraper
from google_play_scraper.utils import request

if len(sys.argv) == 1:
    print("google-play-scraper", importlib.metadata.version("google-play-scraper"))
at = int(datetime(2026, 2, 28, 23, 30, tzinfo=timezone.utc).timestamp())
answers = []


def page(count, token):
    """An answer as Google Play gives it: reviews, and the token of the next page."""
    review = ["id", ["Ann", None], 5, None, "Good", [at], 0, None, None, None, "1.0"]
    data = json.dumps([[review] * count, ["", token], None])
    return ")]}'\n\n" + json.dumps([["wrb.fr", "UsvDTd", data, None, None, None, "generic"]])


def answer(query):
    found = answers.pop(0)
    if found == 503:
        raise urllib.error.HTTPError(query.full_url, 503, "Service Unavailable", {}, None)
    return io.BytesIO(found.encode())


request.urlopen = answer
if len(sys.argv) == 1:
    for name, now in (
        ("two pages", [page(100, "more"), page(50, None)]),
        ("the second page fails", [page(100, "more"), 503, 503, 503]),
        ("the first page fails", [503, 503, 503]),
        ("an app without reviews", [page(0, None)]),
    ):
        answers[:] = now
        found, rest = google_play_scraper.reviews("com.example", count=200)
        print(f"{name}: {len(found)} reviews, token {rest.token}")
    answers[:] = [page(100, "more"), 503, 503, 503]
    found = google_play_scraper.reviews_all("com.example")
    print("reviews_all, the second page fails:", len(found))
else:
    os.environ["TZ"] = sys.argv[1]
    time.tzset()
    answers[:] = [page(1, None)]
    found, _ = google_play_scraper.reviews("com.example")
    print(f"{sys.argv[1]}: {found[0]['at']}, zone {found[0]['at'].tzinfo}")
PYTHON
{
  "$folder/venv/bin/python" "$folder/try.py"
  for zone in UTC Europe/Berlin America/Los_Angeles; do
    "$folder/venv/bin/python" "$folder/try.py" "$zone"
  done
} >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
google-play-scraper 1.2.7
two pages: 150 reviews, token None
the second page fails: 100 reviews, token None
the first page fails: 0 reviews, token None
an app without reviews: 0 reviews, token None
reviews_all, the second page fails: 100
UTC: 2026-02-28 23:30:00, zone None
Europe/Berlin: 2026-03-01 00:30:00, zone None
America/Los_Angeles: 2026-02-28 15:30:00, zone None
EXPECTED
