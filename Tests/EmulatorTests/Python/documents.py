"""Documents: values, merges, transforms, preconditions, times and ids."""

import datetime

from google.api_core import exceptions
from google.cloud import firestore
from google.cloud.firestore_v1.base_query import FieldFilter
from google.cloud.firestore_v1.vector import Vector

from suite import check, ids, refused


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
