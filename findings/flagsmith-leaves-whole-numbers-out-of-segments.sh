#!/usr/bin/env bash
# Flagsmith's engine: a user with a 5 is neither above 4.5 nor below it, nor different from it.
#
# Expected: a segment "rating is greater than 4.5" holds for the number 5, as it does for 4.6, and
# JSON's 5 and 5.0 are one number.
# Seen: the engine turns the value of the condition into the type of the user's trait, and "4.5" is
# no int, so every comparison of a whole number with it is false without a word: of the ratings 4,
# 4.0, 4.4, 4.6, 5 and 5.0 neither 4 nor 5 is less, greater or "not equal". 5 is not equal to "5.0",
# while 5.0 is equal to "5". A spent amount of 10 is not "at least 9.99". Texts that look like
# numbers are numbers first: the version "2.10" is equal to "2.1", not greater than "2.9", and
# neither older nor newer than 2.9.0:semver, and the code "007" is equal to "7". A truth value is
# equal to every text but false and False: "0", "no" and FALSE are true. Send numbers as floats and
# versions with three parts.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  flagsmith-flag-engine==11.1.1 semver==3.1.2 jsonpath-rfc9535==0.2.0
cat >"$folder/try.py" <<'PYTHON'
import json
from importlib.metadata import version

from flag_engine.engine import get_evaluation_result

print("flagsmith-flag-engine", version("flagsmith-flag-engine"))


def holds(operator, value, trait):
    condition = {"property": "trait", "operator": operator, "value": value}
    context = {
        "environment": {"key": "key", "name": "production"},
        "identity": {"identifier": "u", "key": "u", "traits": {"trait": json.loads(trait)}},
        "features": {},
        "segments": {
            "1": {
                "key": "1",
                "name": "segment",
                "rules": [{"type": "ALL", "conditions": [condition]}],
            }
        },
    }
    return bool(get_evaluation_result(context)["segments"])


def show(operator, value, *traits):
    found = [trait for trait in traits if holds(operator, value, trait)]
    print(f"{operator} {value!r} of {', '.join(traits)}: {', '.join(found) or 'none'}")


ratings = ("4", "4.0", "4.4", "4.6", "5", "5.0")
for operator in ("LESS_THAN", "GREATER_THAN", "NOT_EQUAL"):
    show(operator, "4.5", *ratings)
show("GREATER_THAN_INCLUSIVE", "9.99", "9.99", "10", "10.5", "20")
show("EQUAL", "5.0", "5", "5.0")
show("EQUAL", "5", "5", "5.0")
for value in ("true", "false", "FALSE", "0", "no"):
    show("EQUAL", value, "true", "false")
show("EQUAL", "2.1", '"2.1"', '"2.10"', '"2.1.0"')
show("GREATER_THAN", "2.9", '"2.10"', '"2.10.0"', '"2.91"')
show("EQUAL", "7", '"7"', '"007"', '"A7"')
for operator in ("LESS_THAN", "GREATER_THAN"):
    show(operator, "2.9.0:semver", '"2.8.0"', '"2.10.0"', '"2.10"')
PYTHON
"$folder/venv/bin/python" "$folder/try.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
flagsmith-flag-engine 11.1.1
LESS_THAN '4.5' of 4, 4.0, 4.4, 4.6, 5, 5.0: 4.0, 4.4
GREATER_THAN '4.5' of 4, 4.0, 4.4, 4.6, 5, 5.0: 4.6, 5.0
NOT_EQUAL '4.5' of 4, 4.0, 4.4, 4.6, 5, 5.0: 4.0, 4.4, 4.6, 5.0
GREATER_THAN_INCLUSIVE '9.99' of 9.99, 10, 10.5, 20: 9.99, 10.5
EQUAL '5.0' of 5, 5.0: 5.0
EQUAL '5' of 5, 5.0: 5, 5.0
EQUAL 'true' of true, false: true
EQUAL 'false' of true, false: false
EQUAL 'FALSE' of true, false: true
EQUAL '0' of true, false: true
EQUAL 'no' of true, false: true
EQUAL '2.1' of "2.1", "2.10", "2.1.0": "2.1", "2.10"
GREATER_THAN '2.9' of "2.10", "2.10.0", "2.91": "2.91"
EQUAL '7' of "7", "007", "A7": "7", "007"
LESS_THAN '2.9.0:semver' of "2.8.0", "2.10.0", "2.10": "2.8.0"
GREATER_THAN '2.9.0:semver' of "2.8.0", "2.10.0", "2.10": "2.10.0"
EXPECTED
