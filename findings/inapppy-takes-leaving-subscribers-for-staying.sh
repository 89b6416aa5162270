#!/usr/bin/env bash
# inapppy says is_canceled=False of a Google Play subscription that its user has cancelled.
#
# Expected: verify_with_result() says whether a subscription has been cancelled, by whomever.
# Seen: Google's answer has cancelReason when a subscription will not renew: 0 if the user cancelled
# it, 1 if Google did (a card that failed), 2 if another one took its place, 3 if the developer did.
# inapppy reads a missing member as 0 too and takes 0 for "not cancelled", so the users who leave by
# themselves never show, and verify() passes; one who moves to a larger plan, 2, is cancelled. A
# subscription that waits for its payment (paymentState 0) or is on trial (2) is like a paid one,
# and a product whose payment is pending (purchaseState 2) is cancelled. raw_response has the
# members: "cancelReason" in it is right. The answers are made after Google's reference and handed
# out by HttpMock of its client, so nothing goes to Google. purchases.subscriptions.get is
# deprecated, and clients of autumn 2026 do not have it any more, so that inapppy needs an older
# one.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  inapppy==2.5.2 google-api-python-client==2.195.0 oauth2client==4.1.3
cat >"$folder/try.py" <<'PYTHON'
import json
import time
import warnings
from importlib.metadata import version

from googleapiclient.http import HttpMockSequence

warnings.simplefilter("ignore")
from inapppy import GooglePlayVerifier

for name in ("inapppy", "google-api-python-client"):
    print(name, version(name))
NOW = int(time.time() * 1000)


class Verifier(GooglePlayVerifier):
    def _authorize(self):
        return None


def show(text, subscription, **members):
    verifier = Verifier("com.example.app", {})
    answer = json.dumps(members)
    verifier.http = HttpMockSequence([({"status": "200"}, answer), ({"status": "200"}, answer)])
    result = verifier.verify_with_result("token", "pro", is_subscription=subscription)
    try:
        verifier.verify("token", "pro", is_subscription=subscription)
        verified = "passes"
    except Exception as error:
        verified = f"raises {type(error).__name__}"
    print(f"{text}: is_canceled={result.is_canceled}, is_expired={result.is_expired},", end=" ")
    print("verify()", verified)


DAY = 86_400_000
PAID = {"expiryTimeMillis": str(NOW + 9 * DAY), "autoRenewing": True, "paymentState": 1}
LEFT = {**PAID, "autoRenewing": False, "userCancellationTimeMillis": str(NOW - DAY)}
show("renews", True, **PAID)
show("cancelled by the user", True, **LEFT, cancelReason=0)
show("cancelled by Google", True, **{**PAID, "autoRenewing": False}, cancelReason=1)
show("replaced by another", True, **{**PAID, "autoRenewing": False}, cancelReason=2)
show("payment pending", True, **{**PAID, "paymentState": 0})
show("on trial", True, **{**PAID, "paymentState": 2})
show("product bought", False, purchaseState=0)
show("product pending", False, purchaseState=2)
PYTHON
"$folder/venv/bin/python" "$folder/try.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
inapppy 2.5.2
google-api-python-client 2.195.0
renews: is_canceled=False, is_expired=False, verify() passes
cancelled by the user: is_canceled=False, is_expired=False, verify() passes
cancelled by Google: is_canceled=True, is_expired=False, verify() raises GoogleError
replaced by another: is_canceled=True, is_expired=False, verify() raises GoogleError
payment pending: is_canceled=False, is_expired=False, verify() passes
on trial: is_canceled=False, is_expired=False, verify() passes
product bought: is_canceled=False, is_expired=False, verify() passes
product pending: is_canceled=True, is_expired=False, verify() raises GoogleError
EXPECTED
