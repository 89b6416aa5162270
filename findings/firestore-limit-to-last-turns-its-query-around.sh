#!/usr/bin/env bash
# google-cloud-firestore: limit_to_last() answers with other documents than the last ones.
#
# Expected: order_by("at").limit_to_last(3) has the last three documents that the query finds, each
# time, behind a cursor, and in a sum; the query that it was made from stays as it is.
# Seen: get() turns the order around within the object. The second get() has the three in descending
# order, and the query that it was made from, which shares the order, begins at the end from then
# on. Cursors are not turned around: with start_at(5) come the three up to 5, with end_at(5) the
# last three of all, with start_at(2).end_at(7) nothing. sum() adds up the first three. Only
# stream() refuses; the others answer without an error. A descending order with limit() has none of
# this. The server below applies orders, cursors and limits as Firestore's reference has them, and
# Google's emulator 1.19.9 gives the same numbers.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  google-cloud-firestore==2.34.1 grpcio==1.85.3
cat >"$folder/try.py" <<'PYTHON'
import importlib.metadata
import os
from concurrent import futures

import grpc
from google.cloud import firestore
from google.cloud.firestore_v1 import types


def found(query):
    """The numbers 0 to 9 in the order of a query, between its cursors, up to its limit."""
    sign = -1 if query.order_by and query.order_by[0].direction.name == "DESCENDING" else 1
    numbers = sorted(range(10), key=lambda number: sign * number)
    if query.start_at.values:
        first = sign * query.start_at.values[0].integer_value
        least = first if query.start_at.before else first + 1
        numbers = [number for number in numbers if sign * number >= least]
    if query.end_at.values:
        last = sign * query.end_at.values[0].integer_value
        greatest = last - 1 if query.end_at.before else last
        numbers = [number for number in numbers if sign * number <= greatest]
    return numbers[: query.limit] if query.limit is not None else numbers


def run_query(request, context):
    for number in found(request.structured_query):
        name = f"{request.parent}/numbers/{number}"
        yield types.RunQueryResponse(
            document={"name": name, "fields": {"at": {"integer_value": number}}}
        )


def run_aggregation_query(request, context):
    total = sum(found(request.structured_aggregation_query.structured_query))
    result = {"aggregate_fields": {"field_1": {"integer_value": total}}}
    yield types.RunAggregationQueryResponse(result=result)


def handler(answer, request, response):
    return grpc.unary_stream_rpc_method_handler(
        answer, request_deserializer=request.deserialize, response_serializer=response.serialize
    )


server = grpc.server(futures.ThreadPoolExecutor(2))
methods = {
    "RunQuery": handler(run_query, types.RunQueryRequest, types.RunQueryResponse),
    "RunAggregationQuery": handler(
        run_aggregation_query, types.RunAggregationQueryRequest, types.RunAggregationQueryResponse
    ),
}
service = "google.firestore.v1.Firestore"
server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, methods),))
os.environ["FIRESTORE_EMULATOR_HOST"] = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
server.start()
numbers = firestore.Client(project="p").collection("numbers")


def values(documents):
    return [document.get("at") for document in documents]


for package in ("google-cloud-firestore", "grpcio"):
    print(package, importlib.metadata.version(package))
query = numbers.order_by("at")
last = query.limit_to_last(3)
print("first three:", values(query.limit(3).stream()))
print("last three:", values(last.get()))
print("last three, again:", values(last.get()))
print("first three, again:", values(query.limit(3).stream()))
total = numbers.order_by("at").limit_to_last(3).sum("at").get()[0][0].value
print("sum of the last three:", int(total))
for name, bounded in {
    "start_at(5)": lambda query: query.start_at({"at": 5}),
    "start_after(5)": lambda query: query.start_after({"at": 5}),
    "end_at(5)": lambda query: query.end_at({"at": 5}),
    "end_before(5)": lambda query: query.end_before({"at": 5}),
    "start_at(2).end_at(7)": lambda query: query.start_at({"at": 2}).end_at({"at": 7}),
}.items():
    query = bounded(numbers.order_by("at"))
    print(f"{name}: {values(query.stream())}, last three: {values(query.limit_to_last(3).get())}")
server.stop(None)
PYTHON
"$folder/venv/bin/python" "$folder/try.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
google-cloud-firestore 2.34.1
grpcio 1.85.3
first three: [0, 1, 2]
last three: [7, 8, 9]
last three, again: [9, 8, 7]
first three, again: [9, 8, 7]
sum of the last three: 3
start_at(5): [5, 6, 7, 8, 9], last three: [3, 4, 5]
start_after(5): [6, 7, 8, 9], last three: [2, 3, 4]
end_at(5): [0, 1, 2, 3, 4, 5], last three: [7, 8, 9]
end_before(5): [0, 1, 2, 3, 4], last three: [7, 8, 9]
start_at(2).end_at(7): [2, 3, 4, 5, 6, 7], last three: []
EXPECTED
