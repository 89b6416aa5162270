#!/usr/bin/env bash
# GrowthBook's destroy() empties the user's attributes that it was given, and forced variations.
#
# Expected: destroy(), which the manual of the client for Python asks for after each request, frees
# what the client made, and leaves the caller's own dicts alone.
# Seen: it clears the dict of attributes, so a user's dict that a session or a cache keeps has no
# members after the first request: the second one gets other features and no experiment, without a
# word. The dict of forced variations is emptied too, so that a constant of the program holds for
# the first request only. The features stay. Nothing warns. Give it copies: attributes=dict(user).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check growthbook==4.0.0
cat >"$folder/try.py" <<'PYTHON'
from importlib.metadata import version

from growthbook import Experiment, GrowthBook

print("growthbook", version("growthbook"))
FEATURES = {
    "export": {
        "defaultValue": False,
        "rules": [{"condition": {"plan": "pro"}, "force": True}],
    },
}
FORCED = {"price": 1}
user = {"id": "u1", "plan": "pro"}
tester = {"id": "u2", "plan": "free"}


def request(text, attributes):
    client = GrowthBook(attributes=attributes, features=FEATURES, forced_variations=FORCED)
    found = client.is_on("export")
    result = client.run(Experiment(key="price", variations=[4.99, 9.99], weights=[1, 0]))
    client.destroy()
    print(f"{text}: export {found}, price {result.value}, in the experiment {result.inExperiment};")
    print(f"  then attributes {attributes}, forced {FORCED}")


request("first request", user)
request("second request", user)
request("another user", dict(tester))
FORCED["price"] = 1
request("forced again", dict(tester))
print("features", sorted(FEATURES), "tester", tester)
PYTHON
"$folder/venv/bin/python" "$folder/try.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
growthbook 4.0.0
first request: export True, price 9.99, in the experiment True;
  then attributes {}, forced {}
second request: export False, price 4.99, in the experiment False;
  then attributes {}, forced {}
another user: export False, price 4.99, in the experiment True;
  then attributes {}, forced {}
forced again: export False, price 9.99, in the experiment True;
  then attributes {}, forced {}
features ['export'] tester {'id': 'u2', 'plan': 'free'}
EXPECTED
