"""Other readers of exports and documents, where they are installed; each is left out where it is not.

appengine-python-standard decodes the records of an export by App Engine's own messages: those that the program wrote
must hold what Google's emulator wrote. google-cloud-firestore reads what `firetally load` wrote beside its source.
"""
import json
import math
import os
import pathlib
import struct

import firestore_server

BLOCK = 32_768
FULL, FIRST, LAST = 1, 2, 4


def records(path):
    """The records of a LevelDB log."""
    data, at, whole = pathlib.Path(path).read_bytes(), 0, b""
    while at + 7 <= len(data):
        if BLOCK - at % BLOCK < 7:
            at += BLOCK - at % BLOCK
            continue
        _, length, kind = struct.unpack_from("<IHB", data, at)
        if kind == 0:
            at += BLOCK - at % BLOCK
            continue
        part = data[at + 7:at + 7 + length]
        whole = part if kind in (FULL, FIRST) else whole + part
        if kind in (FULL, LAST):
            yield whole
        at += 7 + length


def properties(entity):
    """The properties of an entity in one order, those of entities inside of values as well."""
    found = []
    for one in list(entity.property) + list(entity.raw_property):
        inner = ()
        if one.meaning == one.ENTITY_PROTO and one.value.HasField("stringValue"):
            inner = properties(type(entity).FromString(one.value.stringValue))
            one.value.ClearField("stringValue")
        found.append((one.name, one.SerializeToString(deterministic=True), inner))
    # Elements of a list have one name, and keep their order.
    return tuple(sorted(found, key=lambda each: each[0]))


def entities(folder, message):
    """By key, what App Engine's messages find in an export."""
    found = {}
    for path in sorted(pathlib.Path(folder).rglob("output-*")):
        for record in records(path):
            entity = message.FromString(record)
            found[entity.key.path.SerializeToString(deterministic=True)] = properties(entity)
    return found


def compare_records(check, folder):
    try:
        from google.appengine.datastore import entity_bytes_pb2
    except ImportError:
        print("appengine-python-standard is not installed: its decoder is left out")
        return
    theirs = entities(os.path.join(folder, "strange"), entity_bytes_pb2.EntityProto)
    ours = entities(os.path.join(folder, "out-strange"), entity_bytes_pb2.EntityProto)
    check.compare("records of an export of ours, decoded by App Engine's messages", theirs, ours)


def plain(value, own):
    """A value of Google's client in a form that can be compared."""
    if isinstance(value, float):
        return "NaN" if math.isnan(value) else value.hex()
    if isinstance(value, dict):
        return {name: plain(inner, own) for name, inner in value.items()}
    if hasattr(value, "to_map_value"):
        return [plain(inner, own) for inner in value]
    if isinstance(value, list):
        return [plain(inner, own) for inner in value]
    if hasattr(value, "path") and hasattr(value, "_client"):
        project = value._client.project
        return ("reference", "own" if project == own else project, value.path)
    if hasattr(value, "latitude"):
        return ("point", value.latitude, value.longitude)
    return (type(value).__name__, str(value))


def read(firestore, project, ids):
    client = firestore.Client(project=project)
    return {snapshot.reference.path: plain(snapshot.to_dict(), project)
            for name in ids for snapshot in client.collection_group(name).stream()}


def compare_documents(check, folder, google, documents):
    try:
        from google.cloud import firestore
    except ImportError:
        print("google-cloud-firestore is not installed: its reader is left out")
        return
    # The client reads no references into other projects.
    source = firestore_server.Server(google.address, "oracle")
    source.write(json.loads(json.dumps(list(documents)).replace("another-project", "oracle")))
    export = source.export(folder, "oracle")
    environment = {"FIRESTORE_EMULATOR_HOST": google.address}
    workspace = os.path.join(folder, "ws-oracle")
    check.run("init", "-C", workspace, "--plain")
    check.run("-C", workspace, "load", export, "--to", "copy-oracle", environment=environment)
    os.environ.update(environment)
    try:
        ids = sorted({path.split("/")[-2] for path in source.whole_documents()})
        check.compare("a load, read by Google's client", read(firestore, "oracle", ids),
                      read(firestore, "copy-oracle", ids))
    finally:
        del os.environ["FIRESTORE_EMULATOR_HOST"]


def run(check, folder, google, documents):
    compare_records(check, folder)
    compare_documents(check, folder, google, documents)
