#!/usr/bin/env bash
# VictoriaMetrics makes 0 of a stored 0.75 once a later value of the same series is very large.
#
# Expected: a sample that was stored and read back exactly stays as it is. The documentation says
# that values may lose what is behind 12 significant digits.
# Seen: samples of one series that are in one block share a decimal exponent. When a value such as
# 9223372036854775807 ("no limit"), 18446744073709551615 (-1 as an unsigned number) or 1e18 arrives,
# the earlier samples are right until they are merged with it, as the server does from time to time,
# and then have lost digits for good: 0.75 is 0, 13 is 10, 12.34 is 12. Minima and averages change
# with them, and the log has no warning. Other series keep their values. Write no stand-in for
# "unlimited" into a series: leave the sample out, or write +Inf, which does no harm.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(
  cd "$folder"
  apt-get download -qq -o APT::Sandbox::User=root victoria-metrics=1.79.5+ds1-2+b5
  dpkg-deb --extract victoria-metrics_*.deb root
)
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0))
print(s.getsockname()[1])')
timeout 60 "$folder/root/usr/bin/victoria-metrics" -storageDataPath="$folder/data" \
  -retentionPeriod=100y -httpListenAddr="127.0.0.1:$port" >"$folder/log" 2>&1 &
server=$!
cat >"$folder/try.py" <<'PYTHON'
import json
import sys
import time
import urllib.parse
import urllib.request

BASE, FIRST = f"http://127.0.0.1:{sys.argv[1]}", 1772323200  # 1 March 2026, 00:00 UTC
NAMES = ("share", "users", "cost", "left", "other")


def call(path, body=None, **query):
    url = f"{BASE}{path}?{urllib.parse.urlencode(query)}"
    return urllib.request.urlopen(url, body, timeout=10).read().decode()


def store(hour, *values):
    lines = (f"{n} {v} {(FIRST + hour * 3600) * 1000}\n" for n, v in zip(NAMES, values))
    call("/api/v1/import/prometheus", "".join(lines).encode())
    call("/internal/force_flush")


def show(title):
    print(title)
    for name in NAMES:
        exported = call("/api/v1/export", match=name)
        print(f"  {name} {exported[exported.index('[') + 1:exported.index(']')]}")


for attempt in range(100):
    try:
        call("/health")
        break
    except OSError:
        time.sleep(0.1)
for hour in range(3):
    store(hour, 0.75, 13 + hour, 12.34, 0.75, 0.75)
show("stored")
store(3, 9223372036854775807, 18446744073709551615, "1e18", "+Inf")
show("with a large value")
call("/internal/force_merge")
for attempt in range(100):
    if "0.75" not in call("/api/v1/export", match="share"):
        break
    time.sleep(0.1)
show("after a merge")
least = call("/api/v1/query", query="min_over_time(users[1d])", time=FIRST + 5 * 3600)
print("least users", json.loads(least)["data"]["result"][0]["value"][1])
PYTHON
{
  dpkg-deb --show --showformat '${Package} ${Version}\n' "$folder"/victoria-metrics_*.deb
  python3 "$folder/try.py" "$port"
  echo "warnings and errors in the log: $(grep -cE $'\t(warn|error)\t' "$folder/log" || true)"
} >"$folder/seen"
kill "$server"
wait
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
victoria-metrics 1.79.5+ds1-2+b5
stored
  share 0.75,0.75,0.75
  users 13,14,15
  cost 12.34,12.34,12.34
  left 0.75,0.75,0.75
  other 0.75,0.75,0.75
with a large value
  share 0.75,0.75,0.75,9223372036854776000
  users 13,14,15,18446744073709548000
  cost 12.34,12.34,12.34,1000000000000000000
  left 0.75,0.75,0.75,+Inf
  other 0.75,0.75,0.75
after a merge
  share 0,0,0,9223372036854774784
  users 10,10,10,18446744073709548000
  cost 12,12,12,1000000000000000000
  left 0.75,0.75,0.75,+Inf
  other 0.75,0.75,0.75
least users 10
warnings and errors in the log: 0
EXPECTED
