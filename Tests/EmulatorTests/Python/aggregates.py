"""Counts and sums, explained queries, collection groups and nearest vectors."""

import datetime

from google.cloud.firestore_v1.base_query import FieldFilter
from google.cloud.firestore_v1.base_vector_query import DistanceMeasure
from google.cloud.firestore_v1.query_profile import ExplainOptions
from google.cloud.firestore_v1.vector import Vector

from suite import check, ids, people


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
