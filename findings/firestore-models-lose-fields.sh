#!/usr/bin/env bash
# FireO's and Firedantic's save() deletes the fields a model does not name; update() keeps no None.
#
# Expected: an object that was read, changed in one field and saved changes that field; what its
# class does not name stays in the document.
# Seen: save() writes the document anew from the fields of the class. A field that a newer version
# of the app wrote is gone, without a warning. FireO's update() keeps it, but leaves out None: a
# field that was set to None keeps its old value in the document. Give a model of Firedantic
# extra="allow"; with FireO use update(), and the client itself to write null. The server below
# keeps what Commit sends, as Google's emulator does.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check wheel==0.47.0
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  fireo==1.3.4 firedantic==0.12.0 google-cloud-firestore==2.34.1 grpcio==1.85.3
cat >"$folder/try.py" <<'PYTHON'
import importlib.metadata
import os
from concurrent import futures

import grpc
from google.cloud.firestore_v1 import _helpers, types

READ = (types.BatchGetDocumentsRequest, types.BatchGetDocumentsResponse)
WRITE = (types.CommitRequest, types.CommitResponse)
NAME = "projects/demo/databases/(default)/documents/users/a"
documents = {}


def batch_get(request, context):
    found = {"name": NAME, "fields": documents[NAME], "create_time": {}, "update_time": {}}
    yield types.BatchGetDocumentsResponse(found=found, read_time={})


def commit(request, context):
    write = request.writes[0]
    fields = dict(write.update.fields)
    if "update_mask" in write:
        changed = {path: fields[path] for path in write.update_mask.field_paths}
        fields = {**documents[NAME], **changed}
    documents[NAME] = fields
    return types.CommitResponse(write_results=[{"update_time": {}}], commit_time={})


def handler(kind, answer, request, response):
    coding = {"request_deserializer": request.deserialize}
    return kind(answer, response_serializer=response.serialize, **coding)


methods = {
    "BatchGetDocuments": handler(grpc.unary_stream_rpc_method_handler, batch_get, *READ),
    "Commit": handler(grpc.unary_unary_rpc_method_handler, commit, *WRITE),
}
server = grpc.server(futures.ThreadPoolExecutor(2))
service = "google.firestore.v1.Firestore"
server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler(service, methods)])
os.environ["FIRESTORE_EMULATOR_HOST"] = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
os.environ["GOOGLE_CLOUD_PROJECT"] = "demo"
server.start()

from fireo import fields
from fireo.models import Model as FireoModel
from firedantic import Model as FiredanticModel
from firedantic import configure
from google.cloud import firestore

configure(firestore.Client())
BEFORE = {"plan": "pro", "name": "Ann", "newer": 5}


class FireoUser(FireoModel):
    class Meta:
        collection_name = "users"

    plan = fields.TextField()
    name = fields.TextField()


class FiredanticUser(FiredanticModel):
    __collection__ = "users"
    plan: str
    name: str | None


class AllowingUser(FiredanticUser):
    model_config = {"extra": "allow"}


def show(text, name, value, read, write):
    documents[NAME] = _helpers.encode_dict(BEFORE)
    user = read()
    setattr(user, name, value)
    getattr(user, write)()
    after = _helpers.decode_dict(documents[NAME], None)
    print(f"{text}, {name} = {value!r}, {write}(): {dict(sorted(after.items()))}")


for package in ("fireo", "firedantic"):
    print(package, importlib.metadata.version(package))
show("FireO", "plan", "free", lambda: FireoUser.collection.get("users/a"), "save")
show("FireO", "plan", "free", lambda: FireoUser.collection.get("users/a"), "update")
show("FireO", "name", None, lambda: FireoUser.collection.get("users/a"), "update")
show("Firedantic", "plan", "free", lambda: FiredanticUser.get_by_id("a"), "save")
show("Firedantic, allow", "plan", "free", lambda: AllowingUser.get_by_id("a"), "save")
server.stop(None)
PYTHON
"$folder/venv/bin/python" "$folder/try.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
fireo 1.3.4
firedantic 0.12.0
FireO, plan = 'free', save(): {'name': 'Ann', 'plan': 'free'}
FireO, plan = 'free', update(): {'name': 'Ann', 'newer': 5, 'plan': 'free'}
FireO, name = None, update(): {'name': 'Ann', 'newer': 5, 'plan': 'pro'}
Firedantic, plan = 'free', save(): {'name': 'Ann', 'plan': 'free'}
Firedantic, allow, plan = 'free', save(): {'name': 'Ann', 'newer': 5, 'plan': 'free'}
EXPECTED
