"""Firefox without a window, spoken to by WebDriver BiDi over its WebSocket with the standard library alone.

It has the same face as `Browser` where both can do a thing; Firefox has no way to show a page as printed.
"""
import base64
import collections
import json
import os
import re
import select
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import time

from browser import BrowserFault

SECONDS = 60
LISTENING = re.compile(rb"WebDriver BiDi listening on ws://([0-9.]+):(\d+)")
# Nothing that would ask the network or the person at a first start.
SETTINGS = {
    "app.update.enabled": False, "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0, "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False, "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,", "toolkit.telemetry.enabled": False,
    "layout.css.prefers-color-scheme.content-override": 1}


def program():
    """The path of Firefox; None where it is not installed."""
    return shutil.which("firefox-esr") or shutil.which("firefox")


class Firefox:
    """One process of Firefox with one page."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="firetally-firefox-")
        with open(os.path.join(self.folder, "user.js"), "w") as file:
            for name, value in SETTINGS.items():
                file.write(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n")
        self.process = subprocess.Popen(
            [program(), "--headless", "--no-remote", "--profile", self.folder,
             "--remote-debugging-port", "0"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            start_new_session=True, env={**os.environ, "HOME": self.folder})
        self.number = 0
        self.buffer = b""
        self.events = collections.deque()
        try:
            self._connect(*self._address())
            self.call("session.new", capabilities={})
            self.call("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])
            self.context = self.call("browsingContext.getTree")["contexts"][0]["context"]
        except Exception:
            self.close()
            raise

    def _address(self):
        """Where it listens, as it says on its stderr."""
        said, end = b"", time.monotonic() + SECONDS
        while not (found := LISTENING.search(said)):
            if not select.select([self.process.stderr], [], [], max(0, end - time.monotonic()))[0]:
                raise BrowserFault(f"firefox has not begun to listen within {SECONDS} seconds.")
            block = os.read(self.process.stderr.fileno(), 1 << 16)
            if not block:
                raise BrowserFault(f"firefox ended at its start: {said.decode(errors='replace')[-400:]}")
            said += block
        return found.group(1).decode(), int(found.group(2))

    def _connect(self, host, port):
        self.socket = socket.create_connection((host, port), timeout=SECONDS)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((
            f"GET /session HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        while b"\r\n\r\n" not in self.buffer:
            self._read()
        head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise BrowserFault(f"firefox refused the connection: {head[:100]!r}")

    def close(self):
        if hasattr(self, "socket"):
            self.socket.close()
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process.stderr.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _read(self):
        try:
            block = self.socket.recv(1 << 20)
        except TimeoutError:
            raise BrowserFault(f"firefox has said nothing for {SECONDS} seconds.") from None
        if not block:
            raise BrowserFault("firefox ended unexpectedly; start it by hand to see why.")
        self.buffer += block

    def _take(self, count):
        while len(self.buffer) < count:
            self._read()
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def _send(self, text):
        """One frame of text, masked as RFC 6455 has it of clients."""
        data, mask = text.encode(), os.urandom(4)
        size = len(data)
        length = (bytes([0x80 | size]) if size < 126 else struct.pack("!BH", 0xFE, size) if size < 1 << 16
                  else struct.pack("!BQ", 0xFF, size))
        key = (mask * (size // 4 + 1))[:size]
        masked = (int.from_bytes(data, "big") ^ int.from_bytes(key, "big")).to_bytes(size, "big")
        self.socket.sendall(b"\x81" + length + mask + masked)

    def _receive(self):
        """The next message, put together of its frames."""
        message = b""
        while True:
            first, second = self._take(2)
            size = second & 0x7F
            if size > 125:
                size = int.from_bytes(self._take(2 if size == 126 else 8), "big")
            data = self._take(size)
            if first & 0x0F in (0, 1):
                message += data
                if first & 0x80:
                    return json.loads(message)

    def call(self, method, **parameters):
        """The result of a command; events that arrive meanwhile are kept for `drain`."""
        self.number += 1
        self._send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            answer = self._receive()
            if answer.get("id") == self.number:
                if answer["type"] == "error":
                    raise BrowserFault(f"{method}: {answer.get('message')}")
                return answer["result"]
            if answer.get("type") == "event":
                self.events.append(answer)

    def drain(self):
        """The events since the last call of this, oldest first."""
        events = list(self.events)
        self.events.clear()
        return events

    def evaluate(self, expression):
        """The value of an expression in the page, a promise's when it is settled."""
        result = self.call(
            "script.evaluate", expression=expression, awaitPromise=True,
            target={"context": self.context})
        if result["type"] == "exception":
            raise BrowserFault(f"a check failed to run: {result['exceptionDetails'].get('text')}")
        return result["result"].get("value")

    def open(self, url):
        """Loads a page and waits for its load event; forgets the events before it."""
        self.drain()
        self.call("browsingContext.navigate", context=self.context, url=url, wait="complete")

    def show(self, width):
        """Sets the width of the view in px."""
        self.call(
            "browsingContext.setViewport", context=self.context,
            viewport={"width": width, "height": 900})

    def screenshot(self, path):
        """The whole page as a PNG."""
        data = self.call(
            "browsingContext.captureScreenshot", context=self.context, origin="document")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
