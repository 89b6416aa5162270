#!/usr/bin/env python3
"""Holds imports of purchases to a ledger whose truth is known (docs/purchases.md#proof).

The same facts are written as RevenueCat's events, its export, its documents in Firestore, signed notifications and
Apple's reports, and imported by the built program, in any order, doubled, cut and killed. Each must leave the rows of
the ledger, and the money page must say what ledger.py computes of it. Examples:

  check_purchases.py --bounded
  check_purchases.py --program .build/release/firetally --people 2000 --kills 60
"""
import argparse
import contextlib
import datetime
import http.server
import json
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "pages"))
import forms  # noqa: E402
from ledger import DIGITS, NOW, PAYMENTS, PRODUCTS, Truth, ledger  # noqa: E402
from workspaces import Program  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
AT = NOW.strftime("%Y-%m-%dT%H:%M:%SZ")
FACTS = ("subscription", "transaction_id", "product", "kind", "at", "paid_until", "currency", "price", "store",
         "country", "environment", "person")


class Fault(Exception):
    pass


def expect(is_so, words):
    if not is_so:
        raise Fault(words)


class Check:
    def __init__(self, arguments, scratch):
        self.program = Program(arguments.program)
        self.scratch = pathlib.Path(scratch)
        self.kills = arguments.kills
        self.rows = ledger(arguments.people, arguments.seed)
        self.chance = random.Random(arguments.seed)
        self.made = 0
        with contextlib.suppress(ImportError):
            self.signer = forms.Signer()

    signer = None

    def workspace(self, files, job="kind: import-purchases\nfiles: [data/inbox/*]\n"):
        """A workspace with these files, by name."""
        self.made += 1
        folder = self.scratch / f"w{self.made}"
        if self.made == 1:
            self.program.run("init", str(folder), "--plain", "--quiet", now=AT)
            shutil.copytree(folder, self.scratch / "bare")
        else:
            shutil.copytree(self.scratch / "bare", folder)
        (folder / "jobs" / "purchases.yml").write_text(job)
        inbox = folder / "data" / "inbox"
        inbox.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            (inbox / name).write_bytes(data if isinstance(data, bytes) else data.encode())
        return folder

    def run(self, folder, allowed=(0,)):
        return self.program.run("run", "purchases", "-C", str(folder), "--quiet", now=AT, allowed=allowed)

    def imported(self, files, **more):
        folder = self.workspace(files, **more)
        self.run(folder)
        return folder

    def query(self, folder, sql):
        path = f"file:{folder}/data/firetally.sqlite?mode=ro"
        with contextlib.closing(sqlite3.connect(path, uri=True)) as database:
            return database.execute(sql).fetchall()

    def dump(self, folder):
        return self.query(folder, "SELECT * FROM purchases ORDER BY id")

    def facts(self, folder):
        """What all sources must say alike; who has no id in the app has none in Apple's notifications."""
        person = "iif(person LIKE '$RCAnonymousID%', '', person)"
        names = ", ".join(person if name == "person" else name for name in FACTS)
        return self.query(folder, f"SELECT {names} FROM purchases ORDER BY transaction_id, kind, at")

    def truth(self, kinds=None):
        def micros(at):
            return None if at is None else int(at.timestamp()) * 1_000_000
        return sorted(
            ((row.subscription, row.transaction, row.product, row.kind, micros(row.at), micros(row.until),
              row.currency if row.price is not None else None, row.price, "app_store", row.country,
              "sandbox" if row.sandbox else "production", row.person)
             for row in self.rows if kinds is None or row.kind in kinds),
            key=lambda row: (row[1], row[3], row[4]))

    # What is checked.

    def same_facts(self):
        whole = self.truth()
        half = len(self.rows) // 2
        events = self.imported({"b.jsonl": forms.lines(self.rows[half:]),
                                "a.jsonl.gz": forms.packed(forms.lines(self.rows[:half]))})
        self.equal(self.facts(events), whole, "RevenueCat's events")
        export = self.imported({"transactions.csv.gz": forms.packed(forms.export(self.rows))})
        said = set(PAYMENTS) | {"refund", "partial_refund", "cancellation", "billing_issue"}
        self.equal(self.facts(export), self.truth(said), "RevenueCat's export")
        self.events = events
        if self.signer is None:
            return f"{len(whole)} facts alike in RevenueCat's events and export; without cryptography no notifications"
        job = "kind: import-purchases\nfiles: [data/inbox/*]\nroots: [root.der]\n"
        folder = self.workspace({"n.jsonl.gz": forms.packed(self.signer.notifications(self.rows))}, job=job)
        (folder / "root.der").write_bytes(self.signer.root)
        self.run(folder)
        self.equal(self.facts(folder), whole, "signed notifications")
        self.notifications = folder
        return f"{len(whole)} facts alike in RevenueCat's events, its export and signed notifications"

    def reports(self):
        """Apple's reports: units and money by month, and files that come twice."""
        files = forms.reports(self.rows)
        packed = {f"{name}.gz": forms.packed(text) for name, text in files.items()}
        folder = self.imported(files | packed)
        month = "strftime('%Y-%m', at / 1000000, 'unixepoch')"
        found = {}
        for source, when, currency, kind, units, price, proceeds in self.query(folder, f"""
                SELECT source, {month}, currency, kind, sum(units), sum(price), sum(proceeds) FROM purchases
                GROUP BY 1, 2, 3, 4"""):
            found[source, when, currency, kind] = (units, price, proceeds)
        wanted = {}
        for row in self.rows:
            if row.sandbox:
                continue
            when = row.at.strftime("%Y-%m")
            if row.kind in forms.APPLE_EVENTS and row.product in PRODUCTS:
                self.count(wanted, ("app-store-subscription-event", when, None, row.kind),
                           -1 if row.kind == "refund" else 1, None, None)
            if row.price is None or row.kind == "partial_refund":
                continue
            sign = -1 if row.kind == "refund" else 1
            money = (sign, row.price, sign * forms.proceeds(row))
            kind = row.kind if row.kind in ("refund", "trial_start") else "renewal"
            if row.product in PRODUCTS:
                self.count(wanted, ("app-store-subscriber", when, row.currency, kind), *money)
            if row.price:
                kind = ("refund" if row.kind == "refund" else "one_time" if row.until is None else
                        "start" if row.kind in ("start", "trial_conversion") else "renewal")
                self.count(wanted, ("app-store-sales", when, row.currency, kind), *money)
        expect(found == wanted, f"Apple's reports: {set(found.items()) ^ set(wanted.items())}")
        old = files[next(name for name in files if name.startswith("Subscriber"))].replace(
            "Subscription Offer Type", "Introductory Price Type")
        folder = self.workspace({"old.txt": old})
        expect("version 1_2 or older" in self.refusal(folder), "a retired report has another error")
        return f"{len(files)} reports of Apple, each twice: units, prices and proceeds as the ledger's"

    def documents(self):
        """RevenueCat's documents in Firestore: copied, and read from their table as they come."""
        with self.program.emulator() as host:
            job = "kind: import-purchases\nneeds: [events]\ntables: [revenuecat_events]\n"
            folder = self.workspace({}, job=job)
            text = pathlib.Path(ROOT, "docs/purchases.md").read_text()
            block = text.split("## Documents in Firestore", 1)[1].split("```yaml\n", 1)[1].split("```", 1)[0]
            (folder / "jobs" / "events.yml").write_text(block)
            half = len(self.rows) // 2
            for part in (self.rows[:half], self.rows[half:]):
                self.put(host, part)
                for _ in range(2):
                    self.program.run("run", "purchases", "--with-needs", "-C", str(folder), "--project", "demo",
                                     "--quiet", now=AT, FIRESTORE_EMULATOR_HOST=host)
            self.equal(self.facts(folder), self.truth(), "documents in Firestore")
        return f"{len(self.rows)} facts alike in documents of Firestore"

    @staticmethod
    def put(host, rows):
        root = "projects/demo/databases/(default)/documents"

        def value(one):
            if one is None:
                return {"nullValue": None}
            if isinstance(one, bool):
                return {"booleanValue": one}
            if isinstance(one, int):
                return {"integerValue": str(one)}
            if isinstance(one, float):
                return {"doubleValue": one}
            if isinstance(one, list):
                return {"arrayValue": {"values": [value(each) for each in one]}}
            if isinstance(one, dict):
                return {"mapValue": {"fields": {name: value(each) for name, each in one.items()}}}
            return {"stringValue": one}
        writes = [{"update": {"name": f"{root}/revenuecat_events/{one['id']}",
                              "fields": {name: value(each) for name, each in one.items()}}}
                  for one in map(forms.event, rows)]
        for start in range(0, len(writes), 400):
            request = urllib.request.Request(
                f"http://{host}/v1/{root}:commit", json.dumps({"writes": writes[start:start + 400]}).encode(),
                {"Content-Type": "application/json", "Authorization": "Bearer owner"})
            urllib.request.urlopen(request, timeout=60).read()

    def downloads(self):
        """Reports are asked for as Apple's API wants it, by a token that its key has signed."""
        if self.signer is None:
            return "no cryptography: nothing was downloaded"
        day = (NOW - datetime.timedelta(days=2)).strftime("%Y%m%d")
        month = next(text for name, text in forms.reports(self.rows).items()
                     if name.startswith("Subscriber") and name.endswith("20261001.txt"))
        seen = []
        key = self.signer.key.public_key()

        class Apple(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                token = self.headers["Authorization"].removeprefix("Bearer ")
                asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))
                seen.append((forms.is_signed(token, key), self.headers["Accept"], asked["filter[vendorNumber]"]))
                found = (asked["filter[reportType]"] == "SUBSCRIBER" and asked["filter[version]"] == "1_3"
                         and asked["filter[reportDate]"].replace("-", "") == day)
                body = forms.packed(month) if found else b"{}"
                self.send_response(200 if found else 404)
                self.send_header("Content-Type", "application/a-gzip")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Apple)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            folder = self.workspace({}, job=(
                "kind: import-purchases\nfetch: app-store-connect\nkey_id: K1\nissuer_id: i-2\nkey_file: key.p8\n"
                "vendor: '80000001'\nreports: [subscriber, sales]\ndays: 5\n"))
            (folder / "key.p8").write_bytes(self.signer.key_pem())
            (folder / "key.p8").chmod(0o600)
            for _ in range(2):
                self.program.run("run", "purchases", "-C", str(folder), "--quiet", now=AT,
                                 FIRETALLY_APP_STORE_CONNECT_URL=f"http://127.0.0.1:{server.server_port}")
        finally:
            server.shutdown()
        expect(set(seen) == {(True, "application/a-gzip", "80000001")} and len(seen) == 10 + 9, f"asked {seen}")
        rows = self.query(folder, "SELECT count(*) FROM purchases WHERE source = 'app-store-subscriber'")
        expect(rows == [(month.count("\n") - 1,)], f"downloaded {rows}")
        return f"{len(seen)} requests for reports, each signed by the key; one report read"

    @staticmethod
    def count(counts, key, units, price, proceeds):
        before = counts.get(key, (0, price and 0, proceeds and 0))
        counts[key] = tuple(None if more is None else (one or 0) + more
                            for one, more in zip(before, (units, price, proceeds)))

    def refusal(self, folder):
        """What the program says of a workspace whose files cannot be read."""
        done = subprocess.run([self.program.path, "run", "purchases", "-C", str(folder), "--now", AT],
                              capture_output=True, text=True, env=self.program.environment)
        expect(done.returncode and not self.dump(folder), "a file that cannot be read was taken")
        return done.stderr

    def judge(self):
        """Apple's own library and the program agree on which payloads are signed."""
        if self.signer is None:
            return "no cryptography: nothing signed was judged"
        library = self.scratch / "library"
        done = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--target", str(library),
                               "app-store-server-library==3.1.2"], capture_output=True, text=True)
        if done.returncode:
            return "app-store-server-library 3.1.2 cannot be installed: nothing was judged"
        sys.path.insert(0, str(library))
        from appstoreserverlibrary.models.Environment import Environment
        from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationException
        verifier = SignedDataVerifier([self.signer.root], False, Environment.PRODUCTION, forms.BUNDLE, 1234567890)
        rows = [row for row in self.rows if not row.sandbox][:40]
        for row in rows:
            read = verifier.verify_and_decode_notification(json.loads(self.signer.notification(row))["signedPayload"])
            bought = verifier.verify_and_decode_signed_transaction(read.data.signedTransactionInfo)
            expect((bought.transactionId, bought.originalTransactionId, bought.productId, bought.currency)
                   == (row.transaction, row.subscription, row.product, row.currency), f"Apple's library: {bought}")
        good = json.loads(self.signer.notification(rows[0]))["signedPayload"]
        header, payload, signature = good.split(".")
        other = forms.Signer()
        doubtful = {
            "good": good, "another root": json.loads(other.notification(rows[0]))["signedPayload"],
            "another signature": f"{header}.{payload}.{other.sign({'a': 1}).split('.')[2]}",
            "a changed payload": f"{header}.{forms.Signer.text(b'{}' + b' ')}.{signature}",
            "a cut signature": good[:-4], "two parts": f"{header}.{payload}",
            "another header": f"{other.header}.{payload}.{signature}",
            "no algorithm": self.signer.changed(rows[0], alg="none"),
            "two certificates": self.signer.changed(rows[0], count=2),
            "a signer without the mark": forms.Signer(marks=(None, "1.2.840.113635.100.6.2.1", None), like=self.signer)
            .signed(rows[0]),
            "an issuer without the mark": forms.Signer(marks=(None, None, "1.2.840.113635.100.6.11.1"),
                                                       like=self.signer).signed(rows[0]),
            "before its time": self.signer.signed(rows[0], at=1_600_000_000_000),
            "after its time": self.signer.signed(rows[0], at=2_600_000_000_000)}
        job = "kind: import-purchases\nfiles: [data/inbox/*]\nroots: [root.der]\n"
        for name, text in doubtful.items():
            try:
                verifier.verify_and_decode_notification(text)
                verdict = True
            except VerificationException:
                verdict = False
            folder = self.workspace({"n.jsonl": json.dumps({"signedPayload": text}) + "\n"}, job=job)
            (folder / "root.der").write_bytes(self.signer.root)
            self.run(folder, allowed=(0, 1, 65))
            ours = len(self.dump(folder)) == 1
            expect(ours == verdict == (name == "good"), f"{name}: Apple's library {verdict}, the program {ours}")
        folder = self.workspace({"n.jsonl": json.dumps({"signedPayload": good}) + "\n"})
        expect("root that is not trusted" in self.refusal(folder), "our root is trusted without being named")
        return f"{len(rows)} notifications read alike by Apple's library, {len(doubtful)} judged alike"

    @staticmethod
    def equal(found, wanted, words):
        if found == wanted:
            return
        missing = [row for row in wanted if row not in set(found)][:3]
        more = [row for row in found if row not in set(wanted)][:3]
        raise Fault(f"{words}: {len(found)} rows instead of {len(wanted)}; missing {missing}; too much {more}")

    def disorder(self):
        """Files doubled, cut, and in any order leave the same rows; who is killed runs again."""
        wanted = self.dump(self.events)
        rows = [self.rows[:] for _ in range(3)]
        for one in rows:
            self.chance.shuffle(one)
        parts = {f"{name}{number}.jsonl": forms.lines(one[number::2])
                 for name, one in zip("abc", rows) for number in (0, 1)}
        folder = self.imported(parts)
        self.equal(self.dump(folder), wanted, "doubled and disordered files")
        data = forms.lines(rows[0]).encode()
        for name, cut in (("cut.jsonl", data[:len(data) // 2 - 7]), ("cut.jsonl.gz", forms.gzip.compress(data)[:-200]),
                          ("cut.csv", forms.export(rows[0])[:-30].encode())):
            folder = self.workspace({name: cut})
            self.run(folder, allowed=(1, 65))
            expect(not self.dump(folder), f"{name}: rows of a file that is not whole")
        return "files doubled, cut and in any order: the same rows, and none of a cut file"

    def killed(self):
        wanted = self.dump(self.events)
        data = {f"{number}.jsonl": forms.lines(self.rows[number::3]) for number in range(3)}
        folder = self.workspace(data)
        began = time.monotonic()
        self.run(folder)
        whole = time.monotonic() - began
        dead = 0
        for number in range(self.kills):
            folder = self.workspace(data)
            for _ in range(2):
                process = subprocess.Popen(
                    [self.program.path, "run", "purchases", "-C", str(folder), "--quiet", "--now", AT],
                    env=self.program.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                time.sleep(whole * (number + self.chance.random()) / self.kills)
                process.send_signal(signal.SIGKILL)
                dead += process.wait() == -signal.SIGKILL
            self.run(folder)
            self.equal(self.dump(folder), wanted, f"kill {number}")
            shutil.rmtree(folder)
        return f"{self.kills} imports killed at two moments each ({dead} died): the same rows"

    def pages(self):
        folder = self.events
        output = folder / "page"
        self.program.run("report", "-C", str(folder), "--format", "json", "--output", str(output), "--quiet", now=AT)
        tables = {}

        def walk(value):
            if isinstance(value, dict):
                if "rows" in value and "id" in value:
                    tables[value["id"]] = value["rows"]
                for one in value.values():
                    walk(one)
            elif isinstance(value, list):
                for one in value:
                    walk(one)
        walk(json.loads((output / "money.json").read_text()))
        truth = Truth(self.rows)
        self.movement(tables["payments"], truth.payments())
        found = {row["month"]: [row["trials"], row["running"], row["converted"]["part"], row["converted"]["whole"]]
                 for row in tables["trials"]}
        expect(found == truth.trials(), f"trials {found} instead of {truth.trials()}")
        self.cohorts(tables["payers"], truth.payers())
        got = {(row["month"], row["paid"]["currency"]): row for row in tables["received"]}
        wanted = truth.received()
        expect(set(got) == set(wanted), "received: other months or currencies")
        for (month, currency), (count, paid, refunds, refunded) in wanted.items():
            row, unit = got[month, currency], 10 ** DIGITS[currency]
            one = (row["payments"], round(row["paid"]["amount"] * unit), row["refunds"],
                   round(row["refunded"]["amount"] * unit))
            expect(one == (count, paid, refunds, refunded), f"received {month} {currency}: {one}")
        return f"{sum(map(len, tables.values()))} rows of the money page as computed of the ledger"

    def movement(self, rows, wanted):
        expect({(row["month"], row["recurring"]["currency"]) for row in rows} == set(wanted), "payments: other months")
        for row in rows:
            recurring, active, new, back, gone, present, renewals, refunds = wanted[
                row["month"], row["recurring"]["currency"]]
            churned = row["churned"] or {"part": 0, "whole": 0}
            found = (row["active"], row["new"], row["back"], churned["part"], churned["whole"], row["renewals"],
                     row["refunds"])
            expect(found == (active, new, back, gone, present, renewals, refunds)
                   and abs(row["recurring"]["amount"] - recurring) < 0.0051,
                   f"payments {row} instead of {wanted[row['month'], row['recurring']['currency']]}")

    def cohorts(self, rows, wanted):
        expect({row["month"] for row in rows} == {month for month, _ in wanted}, "payers: other months")
        for row in rows:
            for months in (1, 3, 6, 12):
                count, kept, is_over = wanted[row["month"], months]
                cell = row[f"after_{months}"]
                expect(row["people"] == count, f"payers {row}")
                expect((cell and (cell["part"], cell["whole"])) == ((kept, count) if is_over else None),
                       f"payers {row['month']} after {months}: {cell} instead of {kept} of {count}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / ".build/debug/firetally"))
    parser.add_argument("--people", type=int, default=2000)
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--bounded", action="store_true", help="100 people, 4 kills, and no judge")
    arguments = parser.parse_args()
    if arguments.bounded:
        arguments.people, arguments.kills = 100, 4
    with tempfile.TemporaryDirectory(prefix="purchases-") as scratch:
        check = Check(arguments, scratch)
        steps = [check.same_facts, check.pages, check.reports, check.documents, check.downloads, check.disorder, check.killed]
        for step in steps if arguments.bounded else steps + [check.judge]:
            began = time.monotonic()
            try:
                words = step()
            except Fault as fault:
                sys.exit(f"check-purchases: seed {arguments.seed}, {step.__name__}: {fault}")
            print(f"{words} ({time.monotonic() - began:.1f} s)", flush=True)


if __name__ == "__main__":
    main()
