"""The workspace of the synthetic app, filled morning by morning as its operator's would be."""
import contextlib
import datetime
import json
import os
import pathlib
import re
import sys
import urllib.request

import make_days

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "pages"))
from workspaces import BUNDLE, Program  # noqa: E402

CLOCK = "06:30:00Z"


def next_day(day, days=1):
    return str(datetime.date.fromisoformat(day) + datetime.timedelta(days=days))


def field(value):
    """A value as Firestore's REST API has it."""
    if isinstance(value, str):
        return {"stringValue": value}
    return {"doubleValue": value} if isinstance(value, float) else {"integerValue": str(value)}


def put(server, documents):
    """Writes documents, pairs of path and fields, a few hundred in a commit."""
    root = "projects/demo/databases/(default)/documents"
    writes = [{"update": {"name": f"{root}/{path}", "fields": {name: field(value) for name, value in fields.items()}}}
              for path, fields in documents]
    for first in range(0, len(writes), 400):
        request = urllib.request.Request(
            f"http://{server}/v1/{root}:commit", data=json.dumps({"writes": writes[first:first + 400]}).encode(),
            headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            answer.read()


class Mornings:
    """74 days and the mornings after them; each morning sees the exports that have come by then."""

    def __init__(self, program, folder, seed, has_faults=True, new_a_day=make_days.NEW_A_DAY):
        self.program = Program(program)
        self.source, self.workspace = os.path.join(folder, "days"), os.path.join(folder, "workspace")
        self.truth = make_days.write(self.source, seed, new_a_day, has_faults)
        self.documents = json.loads(pathlib.Path(self.source, "documents.json").read_text())
        self.program.run("init", self.workspace, "--quiet")
        # Jobs that run only when this asks for them are not overdue.
        for path in pathlib.Path(self.workspace, "jobs").glob("*.yml"):
            path.write_text(re.sub(r"^schedule:.*\n", "", path.read_text(), flags=re.MULTILINE))
        os.makedirs(os.path.join(self.workspace, "data", "exports"))
        self.has_come, self.settings = set(), None

    @property
    def days(self):
        return list(self.truth["days"])

    def come_to(self, day, has_users=False):
        """The morning after `day`: what the app's servers have by then is read. Returns the instant."""
        now = f"{next_day(day)}T{CLOCK}"
        exports = []
        for name in (one for one in self.days if one <= day and one not in self.has_come):
            self.has_come.add(name)
            with contextlib.suppress(FileNotFoundError):
                os.link(os.path.join(self.source, "exports", f"{name}.ndjson"),
                        os.path.join(self.workspace, "data", "exports", f"{name}.ndjson"))
                exports.append(name)
        self._settings_until(next_day(day))
        if has_users:
            with self.program.emulator() as server:
                self._serve(server, self.settings, True)
                self._run(["online-users", "feedback"], now, server)
        self._run(["events"] if exports else [], now)
        return now

    def _settings_until(self, day):
        """Each change is fetched on the morning of its day; the users, too, the first time."""
        for in_force in self.documents["settings"]:
            if in_force["from"] <= day and (self.settings is None or self.settings["from"] < in_force["from"]):
                with self.program.emulator() as server:
                    self._serve(server, in_force, self.settings is None)
                    jobs = ["settings"] if self.settings else ["settings", "online-users"]
                    self._run(jobs, f"{in_force['from']}T{CLOCK}", server)
                self.settings = in_force

    def _serve(self, server, in_force, has_users):
        wire = {name: value for name, value in in_force.items() if name != "from"}
        put(server, [(f"AppSettings/{BUNDLE}", wire)])
        if has_users:
            put(server, [(f"Users/{one['User_id']}", one) for one in self.documents["users"]])
            put(server, [(f"Feedback/{BUNDLE}/Rating_Feedback/{one['timestamp']}", one)
                         for one in self.documents["feedback"]])

    def _run(self, jobs, now, server=None):
        if jobs:
            more = {"FIRESTORE_EMULATOR_HOST": server} if server else {}
            self.program.run("run", *jobs, "-C", self.workspace, "--project", "demo", "--quiet",
                             allowed=(0, 3), now=now, **more)

    def report(self, now, *arguments, output):
        """The pages of that instant as JSON; returns their folder."""
        os.makedirs(os.path.dirname(output), exist_ok=True)
        self.program.run("report", "-C", self.workspace, "--format", "json", "--format", "csv", "--output", output, *arguments, now=now)
        return output
