"""Puts Google's own Python client, over REST, to a Firestore server, and checks what it gets.

Usage: client_suite.py HOST:PORT [PROJECT]. Prints a line a check; exits 1 when one fails.
Needs `pip install google-cloud-firestore`; exits 77 where that is not installed. Google's own
emulator fails: it sends a line end after the `]` of its streams, which the client does not take.
"""

import datetime
import sys
import traceback

try:
    from google.api_core import exceptions
    from google.auth.credentials import AnonymousCredentials
    from google.cloud import firestore
    from google.cloud.firestore_v1.base_query import And, FieldFilter, Or
    from google.cloud.firestore_v1.base_vector_query import DistanceMeasure
    from google.cloud.firestore_v1.field_path import FieldPath
    from google.cloud.firestore_v1.query_profile import ExplainOptions
    from google.cloud.firestore_v1.services.firestore import FirestoreClient
    from google.cloud.firestore_v1.services.firestore.transports.rest import FirestoreRestTransport
    from google.cloud.firestore_v1.vector import Vector
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

CHECKS = []


def check(function):
    CHECKS.append(function)
    return function


def make_client(host, project):
    """A client whose calls all go through the REST transport."""
    client = firestore.Client(project=project, credentials=AnonymousCredentials())
    transport = FirestoreRestTransport(
        host=host, credentials=AnonymousCredentials(), url_scheme="http")
    client._firestore_api_internal = FirestoreClient(transport=transport)
    return client


def ids(snapshots):
    return [snapshot.id for snapshot in snapshots]


def refused(kind, function, *arguments, **options):
    try:
        function(*arguments, **options)
    except kind as error:
        return error
    raise AssertionError(f"{function} was not refused with {kind.__name__}")


# Documents


@check
def values_survive_a_round_trip(client, base):
    moment = datetime.datetime(2026, 1, 31, 8, 0, 0, 123456, tzinfo=datetime.timezone.utc)
    data = {
        "null": None, "yes": True, "no": False, "int": -(2**63), "big": 2**63 - 1,
        "double": 0.1, "inf": float("inf"), "text": "é\u0000\"\\😀\n", "empty": "",
        "bytes": bytes(range(256)), "time": moment, "geo": firestore.GeoPoint(0, -179.5),
        "ref": base.document("other"), "list": [1, "two", None, {"three": [3]}], "none": [],
        "map": {"a.b": {"c`d": 1}}, "nothing": {},
        "vector": Vector([1.0, 2.5]),
    }
    base.document("x").set(data)
    read = base.document("x").get().to_dict()
    assert {**read, "time": None} == {**data, "time": None}, read
    assert read["time"] == moment, read["time"]
    base.document("nan").set({"n": float("nan")})
    nan = base.document("nan").get().get("n")
    assert nan != nan


@check
def a_document_can_be_created_once(client, base):
    result = base.document("x").create({"n": 1})
    assert result.update_time is not None
    refused(exceptions.Conflict, base.document("x").create, {"n": 2})
    assert base.document("x").get().to_dict() == {"n": 1}


@check
def an_added_document_gets_an_id(client, base):
    _, reference = base.add({"n": 1})
    assert len(reference.id) == 20
    _, named = base.add({"n": 2}, document_id="named")
    assert named.get().get("n") == 2


@check
def set_merges_when_asked(client, base):
    document = base.document("x")
    document.set({"a": 1, "m": {"k": 1, "l": 2}})
    document.set({"m": {"k": 7}}, merge=True)
    assert document.get().to_dict() == {"a": 1, "m": {"k": 7, "l": 2}}
    document.set({"a": 9, "m": {"l": 9}}, merge=["m.l"])
    assert document.get().to_dict() == {"a": 1, "m": {"k": 7, "l": 9}}
    document.set({"only": 1})
    assert document.get().to_dict() == {"only": 1}


@check
def update_needs_a_document_and_follows_paths(client, base):
    document = base.document("x")
    refused(exceptions.NotFound, document.update, {"a": 1})
    document.set({"a": {"b": 1, "c": 2}, "odd key": 1, "d": 4})
    document.update({"a.b": 5, "d": firestore.DELETE_FIELD, "`odd key`": 2})
    assert document.get().to_dict() == {"a": {"b": 5, "c": 2}, "odd key": 2}


@check
def transforms_run_on_the_server(client, base):
    document = base.document("x")
    document.set({"n": 5, "list": [1, 2, 1], "at": firestore.SERVER_TIMESTAMP})
    document.update({
        "n": firestore.Increment(-2), "new": firestore.Increment(1.5),
        "max": firestore.Maximum(7), "min": firestore.Minimum(-7),
        "list": firestore.ArrayRemove([1]), "set": firestore.ArrayUnion([1, 1, 2]),
        "deep.at": firestore.SERVER_TIMESTAMP,
    })
    read = document.get().to_dict()
    assert isinstance(read.pop("at"), datetime.datetime)
    assert isinstance(read.pop("deep")["at"], datetime.datetime)
    assert read == {"n": 3, "new": 1.5, "max": 7, "min": -7, "list": [2], "set": [1, 2]}, read


@check
def preconditions_guard_updates_and_deletes(client, base):
    document = base.document("x")
    first = document.set({"n": 1})
    document.update({"n": 2}, option=client.write_option(last_update_time=first.update_time))
    refused(
        exceptions.BadRequest, document.update, {"n": 3},
        option=client.write_option(last_update_time=first.update_time))
    refused(
        exceptions.NotFound, base.document("y").delete, option=client.write_option(exists=True))
    document.delete()
    document.delete()
    assert not document.get().exists


@check
def a_snapshot_has_times_and_projections(client, base):
    document = base.document("x")
    created = document.set({"a": 1, "b": {"c": 2, "d": 3}}).update_time
    changed = document.update({"a": 2}).update_time
    snapshot = document.get(field_paths=["b.c"])
    assert snapshot.to_dict() == {"b": {"c": 2}}
    assert snapshot.create_time == created and snapshot.update_time == changed > created
    assert snapshot.read_time >= changed
    missing = base.document("none").get()
    assert not missing.exists and missing.to_dict() is None


@check
def get_all_tells_found_from_missing(client, base):
    base.document("a").set({"n": 1})
    snapshots = list(client.get_all([base.document("a"), base.document("b")], field_paths=["n"]))
    assert sorted((s.id, s.exists) for s in snapshots) == [("a", True), ("b", False)]


@check
def odd_ids_are_ids(client, base):
    odd = ["with space", "100%", "a?b", "a#b", "a+b", "😀", "a:b", "(x)", "a&b=c", "ü", "a%20b"]
    for name in odd:
        base.document(name).set({"id": name})
    assert sorted(ids(base.stream())) == sorted(odd)
    for name in odd:
        assert base.document(name).get().get("id") == name
    inner = base.document("a:b").collection("in ner")
    inner.document("x").set({})
    assert ids(inner.stream()) == ["x"]
    assert [c.id for c in base.document("a:b").collections()] == ["in ner"]


@check
def a_past_moment_can_be_read(client, base):
    document = base.document("x")
    first = document.set({"n": 1}).update_time
    document.set({"n": 2})
    base.document("y").set({"n": 3})
    assert document.get(read_time=first).to_dict() == {"n": 1}
    assert [s.to_dict() for s in base.stream(read_time=first)] == [{"n": 1}]
    old = first - datetime.timedelta(hours=2)
    refused(exceptions.BadRequest, lambda: list(base.stream(read_time=old)))


# Many documents


@check
def a_batch_is_all_or_nothing(client, base):
    batch = client.batch()
    batch.set(base.document("a"), {"n": 1})
    batch.create(base.document("b"), {"n": 2})
    assert len(batch.commit()) == 2
    batch = client.batch()
    batch.delete(base.document("a"))
    batch.update(base.document("none"), {"n": 2})
    refused(exceptions.NotFound, batch.commit)
    assert sorted(ids(base.stream())) == ["a", "b"]


@check
def a_bulk_writer_gives_each_write_its_own_end(client, base):
    base.document("taken").set({"n": 0})
    ends = {}
    writer = client.bulk_writer()
    writer.on_write_result(lambda ref, result, bulk: ends.update({ref.id: "ok"}))
    def failed(error, bulk):
        ends[error.operation.reference.id] = error.code
        return False
    writer.on_write_error(failed)
    for number in range(50):
        writer.create(base.document(f"d{number}"), {"n": number})
    writer.create(base.document("taken"), {"n": 1})
    writer.set(base.document("set"), {"n": firestore.Increment(2)})
    writer.delete(base.document("absent"))
    writer.close()
    assert ends.pop("taken") == 6, ends
    assert len(ends) == 52 and set(ends.values()) == {"ok"}, ends
    assert base.document("set").get().get("n") == 2


@check
def recursive_delete_leaves_nothing(client, base):
    root = base.document("root")
    root.set({})
    for number in range(15):
        root.collection("in").document(f"{number}").set({})
    root.collection("in").document("3").collection("deep").document("x").set({})
    base.document("rooted").set({})
    client.recursive_delete(root)
    assert ids(base.stream()) == ["rooted"]
    assert ids(root.collection("in").stream()) == []
    assert list(root.collection("in").document("3").collections()) == []


@check
def collections_and_missing_documents_are_listed(client, base):
    base.document("a").set({})
    base.document("gone").collection("z").document("x").set({})
    base.document("gone").collection("é").document("x").set({})
    assert [c.id for c in base.document("gone").collections()] == ["z", "é"]
    assert base.id in [c.id for c in client.collections()]
    listed = list(base.list_documents(page_size=1))
    assert sorted(d.id for d in listed) == ["a", "gone"]


# Transactions


@check
def a_transaction_reads_then_writes(client, base):
    document = base.document("x")
    document.set({"n": 1})

    @firestore.transactional
    def add(transaction):
        value = document.get(transaction=transaction).get("n")
        found = ids(base.where(filter=FieldFilter("n", "==", 1)).stream(transaction=transaction))
        assert found == ["x"]
        transaction.update(document, {"n": value + 1})
        transaction.create(base.document("y"), {"n": 9})
        return value

    assert add(client.transaction()) == 1
    assert document.get().get("n") == 2 and base.document("y").get().exists


@check
def of_two_transactions_in_conflict_one_is_aborted(client, base):
    document = base.document("x")
    document.set({"n": 1})
    first, second = client.transaction(), client.transaction()
    for transaction in (first, second):
        transaction._begin()
        assert next(iter(transaction.get(document))).get("n") == 1
        transaction.update(document, {"n": firestore.Increment(1)})
    outcomes = []
    for transaction in (first, second):
        try:
            transaction._commit()
            outcomes.append("committed")
        except exceptions.Conflict:
            outcomes.append("aborted")
    assert sorted(outcomes) == ["aborted", "committed"], outcomes
    assert document.get().get("n") == 2


@check
def a_failed_transaction_writes_nothing(client, base):
    document = base.document("x")
    document.set({"n": 1})

    @firestore.transactional
    def fail(transaction):
        document.get(transaction=transaction)
        transaction.update(document, {"n": 2})
        raise KeyError("stop")

    refused(KeyError, fail, client.transaction())
    assert document.get().get("n") == 1


@check
def a_read_only_transaction_sees_one_moment(client, base):
    document = base.document("x")
    document.set({"n": 1})
    transaction = client.transaction(read_only=True)
    transaction._begin()
    assert document.get(transaction=transaction).get("n") == 1
    assert [s.get("n") for s in base.stream(transaction=transaction)] == [1]
    transaction._rollback()


# Queries


def people(base):
    rows = {
        "ann": {"age": 30, "tags": ["a", "b"], "city": "X", "score": 1.5},
        "bob": {"age": 25, "tags": ["b"], "city": "Y", "score": None},
        "cid": {"age": 30, "tags": [], "city": "X", "score": float("nan")},
        "dan": {"age": 41.5, "tags": ["c"], "city": "Z"},
        "eve": {"age": "old", "city": "Y", "score": 3},
    }
    for name, row in rows.items():
        base.document(name).set(row)
    return base


@check
def filters_select(client, base):
    people(base)
    rows = [
        ("age", "==", 30, ["ann", "cid"]), ("age", ">", 25, ["ann", "cid", "dan"]),
        ("age", "<=", 30, ["bob", "ann", "cid"]), ("age", "!=", 30, ["bob", "dan", "eve"]),
        ("city", "in", ["X", "Z"], ["ann", "cid", "dan"]),
        ("city", "not-in", ["X", "Z"], ["bob", "eve"]),
        ("tags", "array_contains", "b", ["ann", "bob"]),
        ("tags", "array_contains_any", ["a", "c"], ["ann", "dan"]),
        ("score", "==", None, ["bob"]), ("score", "==", float("nan"), ["cid"]),
        ("score", "!=", None, ["cid", "ann", "eve"]), ("score", ">", 1, ["ann", "eve"]),
    ]
    for field, operation, value, expected in rows:
        found = ids(base.where(filter=FieldFilter(field, operation, value)).stream())
        assert found == expected, (field, operation, value, found)


@check
def filters_combine(client, base):
    people(base)
    either = Or([
        And([FieldFilter("city", "==", "X"), FieldFilter("age", "==", 30)]),
        FieldFilter("age", ">", 40),
    ])
    assert ids(base.where(filter=either).stream()) == ["ann", "cid", "dan"]
    both = base.where(filter=FieldFilter("city", "==", "X")).where(
        filter=FieldFilter("score", ">", 0))
    assert ids(both.stream()) == ["ann"]


@check
def orders_cursors_and_limits_agree(client, base):
    for number in range(10):
        base.document(f"d{number}").set({"n": number // 2, "t": "x"})
    by = base.order_by("n", direction="DESCENDING").order_by("__name__")
    assert ids(by.limit(3).stream()) == ["d8", "d9", "d6"]
    assert ids(by.offset(7).stream()) == ["d3", "d0", "d1"]
    assert ids(by.start_at({"n": 1, "__name__": "d3"}).stream()) == ["d3", "d0", "d1"]
    assert ids(by.start_after(base.document("d3").get()).stream()) == ["d0", "d1"]
    assert ids(by.end_before({"n": 3}).stream()) == ["d8", "d9"]
    assert ids(by.end_at(base.document("d9").get()).stream()) == ["d8", "d9"]
    assert ids(base.order_by("n").limit_to_last(3).get()) == ["d7", "d8", "d9"]
    assert base.select(["t"]).limit(1).get()[0].to_dict() == {"t": "x"}
    assert base.select([]).limit(1).get()[0].to_dict() == {}


@check
def pages_visit_every_document_once(client, base):
    batch = client.batch()
    for number in range(45):
        batch.set(base.document(f"{number:03}"), {"n": number % 7})
    batch.commit()
    query, seen = base.order_by("n").limit(10), []
    page = query.get()
    while page:
        seen += ids(page)
        page = query.start_after(page[-1]).get()
    assert len(seen) == 45 == len(set(seen))
    assert len(list(base.list_documents(page_size=20))) == 45


@check
def a_query_that_makes_no_sense_is_refused(client, base):
    error = refused(
        exceptions.BadRequest,
        lambda: list(base.where(filter=FieldFilter("a", "not-in", list(range(11)))).stream()))
    assert error.code == 400


@check
def collection_groups_are_found_and_partitioned(client, base):
    group = f"g{base.id}"
    for number in range(30):
        base.document(f"p{number % 3}").collection(group).document(f"d{number}").set({"n": number})
    found = client.collection_group(group)
    assert len(ids(found.stream())) == 30
    assert ids(found.where(filter=FieldFilter("n", "<", 2)).stream()) == ["d0", "d1"]
    parts = list(found.get_partitions(4))
    assert len(parts) == 5, len(parts)
    read = [name for part in parts for name in ids(part.query().stream())]
    assert len(read) == 30 == len(set(read)) and read == ids(found.order_by("__name__").stream())


@check
def aggregations_count_sum_and_average(client, base):
    people(base)
    assert base.count(alias="all").get()[0][0].value == 5
    query = base.where(filter=FieldFilter("city", "==", "X"))
    results = query.count(alias="c").sum("age", alias="s").avg("age", alias="a").get()
    assert {r.alias: r.value for r in results[0]} == {"c": 2, "s": 60, "a": 30.0}
    assert base.limit(2).count().get()[0][0].value == 2
    assert base.where(filter=FieldFilter("city", "==", "none")).sum("age").get()[0][0].value == 0


@check
def queries_are_explained(client, base):
    people(base)
    query = base.where(filter=FieldFilter("age", ">", 26))
    planned = query.get(explain_options=ExplainOptions(analyze=False))
    assert list(planned) == []
    index = planned.get_explain_metrics().plan_summary.indexes_used[0]
    assert index["query_scope"] == "Collection", index
    assert index["properties"] == "(age ASC, __name__ ASC)", index
    ran = query.get(explain_options=ExplainOptions(analyze=True))
    assert ids(ran) == ["ann", "cid", "dan"]
    stats = ran.get_explain_metrics().execution_stats
    assert stats.results_returned == 3 and stats.read_operations == 3
    assert stats.execution_duration >= datetime.timedelta(0)
    counted = query.count().get(explain_options=ExplainOptions(analyze=True))
    assert counted[0][0].value == 3
    assert counted.get_explain_metrics().execution_stats.read_operations == 1


@check
def names_are_filtered_and_ordered_by(client, base):
    for name in "abcd":
        base.document(name).set({"n": 1})
    path = FieldPath.document_id()
    found = base.where(filter=FieldFilter(path, ">=", base.document("c"))).stream()
    assert ids(found) == ["c", "d"]
    some = base.where(filter=FieldFilter(path, "in", [base.document("d"), base.document("a")]))
    assert ids(some.stream()) == ["a", "d"]
    backwards = base.order_by(path, direction="DESCENDING")
    assert ids(backwards.start_after({path: "c"}).stream()) == ["b", "a"]
    assert ids(base.order_by(path).limit_to_last(2).get()) == ["c", "d"]


@check
def the_nearest_vectors_are_found(client, base):
    rows = {"a": [0.0, 0.0], "b": [1.0, 1.0], "c": [3.0, 4.0], "d": [1.0, 2.0, 3.0]}
    for name, row in rows.items():
        base.document(name).set({"v": Vector(row), "even": name in "bd"})
    base.document("none").set({"even": True})

    def near(query, measure, **options):
        return query.find_nearest("v", Vector([1.0, 1.0]), distance_measure=measure, limit=2, **options)

    found = near(base, DistanceMeasure.EUCLIDEAN, distance_result_field="far").get()
    assert [(s.id, round(s.get("far"), 3)) for s in found] == [("b", 0.0), ("a", 1.414)]
    assert ids(near(base, DistanceMeasure.DOT_PRODUCT).stream()) == ["c", "b"]
    close = near(base, DistanceMeasure.COSINE, distance_threshold=0.001)
    assert ids(close.stream()) == ["b"]
    even = base.where(filter=FieldFilter("even", "==", True))
    assert ids(near(even, DistanceMeasure.EUCLIDEAN).stream()) == ["b"]


@check
def aggregations_read_in_transactions_and_in_the_past(client, base):
    first = base.document("a").set({"n": 1}).update_time
    base.document("b").set({"n": 2})
    transaction = client.transaction()
    transaction._begin()
    counted = base.count(alias="c").get(transaction=transaction)
    assert counted[0][0].value == 2
    assert [s.id for s in transaction.get(base.where(filter=FieldFilter("n", ">", 1)))] == ["b"]
    assert sorted(s.id for s in client.get_all(
        [base.document("a"), base.document("b")], transaction=transaction)) == ["a", "b"]
    transaction.create(base.document("c"), {"n": 3})
    transaction._commit()
    assert base.count().get()[0][0].value == 3
    assert base.count().get(read_time=first)[0][0].value == 1


@check
def a_group_is_ordered_limited_and_counted(client, base):
    group = f"h{base.id}"
    for number in range(6):
        base.document(f"p{number % 2}").collection(group).document(f"d{number}").set({"n": number})
    found = client.collection_group(group)
    assert ids(found.order_by("n", direction="DESCENDING").limit(2).stream()) == ["d5", "d4"]
    assert ids(found.order_by("n").limit_to_last(2).get()) == ["d4", "d5"]
    assert ids(found.select(["n"]).order_by("n").start_at({"n": 4}).stream()) == ["d4", "d5"]
    assert found.count().get()[0][0].value == 6
    below = base.document("p0").collection(group)
    assert ids(below.order_by("n").stream()) == ["d0", "d2", "d4"]


@check
def a_bulk_writer_updates_only_what_is_there(client, base):
    base.document("x").set({"n": 1, "m": {"a": 1}})
    ends = {}
    writer = client.bulk_writer()
    writer.on_write_result(lambda ref, result, bulk: ends.update({ref.id: "ok"}))
    def failed(error, bulk):
        ends[error.operation.reference.id] = error.code
        return False
    writer.on_write_error(failed)
    writer.update(base.document("x"), {"m.b": 2, "n": firestore.Increment(4)})
    writer.update(base.document("none"), {"n": 1})
    writer.set(base.document("y"), {"list": firestore.ArrayUnion([1, 1])}, merge=True)
    writer.close()
    assert ends == {"x": "ok", "none": 5, "y": "ok"}, ends
    assert base.document("x").get().to_dict() == {"n": 5, "m": {"a": 1, "b": 2}}
    assert base.document("y").get().to_dict() == {"list": [1]}


@check
def fields_of_any_name_are_read_and_written(client, base):
    document = base.document("x")
    document.set({"a b": {"c.d": 1, "é": {"`": 2}}, "1st": 3, "snake_case": 4, "*": 5})
    document.update({"`a b`.`c.d`": 7, "`a b`.`é`.`\\``": 8, "`1st`": firestore.Increment(1)})
    assert document.get().to_dict() == {
        "a b": {"c.d": 7, "é": {"`": 8}}, "1st": 4, "snake_case": 4, "*": 5}
    assert document.get(["`a b`.`c.d`", "snake_case"]).to_dict() == {
        "a b": {"c.d": 7}, "snake_case": 4}
    assert ids(base.where(filter=FieldFilter("`a b`.`c.d`", "==", 7)).stream()) == ["x"]
    assert ids(base.order_by("`1st`").stream()) == ["x"]


def main():
    host = sys.argv[1]
    client = make_client(host, sys.argv[2] if len(sys.argv) > 2 else "python-suite")
    failures = 0
    for number, function in enumerate(CHECKS):
        name = function.__name__.replace("_", " ")
        try:
            function(client, client.collection(f"c{number}"))
            print(f"ok {name}")
        except Exception:
            failures += 1
            print(f"FAILED {name}\n{traceback.format_exc()}")
    print(f"{len(CHECKS) - failures} of {len(CHECKS)} checks passed")
    return 1 if failures else 0


sys.exit(main())
