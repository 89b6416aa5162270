#!/usr/bin/env bash
# fake-firestore, a double for tests, finds and writes other documents than Firestore, silently.
#
# Expected: what a double for tests cannot do is an error; the rest is as in Firestore.
# Seen: set(..., merge=True) replaces a map inside the document, where Firestore merges it, so
# members are lost. Python's == decides: a filter for 1 finds true as well. != finds documents
# without the field. array_contains looks into texts, and finds "yes" by "e". ArrayRemove removes
# only the first 1 of a list. A dot in a key of set() becomes a map. Maximum() is stored as the
# object itself. So a test passes against wrong code, or fails against right code. Where documents
# lack the field of order_by, it raises KeyError; Firestore leaves them out. The values behind
# "Firestore" are those of Google's emulator (528.0.0) for the same calls of Google's client 2.34.1.
# Test queries against the emulator.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  fake-firestore==0.13.1 google-cloud-firestore==2.34.1
cat >"$folder/try.py" <<'PYTHON'
import importlib.metadata
import os

from google.auth.credentials import AnonymousCredentials
from google.cloud import firestore
from google.cloud.firestore import FieldFilter

for package in ("fake-firestore", "google-cloud-firestore"):
    print(package, importlib.metadata.version(package))
if os.environ.get("FIRESTORE_EMULATOR_HOST"):  # the same calls, to see what Firestore says
    client = firestore.Client(project="demo-test", credentials=AnonymousCredentials())
else:
    from fake_firestore import MockFirestore

    client = MockFirestore()
things = client.collection("things")
for id, values in (
    ("one", {"n": 1, "tag": ["e"]}),
    ("two", {"n": 2, "tag": "yes"}),
    ("true", {"n": True}),
    ("null", {"n": None}),
    ("without", {"tag": []}),
):
    things.document(id).set(values)


def found(field, operator, value):
    query = things.where(filter=FieldFilter(field, operator, value))
    return sorted(snapshot.id for snapshot in query.stream())


def ordered():
    try:
        return [snapshot.id for snapshot in things.order_by("n").stream()]
    except KeyError as error:
        return repr(error)


def after(write, *values, **options):
    """What an update() or set() of this document makes of it."""
    document = things.document("changed")
    document.set({"map": {"a": 1, "b": 2}, "list": [1, 2, 1], "n": 5})
    getattr(document, write)(*values, **options)
    return dict(sorted(document.get().to_dict().items()))


WHOLE = {"list": [1, 2, 1], "map": {"a": 1, "b": 2}, "n": 5}
remove = {"list": firestore.ArrayRemove([1])}
maximum = type(after("update", {"n": firestore.Maximum(9)})["n"]).__name__
things.document("changed").delete()
for name, seen, real in (
    ("n == 1", found("n", "==", 1), ["one"]),
    ("n != 1", found("n", "!=", 1), ["true", "two"]),
    ("tag array_contains e", found("tag", "array_contains", "e"), ["one"]),
    ("order_by n", ordered(), ["null", "true", "one", "two"]),
    (
        "set, merge",
        after("set", {"map": {"c": 3}}, merge=True),
        {**WHOLE, "map": {"a": 1, "b": 2, "c": 3}},
    ),
    ("set, key with a dot", after("set", {"map.c": 3}, merge=True), {**WHOLE, "map.c": 3}),
    ("ArrayRemove", after("update", remove)["list"], [2]),
    ("Maximum", maximum, "int"),
):
    print(name)
    print("  Firestore:", real)
    print("  same" if seen == real else f"  fake: {seen}")
PYTHON
"$folder/venv/bin/python" -W ignore "$folder/try.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
fake-firestore 0.13.1
google-cloud-firestore 2.34.1
n == 1
  Firestore: ['one']
  fake: ['one', 'true']
n != 1
  Firestore: ['true', 'two']
  fake: ['null', 'two', 'without']
tag array_contains e
  Firestore: ['one']
  fake: ['one', 'two']
order_by n
  Firestore: ['null', 'true', 'one', 'two']
  fake: KeyError('n')
set, merge
  Firestore: {'list': [1, 2, 1], 'map': {'a': 1, 'b': 2, 'c': 3}, 'n': 5}
  fake: {'list': [1, 2, 1], 'map': {'c': 3}, 'n': 5}
set, key with a dot
  Firestore: {'list': [1, 2, 1], 'map': {'a': 1, 'b': 2}, 'n': 5, 'map.c': 3}
  fake: {'list': [1, 2, 1], 'map': {'a': 1, 'b': 2, 'c': 3}, 'n': 5}
ArrayRemove
  Firestore: [2]
  fake: [2, 1]
Maximum
  Firestore: int
  fake: Maximum
EXPECTED
