"""Many documents at once: batches, bulk writers, listings, transactions."""

from google.api_core import exceptions
from google.cloud import firestore
from google.cloud.firestore_v1.base_query import FieldFilter

from suite import check, ids, refused


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
