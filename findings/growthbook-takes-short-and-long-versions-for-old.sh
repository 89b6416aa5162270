#!/usr/bin/env bash
# GrowthBook takes the app version 2.10 and the build 2.10.0.1 for older than 2.10.0.
#
# Expected: $vgte 2.10.0 holds for 2.10, which names the same version, and for 2.10.0.1, which is
# newer; of $vlt, $veq and $vgt one holds.
# Seen: GrowthBook's client for Python compares texts of the padded parts, and puts a sign behind
# those of exactly three parts that sorts them after all others of the same beginning. So 2.10 and
# 2.10.0.1 are less than 2.10.0, as a pre-release is, and 2.10.0 is greater than 2.10. That is
# GrowthBook's rule for its clients of all languages. A version that JSON has as a number, such as
# 2.1 or 3, is neither less, equal nor greater, and neither is a missing one. Nothing warns.
# Versions of three parts on both sides are right.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check growthbook==4.0.0
cat >"$folder/try.py" <<'PYTHON'
from importlib.metadata import version

from growthbook import GrowthBook

print("growthbook", version("growthbook"))


def holds(operator, value, attributes):
    rule = {"condition": {"version": {operator: value}}, "force": True}
    features = {"feature": {"defaultValue": False, "rules": [rule]}}
    client = GrowthBook(attributes=attributes, features=features)
    return client.is_on("feature")


def show(app, value):
    attributes = {} if app is None else {"version": app}
    found = [name for name in ("$vlt", "$veq", "$vgt") if holds(name, value, attributes)]
    print(f"{app!r} to {value!r}: {' '.join(found) or 'nothing'}")


for app in ("2.9.9", "2.10.0", "2.10.1", "2.10", "2.10.0.1", "2.10.0-beta", "2.11", 2.1, 3, None):
    show(app, "2.10.0")
for app in ("2.10.0", "2.10.0.1", "2.10.1"):
    show(app, "2.10")
for app in ("2.10.0", "2.10.0.5", "2.10"):
    show(app, "2.10.0.1")
PYTHON
"$folder/venv/bin/python" "$folder/try.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
growthbook 4.0.0
'2.9.9' to '2.10.0': $vlt
'2.10.0' to '2.10.0': $veq
'2.10.1' to '2.10.0': $vgt
'2.10' to '2.10.0': $vlt
'2.10.0.1' to '2.10.0': $vlt
'2.10.0-beta' to '2.10.0': $vlt
'2.11' to '2.10.0': $vgt
2.1 to '2.10.0': nothing
3 to '2.10.0': nothing
None to '2.10.0': nothing
'2.10.0' to '2.10': $vgt
'2.10.0.1' to '2.10': $vgt
'2.10.1' to '2.10': $vgt
'2.10.0' to '2.10.0.1': $vgt
'2.10.0.5' to '2.10.0.1': $vgt
'2.10' to '2.10.0.1': $vlt
EXPECTED
