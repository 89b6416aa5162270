#!/usr/bin/env python3
"""What a careful Python script would do instead: pages into SQLite, with the same tricks as ours.

WAL, synchronous NORMAL, 16 KiB pages, 10,000 documents a transaction with the cursor beside them,
indexes after the load, one connection kept alive. With orjson installed it parses with that, else
with the standard library; the last line of its output says which, as JSON.
"""
import argparse
import calendar
import http.client
import json
import sqlite3
import time
import urllib.parse

try:
    from orjson import loads
    PARSER = "orjson"
except ImportError:
    from json import loads
    PARSER = "json"

PARENT = "/v1/projects/demo/databases/(default)/documents"
TEXTS = [
    "User_image", "User_gender", "User_country", "user_language", "User_age", "User_device_id",
    "User_device_token", "User_area", "user_city", "User_state",
]
PAGES_A_COMMIT = 10

SCHEMA = """
PRAGMA page_size = 16384;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
PRAGMA cache_size = -32768;
PRAGMA wal_autocheckpoint = 4000;
CREATE TABLE OnlineUsers (
    id INTEGER PRIMARY KEY AUTOINCREMENT, user_id TEXT UNIQUE NOT NULL, user_name TEXT,
    user_image TEXT, user_gender TEXT, user_country TEXT, user_language TEXT, user_age TEXT,
    user_device_id TEXT, user_device_token TEXT, user_area TEXT, user_city TEXT, user_state TEXT,
    user_decent_time INTEGER, user_last_time_seen INTEGER, isAd INTEGER,
    update_time INTEGER NOT NULL, synced_at INTEGER NOT NULL
);
CREATE TABLE sync_cursor (value TEXT NOT NULL);
"""
INDEXES = """
PRAGMA temp_store = FILE;
PRAGMA cache_size = -2000;
PRAGMA threads = 2;
CREATE INDEX seen ON OnlineUsers(user_last_time_seen DESC);
CREATE INDEX ad ON OnlineUsers(isAd, user_last_time_seen DESC);
CREATE INDEX area ON OnlineUsers(user_area, user_last_time_seen DESC);
CREATE INDEX city ON OnlineUsers(user_city, user_last_time_seen DESC);
CREATE INDEX state ON OnlineUsers(user_state, user_last_time_seen DESC);
"""
INSERT = f"""
INSERT INTO OnlineUsers VALUES (NULL, {", ".join("?" * 17)})
ON CONFLICT (user_id) DO NOTHING
"""


def microseconds(stamp, days={}):
    """1970 to `stamp`, which is always in Zulu time and has microseconds, as this server writes it."""
    day = stamp[:10]
    if day not in days:
        days[day] = calendar.timegm(time.strptime(day, "%Y-%m-%d"))
    seconds = days[day] + int(stamp[11:13]) * 3600 + int(stamp[14:16]) * 60 + int(stamp[17:19])
    return seconds * 1_000_000 + int(stamp[20:26])


def row(document, now):
    fields = document["fields"]
    name = fields.get("User_name", {}).get("stringValue", "")
    if not name:
        return None
    return (
        document["name"].rpartition("/")[2], name,
        *(fields[text]["stringValue"] if text in fields else "" for text in TEXTS),
        int(fields["IamDecentTime"]["integerValue"]),
        microseconds(fields["last_time_seen"]["timestampValue"]) // 1_000_000,
        0, microseconds(document["updateTime"]), now,
    )


def query(last, page_size):
    query = {
        "from": [{"collectionId": "Users"}],
        "orderBy": [
            {"field": {"fieldPath": "last_time_seen"}, "direction": "DESCENDING"},
            {"field": {"fieldPath": "__name__"}, "direction": "DESCENDING"},
        ],
        "limit": page_size,
    }
    if last:
        values = [last["fields"]["last_time_seen"], {"referenceValue": last["name"]}]
        query["startAt"] = {"values": values, "before": False}
    return json.dumps({"structuredQuery": query})


def pages(connection, page_size):
    last = None
    while True:
        connection.request("POST", PARENT + ":runQuery", body=query(last, page_size))
        answer = loads(connection.getresponse().read())
        documents = [element["document"] for element in answer if "document" in element]
        if documents:
            yield documents
        if len(documents) < page_size:
            return
        last = documents[-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("database")
    parser.add_argument("--page-size", type=int, default=1_000)
    arguments = parser.parse_args()
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(arguments.url).netloc)
    database = sqlite3.connect(arguments.database, isolation_level=None)
    database.executescript(SCHEMA)
    now = int(time.time() * 1_000_000)
    for number, documents in enumerate(pages(connection, arguments.page_size)):
        if number % PAGES_A_COMMIT == 0:
            database.execute("BEGIN IMMEDIATE")
        database.executemany(INSERT, filter(None, (row(document, now) for document in documents)))
        if number % PAGES_A_COMMIT == PAGES_A_COMMIT - 1:
            database.execute("DELETE FROM sync_cursor")
            database.execute("INSERT INTO sync_cursor VALUES (?)", (documents[-1]["name"],))
            database.execute("COMMIT")
    if database.in_transaction:
        database.execute("COMMIT")
    database.executescript(INDEXES)
    rows = database.execute("SELECT count(*) FROM OnlineUsers").fetchone()[0]
    database.close()
    print(json.dumps({"rows": rows, "parser": PARSER}))


if __name__ == "__main__":
    main()
