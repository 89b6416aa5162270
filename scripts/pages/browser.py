"""Chromium without a window, spoken to over its DevTools pipe with the standard library alone.

What the protocol evaluates is not subject to the page's Content-Security-Policy, and what the page
itself tries is reported: requests, messages on the console, violations of the policy.
"""
import base64
import collections
import fcntl
import json
import os
import re
import select
import shutil
import signal
import subprocess
import tempfile

FLAGS = [
    "--headless", "--disable-gpu", "--no-first-run", "--no-default-browser-check",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-dev-shm-usage", "--hide-scrollbars", "--mute-audio", "--remote-debugging-pipe"]
# A long page on a busy machine.
SECONDS = 240


class BrowserFault(Exception):
    """The browser is missing, has ended, or refused a command."""


class Browser:
    """One process of Chromium with one page."""

    def __init__(self):
        program = shutil.which("chromium") or shutil.which("chromium-browser")
        if program is None:
            raise BrowserFault("chromium is not installed. Type: sudo apt-get install chromium")
        self.folder = tempfile.mkdtemp(prefix="firetally-pages-")
        flags = FLAGS + [f"--user-data-dir={self.folder}"]
        # Chromium's own sandbox does not run as root.
        flags += ["--no-sandbox"] if os.getuid() == 0 else []
        self.process, self.input, self.output = self._start([program, *flags, "about:blank"])
        self.buffer = b""
        self.number = 0
        self.events = collections.deque()
        self.session = self.width = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log", "Audits"):
            self.call(f"{domain}.enable")

    def _start(self, command):
        """Chromium reads commands from its descriptor 3 and answers on 4."""
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()
        # Beyond 4, so that neither is closed when the other takes its number.
        pair = [fcntl.fcntl(one, fcntl.F_DUPFD_CLOEXEC, 10) for one in (theirs_in, theirs_out)]

        def take_numbers():
            os.dup2(pair[0], 3)
            os.dup2(pair[1], 4)

        process = subprocess.Popen(
            command, preexec_fn=take_numbers, close_fds=False, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for one in (theirs_in, theirs_out, *pair):
            os.close(one)
        return process, ours_out, ours_in

    def close(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        os.close(self.input)
        os.close(self.output)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _receive(self):
        while b"\0" not in self.buffer:
            if not select.select([self.output], [], [], SECONDS)[0]:
                raise BrowserFault(f"chromium has said nothing for {SECONDS} seconds.")
            block = os.read(self.output, 1 << 20)
            if not block:
                raise BrowserFault("chromium ended unexpectedly; start it by hand to see why.")
            self.buffer += block
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def call(self, method, **parameters):
        """The result of a command; events that arrive meanwhile are kept for `drain`."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.input, data):]
        while True:
            answer = self._receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise BrowserFault(f"{method}: {answer['error'].get('message')}")
                return answer["result"]
            if "method" in answer:
                self.events.append(answer)

    def drain(self):
        """The events since the last call of this, oldest first."""
        # An answer comes after the events before it.
        self.evaluate("0")
        events = list(self.events)
        self.events.clear()
        return events

    def evaluate(self, expression):
        """The value of an expression in the page, a promise's when it is settled."""
        result = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            text = details.get("exception", {}).get("description") or details.get("text")
            raise BrowserFault(f"a check failed to run: {text}")
        return result["result"].get("value")

    def open(self, url):
        """Loads a page and waits for its load event; forgets the events before it."""
        self.drain()
        self.call("Page.navigate", url=url)
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            message = self._receive()
            if "method" in message:
                self.events.append(message)

    def show(self, width, theme="light", media="screen", is_forced=False):
        """Sets the width of the view in px, the reader's colour scheme, whether it is forced on every
        page, and screen or print."""
        if width != self.width:
            self.call(
                "Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1,
                mobile=False)
            self.width = width
        self.call(
            "Emulation.setEmulatedMedia", media=media,
            features=[{"name": "prefers-color-scheme", "value": theme},
                      {"name": "forced-colors", "value": "active" if is_forced else "none"}])

    def screenshot(self, path):
        """The whole page as a PNG."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        data = self.call(
            "Page.captureScreenshot", captureBeyondViewport=True, clip=clip,
            optimizeForSpeed=True)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def _printed(self):
        data = self.call(
            "Page.printToPDF", paperWidth=8.27, paperHeight=11.69, printBackground=False)["data"]
        return base64.b64decode(data)

    def pdf(self, path):
        """The page as it is printed on A4."""
        with open(path, "wb") as file:
            file.write(self._printed())

    def sheets(self):
        """How many pages of A4 the page is printed on."""
        return len(re.findall(rb"/Type\s*/Page\b", self._printed()))
