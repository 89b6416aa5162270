#!/usr/bin/env python3
"""What dlt makes of the same pages: a resource that yields flat rows, loaded into SQLite.

Needs `pip install "dlt[sqlalchemy]"`; the last line of its output has the number of rows, as JSON.
"""
import argparse
import http.client
import json
import sqlite3
import urllib.parse

import dlt

from sync_users import PARENT, loads, query


def pages(url, page_size):
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc)
    last = None
    while True:
        connection.request("POST", PARENT + ":runQuery", body=query(last, page_size))
        answer = loads(connection.getresponse().read())
        documents = [element["document"] for element in answer if "document" in element]
        if documents:
            yield [row(document) for document in documents]
        if len(documents) < page_size:
            return
        last = documents[-1]


def row(document):
    """The fields by name, each with what its only member holds."""
    fields = {name: next(iter(value.values())) for name, value in document["fields"].items()}
    for name in ("badges", "device"):
        fields.pop(name, None)
    fields["id"] = document["name"].rpartition("/")[2]
    fields["update_time"] = document["updateTime"]
    return fields


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("database")
    parser.add_argument("--page-size", type=int, default=1_000)
    arguments = parser.parse_args()
    users = dlt.resource(
        lambda: pages(arguments.url, arguments.page_size), name="users", primary_key="id",
        write_disposition="replace")
    pipeline = dlt.pipeline(
        "users", destination=dlt.destinations.sqlalchemy(f"sqlite:///{arguments.database}"),
        dataset_name="main", pipelines_dir=arguments.database + ".pipeline")
    pipeline.run(users)
    database = sqlite3.connect(arguments.database)
    rows = database.execute("SELECT count(*) FROM users").fetchone()[0]
    database.close()
    print(json.dumps({"rows": rows}))


if __name__ == "__main__":
    main()
