#!/usr/bin/env bash
# google-cloud-firestore sends "in" with 31 values, although Firestore takes 30.
#
# Expected: a client that knows the operators knows their bounds, and refuses a longer list before
# it asks, as it refuses other queries that cannot be.
# Seen: "in", "array-contains-any" and "not-in" with any number of values are sent as they are, and
# the caller learns the bound from the server, page by page where the list grows. An empty list is
# sent, too. What the client does refuse by itself is a comparison with null other than == and !=.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  google-cloud-firestore==2.34.1 grpcio==1.85.3
cat >"$folder/try.py" <<'PYTHON'
import importlib.metadata

from google.auth.credentials import AnonymousCredentials
from google.cloud import firestore
from google.cloud.firestore_v1.base_query import FieldFilter

for package in ("google-cloud-firestore", "grpcio"):
    print(package, importlib.metadata.version(package))
client = firestore.Client(project="p", credentials=AnonymousCredentials())


def sent(operator, value):
    """How many values the request has; the error's name when there is none."""
    try:
        query = client.collection("c").where(filter=FieldFilter("f", operator, value))
        return len(query._to_protobuf().where.field_filter.value.array_value.values)
    except ValueError as error:
        return type(error).__name__


for operator in ("in", "array_contains_any", "not-in"):
    for count in (0, 10, 11, 30, 31, 1000):
        print(operator, count, sent(operator, list(range(count))))
print("> null", sent(">", None))
PYTHON
"$folder/venv/bin/python" "$folder/try.py" >"$folder/seen"
cat "$folder/seen"
diff <(tail -n +3 "$folder/seen") - <<'EXPECTED'
in 0 0
in 10 10
in 11 11
in 30 30
in 31 31
in 1000 1000
array_contains_any 0 0
array_contains_any 10 10
array_contains_any 11 11
array_contains_any 30 30
array_contains_any 31 31
array_contains_any 1000 1000
not-in 0 0
not-in 10 10
not-in 11 11
not-in 30 30
not-in 31 31
not-in 1000 1000
> null ValueError
EXPECTED
