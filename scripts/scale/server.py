#!/usr/bin/env python3
"""Serve users on loopback as Firestore does to many streams: the benchmark's server and documents.

For the short check: the embedded server of a debug build takes minutes to make as many users.
"""
import argparse
import json
import os
import random
import sys
import time

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "bench"))
import make_pages  # noqa: E402
import serve_streams  # noqa: E402


class Users:
    """Made in memory; an answer tells its snapshot in an element of its own."""

    def __init__(self, count):
        chance = random.Random(7)
        self.documents = []
        for number in range(count):
            user = make_pages.document(number, count, chance)
            # Tokens of a thousand bits are the most of a document, and no column's.
            del user["document"]["fields"]["User_device_token"]
            self.documents.append(
                json.dumps({"document": user["document"]}, separators=(",", ":")).encode())

    def __len__(self):
        return len(self.documents)

    def answer(self, first, last, moment=None):
        moment = moment or time.strftime("%Y-%m-%dT%H:%M:%S.000001Z", time.gmtime())
        end = b'{"readTime":"%s"}' % moment.encode()
        return b"[" + b",".join([*self.documents[first:last], end]) + b"]"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--users", type=int, required=True)
    parser.add_argument("--documents-per-second", type=int, default=0)
    arguments = parser.parse_args()
    with serve_streams.Server(("127.0.0.1", 0), serve_streams.Streams) as server:
        server.documents = Users(arguments.users)
        server.pace = arguments.documents_per_second
        print(json.dumps({"host": f"127.0.0.1:{server.server_address[1]}"}), flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
