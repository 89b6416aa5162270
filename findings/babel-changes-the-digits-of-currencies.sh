#!/usr/bin/env bash
# Babel 2.19 gives the forint no hundredths, so amounts in its smallest unit become 100 times more.
#
# Expected: a currency has the digits of ISO 4217, in whose smallest units payments are counted, and
# an update of Babel changes nothing about it.
# Seen: get_currency_precision() is CLDR's number, which follows price tags. Babel 2.19 says 0 for
# HUF, COP and IDR, where 2.18 said 2; for IQD and MMK both say 0, and ISO 3 and 2. So
# amount / 10 ** get_currency_precision(code), right before the update, makes 199,050 Ft of
# 1,990.50 Ft, and format_currency() leaves out the .50. Divide by ISO's digits, and format with
# currency_digits=False.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/try.py" <<'PYTHON'
import importlib.metadata
from decimal import Decimal

from babel import numbers
from iso4217 import Currency

print(*(f"{name} {importlib.metadata.version(name)}" for name in ("babel", "iso4217")))
for code in ("EUR", "JPY", "KWD", "HUF", "COP", "IDR", "IQD", "MMK"):
    digits = {"ISO": Currency(code).exponent, "Babel": numbers.get_currency_precision(code)}
    amount = Decimal(199050) / 10 ** digits["Babel"]
    print(code, digits, numbers.format_currency(amount, code, locale="en_US"))
print(numbers.format_currency(Decimal("1990.50"), "HUF", locale="en_US"))
print(
    numbers.format_currency(
        Decimal("1990.50"), "HUF", "¤#,##0.00", locale="en_US", currency_digits=False
    )
)
PYTHON
for version in 2.18.0 2.19.0; do
  python3 -m venv "$folder/$version"
  "$folder/$version/bin/pip" install --quiet --disable-pip-version-check \
    "babel==$version" iso4217==1.16.20260101
  "$folder/$version/bin/python" "$folder/try.py" >>"$folder/seen"
done
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
babel 2.18.0 iso4217 1.16.20260101
EUR {'ISO': 2, 'Babel': 2} €1,990.50
JPY {'ISO': 0, 'Babel': 0} ¥199,050
KWD {'ISO': 3, 'Babel': 3} KWD199.050
HUF {'ISO': 2, 'Babel': 2} HUF1,990.50
COP {'ISO': 2, 'Babel': 2} COP1,990.50
IDR {'ISO': 2, 'Babel': 2} IDR1,990.50
IQD {'ISO': 3, 'Babel': 0} IQD199,050
MMK {'ISO': 2, 'Babel': 0} MMK199,050
HUF1,990.50
HUF1,990.50
babel 2.19.0 iso4217 1.16.20260101
EUR {'ISO': 2, 'Babel': 2} €1,990.50
JPY {'ISO': 0, 'Babel': 0} ¥199,050
KWD {'ISO': 3, 'Babel': 3} KWD199.050
HUF {'ISO': 2, 'Babel': 0} HUF199,050
COP {'ISO': 2, 'Babel': 0} COP199,050
IDR {'ISO': 2, 'Babel': 0} IDR199,050
IQD {'ISO': 3, 'Babel': 0} IQD199,050
MMK {'ISO': 2, 'Babel': 0} MMK199,050
HUF1,990
HUF1,990.50
EXPECTED
