#!/usr/bin/env python3
"""Serve the benchmark's documents on loopback as Firestore does to many streams at once.

Each query gets its documents at the pace of one stream, however many others there are: an answer of
n documents takes n / --documents-per-second. Cuts are answered exactly. Nothing is computed: an
answer is a part of the pages' bytes.
"""
import argparse
import json
import os
import re
import socketserver
import sys
import time

START = re.compile(rb'\{"document":')
NUMBER = re.compile(r"/Users/user(\d{8})$")
TIME = "2026-01-31T08:00:00.000001Z"
ROOT = "projects/demo/databases/(default)/documents"


class Documents:
    """The bytes of each document, one after the other, with the separators between them."""

    def __init__(self, folder):
        self.bytes = bytearray()
        self.starts = []
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name), "rb") as file:
                page = file.read().strip()[1:-1].rstrip() + b","
            offset = len(self.bytes)
            self.starts += [offset + match.start() for match in START.finditer(page)]
            self.bytes += page
        self.starts.append(len(self.bytes))

    def __len__(self):
        return len(self.starts) - 1

    def answer(self, first, last, _):
        if first >= last:
            return b'[{"readTime":"%s"}]' % TIME.encode()
        view = memoryview(self.bytes)
        part = view[self.starts[first]:self.starts[last]]
        return b"[" + bytes(part).rstrip().rstrip(b",") + b"]"


class Streams(socketserver.StreamRequestHandler):
    disable_nagle_algorithm = True

    def handle(self):
        while True:
            line = self.rfile.readline()
            if not line:
                return
            length = 0
            while True:
                header = self.rfile.readline()
                if header in (b"\r\n", b""):
                    break
                if header.lower().startswith(b"content-length:"):
                    length = int(header.split(b":")[1])
            body = json.loads(self.rfile.read(length) or b"{}")
            if b":partitionQuery" in line:
                self.send(self.cuts(int(body["partitionCount"])))
            elif b":runAggregationQuery" in line:
                self.send(self.count(body["structuredAggregationQuery"]["structuredQuery"]))
            elif b":runQuery" in line:
                self.send_documents(body["structuredQuery"], body.get("readTime"))
            else:
                self.send(b'{"error":{"code":404,"status":"NOT_FOUND","message":"not served"}}', b"404 Not Found")

    def cuts(self, count):
        total = len(self.server.documents)
        places = [number * total // (count + 1) for number in range(1, count + 1)]
        return json.dumps({"partitions": [
            {"values": [{"referenceValue": f"{ROOT}/Users/user{place:08d}"}], "before": True}
            for place in places]}).encode()

    def count(self, query):
        first, last = self.range(query)
        result = {"aggregateFields": {"count": {"integerValue": str(last - first)}}}
        return json.dumps([{"result": result, "readTime": TIME}]).encode()

    def range(self, query):
        """The places of the first document and of that after the last."""
        total = len(self.server.documents)
        first = self.place(query.get("startAt"), 0)
        last = min(self.place(query.get("endAt"), total), first + query.get("limit", total))
        return first, max(first, last)

    def send_documents(self, query, moment):
        started = time.monotonic()
        first, last = self.range(query)
        answer = self.server.documents.answer(first, last, moment)
        if self.server.pace:
            time.sleep(max(0, (last - first) / self.server.pace - (time.monotonic() - started)))
        self.send(answer)

    @staticmethod
    def place(cursor, otherwise):
        if not cursor:
            return otherwise
        number = int(NUMBER.search(cursor["values"][-1]["referenceValue"]).group(1))
        return number if cursor.get("before") else number + 1

    def send(self, body, status=b"200 OK"):
        self.wfile.write(
            b"HTTP/1.1 " + status + b"\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body))
        self.wfile.write(body)


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, request, client_address):
        """A client that was killed is none."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--documents-per-second", type=int, default=0, help="0 for as fast as it goes")
    arguments = parser.parse_args()
    with Server(("127.0.0.1", 0), Streams) as server:
        server.documents = Documents(arguments.folder)
        server.pace = arguments.documents_per_second
        print(server.server_address[1], flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
