"""Holds the earlier versions of rows against a model of them in Python: docs/jobs/sync-collection.md#history.

Documents change at random in a server, and a job with `history: true` loads them now and then. The model knows the
server's answers at each load and nothing of the program: versions with their times and changed columns, tables as of
each load, and no byte of a person after erasing.
"""
import datetime
import json
import os
import pathlib
import random
import sqlite3
import time

import firestore_server

JOB = """kind: sync-collection
collection: Orders
columns: {n: n INTEGER, city: city TEXT}
document: true
deletes: sweep
max_delete: 100%
allow_empty: true
history: true
"""
COLUMNS = ("n", "city", "document")
PERSON = "uid-of-somebody-4711"


def microseconds(text):
    whole, _, fraction = text.rstrip("Z").partition(".")
    seconds = datetime.datetime.fromisoformat(whole).replace(tzinfo=datetime.timezone.utc).timestamp()
    return int(seconds) * 1_000_000 + int((fraction + "000000")[:6])


def clock(at):
    second = datetime.datetime.fromtimestamp(at // 1_000_000, datetime.timezone.utc)
    return f"{second:%Y-%m-%dT%H:%M:%S}.{at % 1_000_000:06}Z"


class Row:
    """What a row holds of a document as the server sent it."""

    def __init__(self, document):
        fields = document.get("fields", {})
        n = fields.get("n", {}).get("integerValue")
        self.content = (None if n is None else int(n), fields.get("city", {}).get("stringValue"), fields)
        self.at = microseconds(document["updateTime"])


class Model:
    def __init__(self):
        self.rows, self.versions, self.states = {}, [], []

    def load(self, documents, read_at):
        """What one load sees, by its snapshot, and the sweep behind it."""
        before, self.rows = self.rows, {path.split("/")[1]: Row(one) for path, one in documents.items()}
        now = time.time_ns() // 1_000
        for name, old in before.items():
            new = self.rows.get(name)
            if new is None:
                # Nobody sees when it was deleted: the time is that of the sweep that missed it.
                self.versions.append([name, old.content, old.at, (read_at, now), None])
            elif new.at != old.at:
                changed = [column for column, left, right in zip(COLUMNS, old.content, new.content) if left != right]
                last = next((one for one in reversed(self.versions) if one[0] == name), None)
                if not changed and last and last[4] == [] and last[3] == old.at:
                    last[3] = new.at
                else:
                    self.versions.append([name, old.content, old.at, new.at, changed])
        self.states.append((now, {name: row.content[:2] for name, row in self.rows.items()}))


def differs(expected, found):
    name, content, start, end, changed = expected
    at_end = end[0] <= found[3] <= end[1] if isinstance(end, tuple) else found[3] == end
    return [name, content, start, changed] != [*found[:3], found[4]] or not at_end


def stored(workspace):
    with sqlite3.connect(f"{workspace}/data/firetally.sqlite") as database:
        rows = database.execute("SELECT document_id, n, city, document, valid_from, valid_to, changed "
                                "FROM Orders_history ORDER BY document_id, valid_from, valid_to").fetchall()
    return [[name, (n, city, json.loads(document).get("fields", {})), start, end, changed and json.loads(changed)]
            for name, n, city, document, start, end, changed in rows]


def change(server, random_):
    name = f"Orders/d{random_.randrange(20)}"
    if random_.random() < 0.2:
        return server.delete([name])
    fields = {"n": {"integerValue": str(random_.randrange(4))}}
    if random_.random() < 0.7:
        fields["city"] = {"stringValue": random_.choice(["Rome", "Oslo", "Bern"])}
    if random_.random() < 0.2:
        fields["user_id"] = {"stringValue": PERSON}
    if random_.random() < 0.3:
        fields["more"] = {"arrayValue": {"values": [{"doubleValue": random_.choice([0.5, -0.0])}]}}
    return server.write([(name, fields)])


def load(check, workspace, environment):
    check.run("-C", workspace, "run", "orders", "--force", environment=environment)
    with sqlite3.connect(f"{workspace}/data/firetally.sqlite") as database:
        return database.execute("SELECT read_time FROM sync_runs ORDER BY id DESC LIMIT 1").fetchone()[0]


def run(check, folder, count, seed, log):
    random_ = random.Random(seed)
    workspace = os.path.join(folder, "ws-history")
    check.run("init", "-C", workspace, "--plain")
    pathlib.Path(workspace, "jobs/orders.yml").write_text(JOB, encoding="utf-8")
    port = firestore_server.free_port()
    model = Model()
    with firestore_server.Process(
            [check.program, "emulator", "--users", "0", "--port", str(port)], port, log) as own:
        server = firestore_server.Server(own.address, "demo")
        environment = {"FIRESTORE_EMULATOR_HOST": own.address, "GOOGLE_CLOUD_PROJECT": "demo"}
        for step in range(count):
            change(server, random_)
            if random_.random() < 0.25 or step == count - 1:
                read_at = load(check, workspace, environment)
                model.load(server.whole_documents(), read_at)
    expected = sorted(model.versions, key=lambda one: (
        one[0], one[2], one[3] if isinstance(one[3], int) else one[3][1]))
    found = stored(workspace)
    wrong = [pair for pair in zip(expected, found) if differs(*pair)]
    print(f"history: {count} changes, {len(model.states)} loads, {len(expected)} versions, {len(wrong)} differences")
    if wrong or len(expected) != len(found):
        check.fail(f"{len(expected)} expected, {len(found)} found; {wrong[:1]}")
    as_of(check, workspace, model)
    erase(check, workspace)


def as_of(check, workspace, model):
    """Tables as of the end of each load, and a minute before the first."""
    wrong = 0
    for at, state in [(model.states[0][0] - 60_000_000, {}), *model.states]:
        rows = json.loads(check.run("-C", workspace, "sql", "--as-of", clock(at), "--format", "json",
                                    "SELECT document_id, n, city FROM Orders"))
        wrong += {row["document_id"]: (row["n"], row["city"]) for row in rows} != state
    print(f"history: tables as of {len(model.states) + 1} times, {wrong} differences")
    if wrong:
        check.fail("tables as of a time differ")


def erase(check, workspace):
    files = [path for path in pathlib.Path(workspace, "data").iterdir() if path.is_file()]
    if not any(PERSON.encode() in path.read_bytes() for path in files):
        check.fail("nothing was held of the person")
    check.run("-C", workspace, "users", "erase", PERSON, "--yes")
    left = [path.name for path in pathlib.Path(workspace, "data").iterdir()
            if path.is_file() and PERSON.encode() in path.read_bytes()]
    print(f"history: after erasing a person {len(left)} files hold the id")
    if left:
        check.fail(f"{left} hold the id")
