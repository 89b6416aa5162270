"""Invented documents with every kind of value that Firestore stores, and the strange ones of each."""

import base64
import random
import string

TEXTS = [
    "", "a", "NUL \0 inside", "line\nend", 'quote " and \\', "\u007f\u0001\u001f", "\u00e9\u0301", "e\u0301",
    "\U0001f929", "\u0627\u0644\u0639", "\ufeffmark", "\u2028", "x" * 1501, "y" * 40_000, "name@example.com",
]
INTEGERS = [0, 1, -1, 2**31, -(2**31), 2**53 + 1, 2**63 - 1, -(2**63)]
DOUBLES = [0.0, "-0.0", 1.5, -1e300, 5e-324, 1.7976931348623157e308, 0.1, "NaN", "Infinity", "-Infinity", 3.0]
TIMES = [
    "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z", "1970-01-01T00:00:00Z",
    "1969-12-31T23:59:59.999999Z", "2024-02-29T12:34:56.789Z", "1900-03-01T00:00:00.000001Z",
]
NAMES = ["a", "b.c", "with `tick`", "sl/ash", "\u00fcml\u00e4ut", "quote\"", "back\\slash", "1", "line\nend", "z" * 300]
IDS = ["plain", "7", "__id7__", "__id-9__", "__id9223372036854775807__", "a.b", "sp ace", "\u00fc", "quote\"", "%2F"]


def double(number):
    if number == "-0.0":
        return {"doubleValue": -0.0}
    return {"doubleValue": number}


def value(random_, project, depth):
    kinds = ["null", "boolean", "integer", "double", "string", "bytes", "timestamp", "geo", "reference"]
    if depth > 0:
        kinds += ["map", "array", "vector"]
    kind = random_.choice(kinds)
    if kind == "null":
        return {"nullValue": None}
    if kind == "boolean":
        return {"booleanValue": random_.random() < 0.5}
    if kind == "integer":
        number = random_.choice(INTEGERS + [random_.randint(-(2**63), 2**63 - 1)])
        return {"integerValue": str(number)}
    if kind == "double":
        return double(random_.choice(DOUBLES + [random_.uniform(-1e9, 1e9)]))
    if kind == "string":
        return {"stringValue": random_.choice(TEXTS + ["".join(random_.choices(string.printable, k=9))])}
    if kind == "bytes":
        return {"bytesValue": base64.b64encode(random_.randbytes(random_.choice([0, 1, 2, 33, 2000]))).decode()}
    if kind == "timestamp":
        return {"timestampValue": random_.choice(TIMES)}
    if kind == "geo":
        return {"geoPointValue": {"latitude": random_.choice([0, -90, 48.5]), "longitude": random_.choice([0, 180, -1.25])}}
    if kind == "reference":
        other = random_.choice([project, project, "another-project"])
        path = random_.choice(["C/x", "C/__id7__/D/7", "C/\u00fc"])
        return {"referenceValue": f"projects/{other}/databases/(default)/documents/{path}"}
    if kind == "vector":
        count = random_.choice([1, 3, 64])
        coordinates = [double(random_.uniform(-1, 1)) for _ in range(count)]
        fields = {"__type__": {"stringValue": "__vector__"}, "value": {"arrayValue": {"values": coordinates}}}
        return {"mapValue": {"fields": fields}}
    if kind == "map":
        return {"mapValue": {"fields": fields_of(random_, project, depth - 1, 4)}}
    return array(random_, project, depth - 1)


def array(random_, project, depth):
    values = []
    for _ in range(random_.choice([0, 1, 2, 5])):
        element = value(random_, project, depth)
        if "arrayValue" in element or is_vector(element):
            element = {"mapValue": {"fields": {"inner": element}}}
        values.append(element)
    return {"arrayValue": {"values": values} if values else {}}


def is_vector(element):
    return "__type__" in element.get("mapValue", {}).get("fields", {})


def fields_of(random_, project, depth, most):
    count = random_.randint(0, most)
    return {random_.choice(NAMES) + str(index % 3): value(random_, project, depth) for index in range(count)}


def strange(project, count, seed):
    """Yields names below the database, each with fields; some have no parent."""
    random_ = random.Random(seed)
    seen = set()
    for number in range(count):
        collection = random_.choice(["C", "Users", "D-1", "\u00fcber"])
        path = f"{collection}/{random_.choice(IDS)}{'' if number < 40 else number}"
        if "__id" in path and number >= 40:
            path = f"{collection}/__id{number}__"
        if random_.random() < 0.3:
            path += f"/{random_.choice(['Sub', 'C'])}/{random_.choice(IDS)}"
        if path in seen:
            path = f"{collection}/n{number}"
        seen.add(path)
        yield path, fields_of(random_, project, 3, 8)
    nested = {"integerValue": "1"}
    for _ in range(19):
        nested = {"mapValue": {"fields": {"m": nested}}}
    yield "C/deep", {"m": nested}
    yield "C/large", {"t": {"stringValue": "\u20ac" * 340_000}}
    yield "C/none", {}


def plain(count, seed):
    random_ = random.Random(seed)
    for number in range(count):
        yield f"Users/user{number:07}", {
            "name": {"stringValue": f"User {number}"},
            "age": {"integerValue": str(random_.randint(18, 90))},
            "score": double(random_.random()),
            "last_seen": {"timestampValue": f"2026-11-{1 + number % 28:02}T10:00:00.{number % 1000000:06}Z"},
            "tags": {"arrayValue": {"values": [{"stringValue": f"tag{number % 7}"}, {"stringValue": "all"}]}},
            "place": {"mapValue": {"fields": {"city": {"stringValue": f"City {number % 50}"}}}},
        }
