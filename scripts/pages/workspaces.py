"""The pages that are judged: workspaces as the built program fills and reports them.

demo: what `firetally demo` makes. empty: a new workspace in which nothing has run. hostile: every text
that the network can send means harm. year: the demo's workspace over 366 days. month: its
index of the last month. other: the index of a demo of another day, which has one finding more.
single: the demo's and the hostile reports, each as one file. past: the demo's index after some more
days without a run, its history and that of the second day.
"""
import contextlib
import datetime
import http.server
import json
import os
import pathlib
import shutil
import subprocess
import threading
import urllib.parse
import urllib.request

from hostile import TEXTS, documents, event_lines

NOW = "2026-03-02T06:30:00Z"
# A day on which the people of the demo that stay away are found, too.
OTHER = "2026-05-01T06:30:00Z"
BUNDLE = "com.peppty.ChatApp"


class WorkspaceFault(Exception):
    """The program did not do what the pages need."""


class Program:
    def __init__(self, path):
        self.path = path
        self.environment = {
            name: value for name, value in os.environ.items()
            if not name.startswith(("FIRETALLY", "FIRESTORE", "GOOGLE"))}

    def run(self, *arguments, allowed=(0,), now=NOW, **environment):
        done = subprocess.run(
            [self.path, *arguments, "--now", now], capture_output=True, text=True,
            env={**self.environment, **environment})
        if done.returncode not in allowed:
            raise WorkspaceFault(
                f"firetally {' '.join(arguments)[:200]} ended with {done.returncode}: {done.stderr}")
        return done.stdout

    @contextlib.contextmanager
    def emulator(self):
        """An empty embedded Firestore; yields host:port."""
        process = subprocess.Popen(
            [self.path, "emulator", "--users", "0", "--port", "0"], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, env=self.environment)
        try:
            yield process.stdout.readline().split("=", 1)[1].split()[0]
        finally:
            process.terminate()
            process.wait()


def _pages(output, *patterns):
    """The files of an output folder that match, sorted."""
    return output, [path for pattern in patterns for path in sorted(pathlib.Path(output).glob(pattern))]


def _beside(folder, name):
    """The workspace that another maker has left."""
    return os.path.join(os.path.dirname(folder), name)


def demo(program, folder):
    program.run("demo", "--into", folder, "--users", "300", "--copies", "4", "--quiet")
    return _pages(os.path.join(folder, "output"), "*.html")


def other(program, folder):
    program.run("demo", "--into", folder, "--users", "300", "--copies", "4", "--quiet", now=OTHER)
    return _pages(os.path.join(folder, "output"), "index.html")


def year(program, folder):
    program.run("report", "-C", _beside(folder, "demo"), "--days", "366", "--output", folder)
    return _pages(folder, "*.html")


def month(program, folder):
    program.run("report", "-C", _beside(folder, "demo"), "--period", "last-month", "--output", folder)
    return _pages(folder, "index.html")


def single(program, folder):
    os.makedirs(folder)
    for name, more in (("demo", []), ("hostile", ["--days", "366"])):
        program.run(
            "report", "-C", _beside(folder, name), "--single-file", "--format", "html", *more,
            "--output", os.path.join(folder, name))
    return _pages(folder, "*/*.html")


def past(program, folder):
    """Days enough for the list to have a filter; what differs is that the jobs did not run meanwhile."""
    shutil.copytree(_beside(folder, "demo"), folder)
    first = datetime.datetime.fromisoformat(NOW.replace("Z", "+00:00"))
    for days in range(1, 12):
        now = first + datetime.timedelta(days=days)
        program.run("report", "-C", folder, now=now.strftime("%Y-%m-%dT%H:%M:%SZ"))
    second = first + datetime.timedelta(days=1)
    return _pages(
        os.path.join(folder, "output"), "index.html", "history/index.html", f"history/{second:%Y-%m-%d}/index.html")


def empty(program, folder):
    program.run("init", folder, "--quiet")
    program.run("report", "-C", folder)
    return _pages(os.path.join(folder, "output"), "*.html")


def _put(server, path, fields):
    """Writes one document, whatever its id is made of."""
    url = f"http://{server}/v1/projects/demo/databases/(default)/documents/"
    body = json.dumps({"fields": fields}).encode()
    request = urllib.request.Request(
        url + "/".join(urllib.parse.quote(part, safe="") for part in path), data=body,
        method="PATCH", headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        answer.read()


class _Refusal(http.server.BaseHTTPRequestHandler):
    """Answers everything with an error whose message means harm."""

    def _refuse(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        message = "".join(TEXTS[:6])
        body = json.dumps({"error": {"code": 400, "status": "INVALID_ARGUMENT", "message": message}})
        self.send_response(400)
        self.end_headers()
        self.wfile.write(body.encode())

    do_GET = do_POST = do_PATCH = _refuse

    def log_message(self, *arguments):
        pass


@contextlib.contextmanager
def _refusing_server():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Refusal)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()


def _rate(program, folder, number, text, environment):
    """Rates as a profile of such a country; the program itself refuses some of the texts."""
    text = text.replace("\0", "")
    own = ["-C", folder, "--profile", f"hostile-{number}"]
    refused = (0, 64)
    program.run("profile", "create", f"hostile-{number}", "-C", folder, **environment)
    program.run(
        "profile", "set", *own, f"--user-id=user-{number}", f"--country={text[:200]}",
        f"--price={text[:60]}", allowed=refused, **environment)
    program.run(
        "rating", "submit", *own, str(number % 3 + 1), f"--feedback={text[:400]} and more",
        allowed=refused, **environment)


def hostile(program, folder):
    program.run("init", folder, "--quiet")
    os.makedirs(os.path.join(folder, "data", "exports"))
    with open(os.path.join(folder, "data", "exports", "events.ndjson"), "w") as file:
        file.writelines(line + "\n" for line in event_lines(NOW))
    own = ["-C", folder, "--project", "demo"]
    with program.emulator() as server:
        for path, fields in documents(NOW, BUNDLE):
            _put(server, path, fields)
        at = {"FIRESTORE_EMULATOR_HOST": server}
        for number, text in enumerate(TEXTS):
            _rate(program, folder, number, text, at)
        # Partial: some of the users and settings are such that they are left out.
        program.run("run", "--all", *own, allowed=(0, 1), **at)
    with _refusing_server() as server:
        program.run(
            "run", "settings", "upload-feedback", *own, allowed=range(1, 256),
            FIRESTORE_EMULATOR_HOST=server)
    program.run("report", *own, "--days", "366")
    return _pages(os.path.join(folder, "output"), "*.html")


# In this order: the others need the first or the second, and the largest pages come early.
MAKERS = {
    "demo": demo, "hostile": hostile, "single": single, "year": year, "month": month, "other": other, "past": past,
    "empty": empty}


def make(program, folder):
    """Yields every page as SET/FILE.html with the path of its file, one workspace after the other."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for name, maker in MAKERS.items():
        output, found = maker(Program(program), os.path.join(folder, name))
        if not found:
            raise WorkspaceFault(f"the workspace '{name}' has no pages in {output}")
        yield from ((f"{name}/{path.relative_to(output)}", str(path)) for path in found)
