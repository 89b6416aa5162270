#!/usr/bin/env bash
# dj-stripe adds dollars and leaves refunds in cents, and prints some amounts 100 times too large.
#
# Expected: Stripe states each amount in the smallest unit of its currency, and dj-stripe either
# leaves all amounts so or turns all of them into units of the currency.
# Seen: a charge is divided by 100 when it is stored, whatever its currency: 1,500 yen are 15.00,
# and 12.340 dinars 123.40. amount_refunded is not divided. The monthly totals of
# paid_totals_for() have both in one answer, dollars paid and cents refunded, so paid minus refunded
# is wrong, and they add up all currencies. The texts of a transfer, a coupon and an invoice, as
# Django's admin shows them, take cents for dollars. Only stripe_data has the amounts as Stripe
# wrote them: sum those, for each currency by itself.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  dj-stripe==2.11.0 django==5.2.19 stripe==15.6.2
cat >"$folder/try.py" <<'PYTHON'
import importlib.metadata

import django
import stripe
from django.conf import settings
from django.core.management import call_command

KEY = "sk_test_" + "0" * 24  # of nobody; nothing is sent
NONE = {"object": "list", "data": [], "has_more": False, "url": "/v1/none"}
settings.configure(
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "djstripe"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    MIGRATION_MODULES={"djstripe": None},  # its tables at once, which takes less time
    USE_TZ=True,
    STRIPE_LIVE_MODE=False,
    STRIPE_TEST_SECRET_KEY=KEY,
    DJSTRIPE_FOREIGN_KEY_TO_FIELD="id",
)
django.setup()
call_command("migrate", run_syncdb=True, verbosity=0)
from djstripe import models

for package in ("dj-stripe", "django", "stripe"):
    print(package, importlib.metadata.version(package))
owner = models.Account.objects.create(id="acct_1", stripe_data={})
models.APIKey.objects.create(
    secret=KEY, type="secret", livemode=False, djstripe_owner_account=owner
)


def stored(model, kind, id, **members):
    values = {"id": id, "object": kind, "livemode": False, "created": 1795995000, **members}
    data = getattr(stripe, model.__name__).construct_from(values, None)
    model.sync_from_stripe_data(data)
    return model.objects.get(id=id)


def charge(id, currency, amount, refunded):
    result = stored(
        models.Charge, "charge", id, currency=currency, amount=amount, amount_refunded=refunded,
        paid=True, captured=True, refunded=False, disputed=False, status="succeeded",
        refunds=NONE,
    )  # fmt: skip
    print(f"charge of {amount} {currency}: amount {result.amount}, {result}")


def totals():
    found = models.Charge.objects.paid_totals_for(2026, 11)
    print({name: str(round(value, 2)) for name, value in found.items()})


charge("ch_1", "usd", 1999, 500)
totals()
charge("ch_2", "jpy", 1500, 0)
charge("ch_3", "kwd", 12340, 0)
totals()
stored(models.Customer, "customer", "cus_1", email="")
transfer = {"amount": 1999, "amount_reversed": 0, "reversed": False, "reversals": NONE}
invoice = {"amount_paid": 1999, "status": "paid", "number": "A1", "customer": "cus_1"}
coupon = {"amount_off": 500, "percent_off": None, "duration": "once"}
print("transfer of 1999:", stored(models.Transfer, "transfer", "tr_1", currency="usd", **transfer))
print("coupon of 500:", stored(models.Coupon, "coupon", "c_1", currency="usd", **coupon))
paid = stored(models.Invoice, "invoice", "in_1", currency="usd", lines=NONE, **invoice)
print("invoice of 1999:", paid)
PYTHON
"$folder/venv/bin/python" -W ignore "$folder/try.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
dj-stripe 2.11.0
django 5.2.19
stripe 15.6.2
charge of 1999 usd: amount 19.99, $19.99 USD (Succeeded)
{'total_amount': '19.99', 'total_refunded': '500'}
charge of 1500 jpy: amount 15.00, 15.00 JPY (Succeeded)
charge of 12340 kwd: amount 123.40, 123.40 KWD (Succeeded)
{'total_amount': '158.39', 'total_refunded': '500'}
transfer of 1999: $1,999.00 USD
coupon of 500: $500.00 USD off once
invoice of 1999: Invoice #A1 for $1,999.00 USD (paid)
EXPECTED
