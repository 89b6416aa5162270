"""Queries: filters, orders, cursors, limits and names."""

from google.api_core import exceptions
from google.cloud.firestore_v1.base_query import And, FieldFilter, Or
from google.cloud.firestore_v1.field_path import FieldPath

from suite import check, ids, people, refused


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
