#!/usr/bin/env bash
# Amplitude's client leaves out a price of 5, and all properties of an event if one is a date.
#
# Expected: a price of 5 is one of 5.0, and a value that cannot be sent is an error, or is missing
# alone.
# Seen: a whole number as price is left out of an event, and a revenue event of it is not sent at
# all: an app with prices of 4.99 and 5 has the revenue of the first. A time with a fraction, as
# time.time() * 1000 is, becomes the time of sending. Of these the log has a line. One Decimal,
# date, tuple, list within a list or null within a list takes all properties of the event along,
# the amount of a revenue event as well, and the log has no word. track(), revenue() and flush()
# end without an error. float(price), int(time) and plain JSON values avoid all of it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check amplitude-analytics==1.3.0
cat >"$folder/try.py" <<'PYTHON'
import importlib.metadata
import json
import logging
import threading
from datetime import date
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from amplitude import Amplitude, BaseEvent, Config, EventOptions, Revenue

events, lines = [], []
TIME = 1767225600123
SHOWN = ("price", "quantity", "event_properties")


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        events.extend(json.loads(body)["events"])
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'{"code": 200}')

    def log_message(self, *_):
        pass


class Lines(logging.Handler):
    def emit(self, record):
        lines.append(record.getMessage())


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
logging.getLogger("amplitude").addHandler(Lines())
address = f"http://127.0.0.1:{server.server_port}/"
client = Amplitude("key", Config(server_url=address, flush_interval_millis=2000))


def show(text, send):
    events.clear()
    lines.clear()
    send()
    for future in client.flush():
        if future:
            future.result()
    sent = [{name: event[name] for name in SHOWN if name in event} for event in events]
    moved = any(event["time"] != TIME for event in events)
    print(f"{text}: {sent[0] if sent else 'not sent'}{', time of sending' * moved}")
    for line in lines:
        print("  log:", line)


def event(**members):
    return BaseEvent("buy", user_id="u", **{"time": TIME, **members})


print("amplitude-analytics", importlib.metadata.version("amplitude-analytics"))
show("price 5.0", lambda: client.track(event(price=5.0, quantity=1)))
show("price 5", lambda: client.track(event(price=5, quantity=1)))
show("time with a fraction", lambda: client.track(event(time=TIME + 0.5, quantity=1)))
for value in ("x", [], None, Decimal("4.99"), date(2026, 3, 1), ("a", "b"), ["a", None], [[1]]):
    properties = {"plan": "pro", "value": value}
    show(f"property {value!r}", lambda: client.track(event(event_properties=properties)))
options = EventOptions(user_id="u", time=TIME)
day = {"day": date(2026, 3, 1)}
show("revenue 5.0", lambda: client.revenue(Revenue(5.0), options))
show("revenue 5", lambda: client.revenue(Revenue(5), options))
show("and a day", lambda: client.revenue(Revenue(5.0, properties=day), options))
client.shutdown()
PYTHON
"$folder/venv/bin/python" "$folder/try.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
amplitude-analytics 1.3.0
price 5.0: {'price': 5.0, 'quantity': 1}
price 5: {'quantity': 1}
  log: Event property price expected <class 'float'> but received <class 'int'>.
time with a fraction: {'quantity': 1}, time of sending
  log: Event property time expected <class 'int'> but received <class 'float'>.
property 'x': {'event_properties': {'plan': 'pro', 'value': 'x'}}
property []: {'event_properties': {'plan': 'pro', 'value': []}}
property None: {'event_properties': {'plan': 'pro'}}
property Decimal('4.99'): {}
property datetime.date(2026, 3, 1): {}
property ('a', 'b'): {}
property ['a', None]: {}
property [[1]]: {}
revenue 5.0: {'event_properties': {'$price': 5.0, '$quantity': 1}}
revenue 5: not sent
  log: Invalid price for revenue event
and a day: {}
EXPECTED
