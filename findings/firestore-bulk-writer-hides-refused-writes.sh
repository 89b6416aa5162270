#!/usr/bin/env bash
# google-cloud-firestore: BulkWriter ends as if all was written when the server refused everything.
#
# Expected: a write that the server refuses is an error from flush() or close() at the latest, as it
# is from commit() of a batch.
# Seen: flush() waits for the requests and does not look at how they ended. When a whole request is
# refused, by PERMISSION_DENIED for example, nothing is written, nothing is raised, and neither
# on_write_error nor on_batch_result is called. When one write is refused, as create() of a document
# that exists, it is sent 16 times, over two minutes unless the retry is immediate, and then
# dropped. Only on_write_result tells what was written: count its calls.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  google-cloud-firestore==2.34.1 google-api-core==2.44.0 grpcio==1.85.3
cat >"$folder/try.py" <<'PYTHON'
import collections
import importlib.metadata
import os
from concurrent import futures

import grpc
from google.api_core.exceptions import GoogleAPICallError
from google.cloud import firestore
from google.cloud.firestore_v1 import types
from google.cloud.firestore_v1.bulk_writer import BulkRetry, BulkWriterOptions

ALREADY_EXISTS = 6
may_write = False
counts = collections.Counter()


def commit(request, context):
    context.abort(grpc.StatusCode.PERMISSION_DENIED, "Missing or insufficient permissions.")


def batch_write(request, context):
    counts["requests"] += 1
    if not may_write:
        commit(request, context)
    names = [write.update.name for write in request.writes]
    codes = [ALREADY_EXISTS if name.endswith("/old") else 0 for name in names]
    return types.BatchWriteResponse(
        write_results=[{} for _ in codes], status=[{"code": code} for code in codes]
    )


def handler(answer, request, response):
    return grpc.unary_unary_rpc_method_handler(
        answer, request_deserializer=request.deserialize, response_serializer=response.serialize
    )


methods = {
    "Commit": handler(commit, types.CommitRequest, types.CommitResponse),
    "BatchWrite": handler(batch_write, types.BatchWriteRequest, types.BatchWriteResponse),
}
server = grpc.server(futures.ThreadPoolExecutor(2))
service = "google.firestore.v1.Firestore"
server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, methods),))
os.environ["FIRESTORE_EMULATOR_HOST"] = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
server.start()
client = firestore.Client(project="p")


def outcome(write):
    """How writing ended, and what the server and the callbacks saw of it."""
    counts.clear()
    try:
        write()
        ended = "no error"
    except GoogleAPICallError as error:
        ended = type(error).__name__
    return ", ".join([ended] + [f"{name} {counts[name]}" for name in sorted(counts)])


def in_bulk(ids, listen):
    options = BulkWriterOptions(retry=BulkRetry.immediate)
    writer = client.bulk_writer(options=options)
    if listen:
        writer.on_write_result(lambda *_: counts.update(["written"]))
        writer.on_batch_result(lambda *_: counts.update(["answered"]))
        writer.on_write_error(lambda failure, _: counts.update([f"failed by {failure.code}"]))
    for name in ids:
        writer.create(client.document(f"people/{name}"), {"name": name})
    writer.flush()
    writer.close()


def in_a_batch():
    batch = client.batch()
    batch.create(client.document("people/new"), {"name": "new"})
    batch.commit()


for package in ("google-cloud-firestore", "google-api-core", "grpcio"):
    print(package, importlib.metadata.version(package))
print("no permission, batch:", outcome(in_a_batch))
print("no permission, BulkWriter:", outcome(lambda: in_bulk(["new"], False)))
print("no permission, with listeners:", outcome(lambda: in_bulk(["new"], True)))
may_write = True
print("one exists, BulkWriter:", outcome(lambda: in_bulk(["new", "old"], False)))
print("one exists, with listeners:", outcome(lambda: in_bulk(["new", "old"], True)))
server.stop(None)
PYTHON
"$folder/venv/bin/python" "$folder/try.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
google-cloud-firestore 2.34.1
google-api-core 2.44.0
grpcio 1.85.3
no permission, batch: PermissionDenied
no permission, BulkWriter: no error, requests 1
no permission, with listeners: no error, requests 1
one exists, BulkWriter: no error, requests 16
one exists, with listeners: no error, answered 1, failed by 6 1, requests 1, written 1
EXPECTED
