#!/usr/bin/env bash
# itunes-iap's last_in_app of a subscription's receipt is whichever renewal stands last in the list.
#
# Expected: Receipt.last_in_app, which is documented as the last by its time of purchase, is the
# newest renewal, and its expires_date tells how long the subscription is paid.
# Seen: it sorts by original_purchase_date_ms, and all renewals of a subscription have the time of
# the first purchase there. So the order of the list decides, which Apple does not promise: of the
# 24 orders of four renewals 6 have the newest last. With the newest first the last one is the first
# purchase, which ran out months ago. A plan that was first bought later comes after all renewals of
# an older one. Nothing warns. max(receipt.in_app, key=lambda purchase: purchase.purchase_date_ms)
# is right.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check itunes-iap==2.6.1 \
  setuptools==65.5.0
cat >"$folder/try.py" <<'PYTHON'
import datetime
import itertools
import warnings
from importlib.metadata import version

warnings.simplefilter("ignore")
from itunesiap.receipt import Response

print("itunes-iap", version("itunes-iap"))


def times(name, day):
    time = datetime.datetime.fromisoformat(day + "T08:00:00+00:00")
    text = time.strftime("%Y-%m-%d %H:%M:%S Etc/GMT")
    return {name: text, name + "_ms": str(int(time.timestamp() * 1000))}


def purchase(product, first, bought, expires):
    return {
        "quantity": "1",
        "product_id": product,
        **times("original_purchase_date", first),
        **times("purchase_date", bought),
        **times("expires_date", expires),
        "is_trial_period": "false",
    }


def show(text, purchases):
    receipt = Response({"status": 0, "receipt": {"in_app": purchases}}).receipt
    last = receipt.last_in_app
    newest = max(receipt.in_app, key=lambda purchase: purchase.purchase_date_ms)
    print(f"{text}: last_in_app expires {last.expires_date:%Y-%m-%d},", end=" ")
    print(f"the newest {newest.expires_date:%Y-%m-%d}")


renewals = [
    purchase("pro", "2026-01-05", f"2026-{month:02}-05", f"2026-{month + 1:02}-05")
    for month in range(1, 5)
]
show("oldest first", renewals)
show("newest first", renewals[::-1])
orders = list(itertools.permutations(renewals))
right = 0
for order in orders:
    receipt = Response({"status": 0, "receipt": {"in_app": list(order)}}).receipt
    right += receipt.last_in_app.purchase_date_ms == max(p.purchase_date_ms for p in receipt.in_app)
print(f"{right} of {len(orders)} orders give the newest")
team = purchase("team", "2026-03-20", "2026-03-20", "2026-04-20")
show("a plan of March beside it", [team, *renewals])
PYTHON
"$folder/venv/bin/python" "$folder/try.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
itunes-iap 2.6.1
oldest first: last_in_app expires 2026-05-05, the newest 2026-05-05
newest first: last_in_app expires 2026-02-05, the newest 2026-05-05
6 of 24 orders give the newest
a plan of March beside it: last_in_app expires 2026-04-20, the newest 2026-05-05
EXPECTED
