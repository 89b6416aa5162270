"""Google's Firestore emulator, and any server of its REST API, by the standard library alone."""

import json
import os
import socket
import subprocess
import time
import urllib.error
import urllib.request

JAR = "/usr/lib/google-cloud-sdk/platform/cloud-firestore-emulator/cloud-firestore-emulator.jar"


def free_port():
    with socket.socket() as opened:
        opened.bind(("127.0.0.1", 0))
        return opened.getsockname()[1]


class Server:
    """A server at an address, and the documents of one project's database."""

    def __init__(self, address, project):
        self.address, self.project = address, project
        self.root = f"projects/{project}/databases/(default)/documents"

    def post(self, path, body):
        request = urllib.request.Request(
            f"http://{self.address}/{path}", json.dumps(body).encode(),
            {"Content-Type": "application/json", "Authorization": "Bearer owner"})
        while True:
            try:
                with urllib.request.urlopen(request, timeout=300) as answer:
                    return json.loads(answer.read() or b"{}")
            except urllib.error.HTTPError as error:
                if error.code != 503:
                    raise SystemExit(f"{path}: {error.code} {error.read()[:2000]!r}") from error
            # Our own server is being filled.
            time.sleep(0.1)

    def write(self, documents):
        """Commits documents in batches of at most 400, and 5 MB."""
        batch, size, count = [], 0, 0
        for path, fields in documents:
            batch.append({"update": {"name": f"{self.root}/{path}", "fields": fields}})
            size += len(json.dumps(fields))
            count += 1
            if len(batch) == 400 or size > 5_000_000:
                self.post(f"v1/{self.root}:commit", {"writes": batch})
                batch, size = [], 0
        if batch:
            self.post(f"v1/{self.root}:commit", {"writes": batch})
        return count

    def whole_documents(self):
        """All documents by their paths, as the server sends them."""
        found, last = {}, None
        while True:
            query = {"from": [{"allDescendants": True}], "limit": 2000,
                     "orderBy": [{"field": {"fieldPath": "__name__"}, "direction": "ASCENDING"}]}
            if last:
                query["startAt"] = {"values": [{"referenceValue": last}], "before": False}
            answer = self.post(f"v1/{self.root}:runQuery", {"structuredQuery": query})
            page = [entry["document"] for entry in answer if "document" in entry]
            for document in page:
                found[document["name"].split("/documents/", 1)[1]] = document
            if len(page) < 2000:
                return found
            last = page[-1]["name"]

    def documents(self):
        """The fields of all documents by their paths."""
        return {path: document.get("fields", {}) for path, document in self.whole_documents().items()}

    def delete(self, paths):
        self.post(f"v1/{self.root}:commit", {"writes": [{"delete": f"{self.root}/{path}"} for path in paths]})

    def export(self, folder, name):
        self.post(f"emulator/v1/projects/{self.project}:export", {
            "database": f"projects/{self.project}/databases/(default)",
            "export_directory": folder, "export_name": name})
        return os.path.join(folder, name)

    def load(self, overall):
        self.post(f"emulator/v1/projects/{self.project}:import", {
            "database": f"projects/{self.project}/databases/(default)", "export_directory": overall})


class Process:
    """A server's process, which ends with the `with`."""

    def __init__(self, command, port, log):
        self.address = f"127.0.0.1:{port}"
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        for _ in range(1200):
            if self.process.poll() is not None:
                raise SystemExit(f"{command[0]} ended with {self.process.returncode}")
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.05)
        raise SystemExit(f"{command[0]} does not answer")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def google(log):
    port = free_port()
    return Process(
        ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx1g", "-cp", JAR,
         "com.google.cloud.datastore.emulator.firestore.CloudFirestore", "start",
         "--host=127.0.0.1", f"--port={port}"], port, log)
