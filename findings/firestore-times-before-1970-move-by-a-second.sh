#!/usr/bin/env bash
# google-cloud-firestore: a time before 1970 that is read and written back is a second later.
#
# Expected: what a snapshot holds can be written into another document, or compared with, as it is.
# Seen: the client reads times as DatetimeWithNanoseconds, and when it writes one, it cuts the
# seconds towards 1970, while the fraction of a second counts forwards. So a birthday with a
# fraction moves by a second with every copy, and a filter with it looks for another time and finds
# nothing. Whole seconds, times since 1970 and a plain datetime stay as they are. google-api-core
# and proto-plus have the same fault. Make a plain datetime of what was read before it is written:
# datetime.fromtimestamp(value.timestamp(), value.tzinfo).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  google-cloud-firestore==2.34.1 google-api-core==2.44.0 proto-plus==1.29.0 grpcio==1.85.3
cat >"$folder/try.py" <<'PYTHON'
import importlib.metadata
import os
from concurrent import futures
from datetime import datetime

import grpc
import proto.datetime_helpers
from google.api_core import datetime_helpers
from google.cloud import firestore
from google.cloud.firestore_v1 import types
from google.protobuf.timestamp_pb2 import Timestamp

stored = {}
asked = []


def commit(request, context):
    for write in request.writes:
        stored[write.update.name] = write.update
    return types.CommitResponse(write_results=[{} for _ in request.writes])


def batch_get(request, context):
    for name in request.documents:
        yield types.BatchGetDocumentsResponse(found=stored[name])


def run_query(request, context):
    asked.append(request.structured_query.where.field_filter.value._pb.timestamp_value)
    yield types.RunQueryResponse()


def handler(make, answer, request, response):
    return make(
        answer, request_deserializer=request.deserialize, response_serializer=response.serialize
    )


one, many = grpc.unary_unary_rpc_method_handler, grpc.unary_stream_rpc_method_handler
methods = {
    "Commit": handler(one, commit, types.CommitRequest, types.CommitResponse),
    "BatchGetDocuments": handler(
        many, batch_get, types.BatchGetDocumentsRequest, types.BatchGetDocumentsResponse
    ),
    "RunQuery": handler(many, run_query, types.RunQueryRequest, types.RunQueryResponse),
}
server = grpc.server(futures.ThreadPoolExecutor(2))
service = "google.firestore.v1.Firestore"
server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, methods),))
os.environ["FIRESTORE_EMULATOR_HOST"] = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
server.start()
client = firestore.Client(project="p")


def text():
    return stored[max(stored)].fields["born"]._pb.timestamp_value.ToJsonString()


for package in ("google-cloud-firestore", "google-api-core", "proto-plus"):
    print(package, importlib.metadata.version(package))
person = client.document("people/1")
for time in ("1965-03-31T21:20:00.250", "1965-03-31T21:20:00", "2026-03-31T21:20:00.250"):
    person.set({"born": datetime.fromisoformat(time + "+00:00")})
    steps = [text()]
    for _ in range(2):
        person.set(person.get().to_dict())
        steps.append(text())
    print("copied:", *steps)
person.set({"born": datetime.fromisoformat("1965-03-31T21:20:00.250+00:00")})
read = person.get().get("born")
for value in (read, datetime.fromtimestamp(read.timestamp(), read.tzinfo)):
    born = firestore.FieldFilter("born", "==", value)
    list(client.collection("people").where(filter=born).stream())
    print(f"filter with {type(value).__name__}: {asked[-1].ToJsonString()}")
half_past = Timestamp(seconds=-1, nanos=500_000_000)
for module in (datetime_helpers, proto.datetime_helpers):
    back = module.DatetimeWithNanoseconds.from_timestamp_pb(half_past).timestamp_pb()
    print(f"{module.__name__}: {half_past.ToJsonString()} -> {back.ToJsonString()}")
server.stop(None)
PYTHON
"$folder/venv/bin/python" "$folder/try.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
google-cloud-firestore 2.34.1
google-api-core 2.44.0
proto-plus 1.29.0
copied: 1965-03-31T21:20:00.250Z 1965-03-31T21:20:01.250Z 1965-03-31T21:20:02.250Z
copied: 1965-03-31T21:20:00Z 1965-03-31T21:20:00Z 1965-03-31T21:20:00Z
copied: 2026-03-31T21:20:00.250Z 2026-03-31T21:20:00.250Z 2026-03-31T21:20:00.250Z
filter with DatetimeWithNanoseconds: 1965-03-31T21:20:01.250Z
filter with datetime: 1965-03-31T21:20:00.250Z
google.api_core.datetime_helpers: 1969-12-31T23:59:59.500Z -> 1970-01-01T00:00:00.500Z
proto.datetime_helpers: 1969-12-31T23:59:59.500Z -> 1970-01-01T00:00:00.500Z
EXPECTED
