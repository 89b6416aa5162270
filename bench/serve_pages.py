#!/usr/bin/env python3
"""Serve the benchmark's pages on loopback as a Firestore server would, and nothing else.

Every runQuery is answered with the file that follows the document named in its cursor, so that the
server costs next to nothing and cannot be the limit of a measurement. Other requests get an error.
"""
import argparse
import os
import re
import socketserver

CURSOR = re.compile(rb"/Users/user(\d{8})")
LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)
EMPTY = b'[{"readTime":"2026-01-31T08:00:00.000001Z"}]'


class Pages(socketserver.StreamRequestHandler):
    disable_nagle_algorithm = True

    def handle(self):
        while True:
            head = self.read_head()
            if not head:
                return
            length = LENGTH.search(head)
            body = self.rfile.read(int(length.group(1))) if length else b""
            if b":runQuery" in head.split(b"\r\n", 1)[0]:
                self.send_page(body)
            else:
                self.send(b"404 Not Found", b'{"error":{"code":404,"message":"not served here","status":"NOT_FOUND"}}')

    def read_head(self):
        lines = []
        while True:
            line = self.rfile.readline()
            if line in (b"\r\n", b""):
                return b"".join(lines)
            lines.append(line)

    def send_page(self, body):
        cursor = CURSOR.search(body)
        first = int(cursor.group(1)) + 1 if cursor else self.server.first
        path = os.path.join(self.server.folder, f"{first // self.server.page_size:05d}.json")
        if not os.path.exists(path):
            self.send(b"200 OK", EMPTY)
            return
        with open(path, "rb") as file:
            self.head(b"200 OK", os.path.getsize(path))
            self.wfile.flush()
            self.connection.sendfile(file)

    def send(self, status, body):
        self.head(status, len(body))
        self.wfile.write(body)

    def head(self, status, length):
        self.wfile.write(
            b"HTTP/1.1 " + status + b"\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % length
        )


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--page-size", type=int, default=1_000)
    parser.add_argument("--first", type=int, default=0, help="the first document's number")
    arguments = parser.parse_args()
    with Server(("127.0.0.1", arguments.port), Pages) as server:
        server.folder = arguments.folder
        server.page_size = arguments.page_size
        server.first = arguments.first
        print(server.server_address[1], flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
