#!/usr/bin/env bash
# cloudevents 2 for Python: the text "42" in an event's data comes back as the number 42.
#
# Expected: what was a text when an event was made is a text when it is read, as in version 1, whose
# API the package still has.
# Seen: in binary mode a text goes into the body without quotes, although the content type is
# application/json: pro is no JSON then, and other readers refuse it. The package reads the body as
# JSON where it can, so the id "42" is 42, "1e3" is 1000.0, "true" is True, and "null" is no data.
# Nothing warns. In structured mode texts are kept. Version 1, in cloudevents.v1, keeps them in
# both, but does not decode headers as version 2 does: a document "Jörg" of Firestore is J%C3%B6rg
# there. Put texts into an object, as {"id": "42"}, whose members all of them keep.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check cloudevents==2.2.0
cat >"$folder/try.py" <<'PYTHON'
import importlib.metadata

from cloudevents.core.bindings import http
from cloudevents.core.v1.event import CloudEvent
from cloudevents.v1.conversion import to_binary, to_structured
from cloudevents.v1.http import CloudEvent as OldEvent
from cloudevents.v1.http import from_http

print("cloudevents", importlib.metadata.version("cloudevents"))
ATTRIBUTES = {
    "id": "1",
    "specversion": "1.0",
    "type": "google.cloud.firestore.document.v1.updated",
    "source": "//firestore.googleapis.com/projects/demo/databases/(default)",
    "subject": "documents/users/Jörg",
}


def show(name, write, read, kind, data):
    event = CloudEvent({**ATTRIBUTES, "datacontenttype": kind}, data)
    message = write(event)
    print(f"  {data!r}: {name} {read(message).get_data()!r}", end="")
    print(f", body {message.body!r}" if name == "binary" else "")


def show_old(data):
    event = OldEvent({**ATTRIBUTES, "datacontenttype": "application/json"}, data)
    binary, structured = (from_http(*write(event)).data for write in (to_binary, to_structured))
    print(f"  {data!r}: binary {binary!r}, structured {structured!r}")


BINARY = ("binary", http.to_binary_event, http.from_binary_event)
STRUCTURED = ("structured", http.to_structured_event, http.from_structured_event)
VALUES = ("42", "1e3", "true", "null", "pro", 42, {"id": "42"})
print("version 2, application/json")
for value in VALUES:
    show(*BINARY, "application/json", value)
    show(*STRUCTURED, "application/json", value)
print("version 1, application/json")
for value in VALUES:
    show_old(value)
message = http.to_binary_event(CloudEvent(ATTRIBUTES, {}))
print("header:", message.headers["ce-subject"])
print("version 2:", http.from_binary_event(message).get_subject())
print("version 1:", from_http(message.headers, message.body)["subject"])
PYTHON
"$folder/venv/bin/python" "$folder/try.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
cloudevents 2.2.0
version 2, application/json
  '42': binary 42, body b'42'
  '42': structured '42'
  '1e3': binary 1000.0, body b'1e3'
  '1e3': structured '1e3'
  'true': binary True, body b'true'
  'true': structured 'true'
  'null': binary None, body b'null'
  'null': structured 'null'
  'pro': binary 'pro', body b'pro'
  'pro': structured 'pro'
  42: binary 42, body b'42'
  42: structured 42
  {'id': '42'}: binary {'id': '42'}, body b'{"id": "42"}'
  {'id': '42'}: structured {'id': '42'}
version 1, application/json
  '42': binary '42', structured '42'
  '1e3': binary '1e3', structured '1e3'
  'true': binary 'true', structured 'true'
  'null': binary 'null', structured 'null'
  'pro': binary 'pro', structured 'pro'
  42: binary 42, structured 42
  {'id': '42'}: binary {'id': '42'}, structured {'id': '42'}
header: documents/users/J%C3%B6rg
version 2: documents/users/Jörg
version 1: documents/users/J%C3%B6rg
EXPECTED
