"""Loads documents with `--mask` and looks for every masked value in all that the target answers: docs/load.md#masks."""
import json
import os
import random
import string

import firestore_server

JOBS = {
    "customers": """kind: sync-collection
collection: Customers
masks:
  __name__: mask
  name: mask
  contact: mask
  contact.plan: keep
  note: drop
  born: mask
  place: mask
  pin: mask
  photo: mask
""",
    "orders": "kind: sync-collection\ncollection: Orders\nmasks:\n  card: drop\n",
}


class Invention:
    """Customers and orders whose masked values occur nowhere else, and where they occur again."""

    def __init__(self, project, count, seed):
        self.random, self.project, self.secrets, self.kept = random.Random(seed), project, {}, []
        self.documents = []
        for _ in range(count):
            self.customer()

    def word(self, length, letters=string.ascii_lowercase):
        return "".join(self.random.choices(letters, k=length))

    def secret(self, what, text):
        self.secrets.setdefault(text, what)
        return text

    def customer(self):
        name = self.secret("name", f"{self.word(7).title()} {self.word(9).title()}")
        mail = self.secret("mail address", f"{self.word(8)}.{self.word(5)}@{self.word(7)}.de")
        customer = self.secret("id", self.word(20, string.ascii_letters + string.digits))
        pin = self.secret("number", str(self.random.randint(10**11, 10**12)))
        note = self.secret("note", f"{self.word(6)} {self.word(11)}")
        plan = f"plan-{self.word(10)}"
        born = f"19{self.random.randint(30, 99)}-03-05T04:05:06.{self.random.randint(100000, 999999)}Z"
        self.secret("time", born)
        latitude = self.random.randint(10_000_000, 80_000_000) / 1_000_000
        self.secret("coordinates", str(latitude))
        self.kept.append(plan)
        root = f"projects/{self.project}/databases/(default)/documents"
        text = {"stringValue": f"For {name} ({mail}), customer {customer}; {note}."}
        self.documents += [
            (f"Customers/{customer}", {
                "name": {"stringValue": name}, "note": {"stringValue": note}, "pin": {"integerValue": pin},
                "contact": {"mapValue": {"fields": {
                    "mail": {"stringValue": mail}, "plan": {"stringValue": plan},
                    "more": {"arrayValue": {"values": [{"stringValue": mail}, {"stringValue": name}]}}}}},
                "born": {"timestampValue": born},
                "place": {"geoPointValue": {"latitude": latitude, "longitude": 7.5}}}),
            (f"Customers/{customer}/Visits/v1", {"of": {"stringValue": customer}}),
            (f"Orders/o{len(self.documents)}", {
                "by": {"referenceValue": f"{root}/Customers/{customer}"}, "who": {"stringValue": customer},
                "text": text, "card": {"stringValue": self.secret("card", self.word(16, string.digits))},
                "path": {"stringValue": f"Customers/{customer}/Visits/v1"},
                "per": {"mapValue": {"fields": {customer: {"integerValue": "5"}}}}}),
        ]


def run(check, folder, google, count, seed):
    project = "masked-source"
    invention = Invention(project, count, seed)
    source = firestore_server.Server(google.address, project)
    source.write(invention.documents)
    export = source.export(folder, project)
    workspace = os.path.join(folder, "ws-masks")
    check.run("init", "-C", workspace, "--plain")
    for name, job in JOBS.items():
        with open(os.path.join(workspace, f"jobs/{name}.yml"), "w", encoding="utf-8") as file:
            file.write(job)
    check.run("-C", workspace, "load", export, "--to", "masked-target", "--mask", "--yes",
              environment={"FIRESTORE_EMULATOR_HOST": google.address})
    found = firestore_server.Server(google.address, "masked-target").whole_documents()
    answer = json.dumps(found, ensure_ascii=False)
    left = [(what, text) for text, what in invention.secrets.items() if text in answer]
    lost = [text for text in invention.kept if text not in answer]
    print(f"a masked load: {len(invention.documents)} documents, {len(invention.secrets)} masked values, "
          f"{len(left)} left, {len(lost)} lost that are kept")
    if left or lost or len(found) != len(invention.documents):
        check.fail(f"{left[:3]} {lost[:3]} {len(found)} documents")
    # What referred to a customer does so again.
    customers = {path.split("/")[1] for path in found if path.startswith("Customers/")}
    for path, document in found.items():
        if path.startswith("Orders/"):
            fields = document["fields"]
            who = fields["who"]["stringValue"]
            if who not in customers or not fields["by"]["referenceValue"].endswith(f"/{who}") or "card" in fields \
                    or list(fields["per"]["mapValue"]["fields"]) != [who]:
                check.fail(f"{path} refers to nobody: {json.dumps(fields)}")
