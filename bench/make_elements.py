#!/usr/bin/env python3
"""Write pages of documents with an array of ten maps each, for the rows of a child table.

They are named as the users of make_pages.py, so that serve_pages.py serves them.
"""
import argparse
import json
import os

PARENT = "projects/demo/databases/(default)/documents"
ELEMENTS = 10


def document(number):
    items = [
        {"mapValue": {"fields": {
            "sku": {"stringValue": f"article-{number % 997}-{index}"},
            "qty": {"integerValue": str(index + 1)}}}}
        for index in range(ELEMENTS)]
    return {
        "document": {
            "name": f"{PARENT}/Users/user{number:08d}",
            "fields": {
                "total": {"doubleValue": number + 0.5},
                "city": {"stringValue": f"City {number % 2_000}"},
                "items": {"arrayValue": {"values": items}}},
            "createTime": "2025-01-01T00:00:00.000001Z",
            "updateTime": f"2025-06-01T00:00:00.{number % 1_000_000:06d}Z"},
        "readTime": "2026-01-31T08:00:00.000001Z"}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--page-size", type=int, default=1_000)
    arguments = parser.parse_args()
    os.makedirs(arguments.folder, exist_ok=True)
    for page in range(0, arguments.documents, arguments.page_size):
        end = min(page + arguments.page_size, arguments.documents)
        path = os.path.join(arguments.folder, f"{page // arguments.page_size:05d}.json")
        with open(path, "w") as file:
            json.dump([document(number) for number in range(page, end)], file, separators=(",", ":"))


if __name__ == "__main__":
    main()
