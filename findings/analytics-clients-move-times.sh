#!/usr/bin/env bash
# PostHog's, Segment's and RudderStack's clients move the same local time by hours, or do not.
#
# Expected: a datetime without a zone is local time, as in Python, or UTC, and always the same; one
# with a zone is sent as the instant that it is.
# Seen: a time without a zone is local when it is less than five seconds old, and UTC otherwise. On
# a machine five hours behind UTC an event of this moment is right, and an event that waited for a
# retry, or is imported, is five hours too early. A time in the future is UTC for PostHog, local
# for Segment. Mixpanel's client leaves out the offset: 10:00 in Berlin and 09:00 in UTC, one
# instant, become the texts 10:00 and 09:00. None warns. The first three are right with a zone, as
# datetime.now(timezone.utc) has; for Mixpanel call astimezone(timezone.utc) first.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check posthog==7.91.1 \
  segment-analytics-python==2.4.0 rudder-sdk-python==2.1.9 mixpanel==5.4.1
cat >"$folder/try.py" <<'PYTHON'
import gzip
import importlib.metadata
import json
import os
import threading
import time
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

os.environ["TZ"] = "EST5"
time.tzset()

import mixpanel
import posthog
import rudderstack.analytics as rudder
import segment.analytics as segment

events = []


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        events.extend(json.loads(body)["batch"])
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}"
product = posthog.Posthog("key", host=url, sync_mode=True)
for client, address in ((segment, "host"), (rudder, "dataPlaneUrl")):
    client.write_key, client.sync_mode = "key", True
    setattr(client, address, url)
clients = {
    "posthog": lambda at: product.capture("open", distinct_id="u", timestamp=at),
    "segment-analytics-python": lambda at: segment.track("u", "open", {}, timestamp=at),
    "rudder-sdk-python": lambda at: rudder.track("u", "open", {}, timestamp=at),
}
for name, send in clients.items():
    print(name, importlib.metadata.version(name))
    for age, text in ((0, "now"), (1, "an hour ago"), (-1, "in an hour")):
        for form in ("no zone", "in UTC"):
            true = datetime.now(timezone.utc) - timedelta(hours=age)
            local = true.astimezone().replace(tzinfo=None)
            events.clear()
            send(local if form == "no zone" else true)
            sent = datetime.fromisoformat(events[0]["timestamp"])
            hours = round((sent - true).total_seconds() / 3600)
            print(f"  {text}, {form}: {hours:+} hours" if hours else f"  {text}, {form}: right")

print("mixpanel", importlib.metadata.version("mixpanel"))


class Consumer:
    def send(self, endpoint, message, *_, **__):
        print(" ", endpoint, json.loads(message).get("$set"))


berlin = datetime(2026, 3, 1, 10, tzinfo=timezone(timedelta(hours=1)))
people = mixpanel.Mixpanel("token", consumer=Consumer())
people.people_set("u", {"paid": berlin, "same": berlin.astimezone(timezone.utc)})
PYTHON
"$folder/venv/bin/python" "$folder/try.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
posthog 7.91.1
  now, no zone: right
  now, in UTC: right
  an hour ago, no zone: -5 hours
  an hour ago, in UTC: right
  in an hour, no zone: -5 hours
  in an hour, in UTC: right
segment-analytics-python 2.4.0
  now, no zone: right
  now, in UTC: right
  an hour ago, no zone: -5 hours
  an hour ago, in UTC: right
  in an hour, no zone: right
  in an hour, in UTC: right
rudder-sdk-python 2.1.9
  now, no zone: right
  now, in UTC: right
  an hour ago, no zone: -5 hours
  an hour ago, in UTC: right
  in an hour, no zone: right
  in an hour, in UTC: right
mixpanel 5.4.1
  people {'paid': '2026-03-01T10:00:00', 'same': '2026-03-01T09:00:00'}
EXPECTED
