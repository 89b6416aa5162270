"""A ledger of payments whose truth is known: people who try, pay, renew, stop, come back and get money back.

Every row is a fact of the App Store: person, subscription (the first transaction), transaction, product, kind, time,
end of the paid time, currency and price in its smallest unit. forms.py writes the same facts as RevenueCat's events and
exports, as Apple's reports and as signed notifications.
"""
import calendar
import datetime
import random
import uuid
from dataclasses import dataclass, field, replace

UTC = datetime.timezone.utc
START = datetime.datetime(2025, 9, 1, tzinfo=UTC)
END = datetime.datetime(2026, 11, 1, tzinfo=UTC)
NOW = datetime.datetime(2026, 11, 2, 6, 30, tzinfo=UTC)
# Name, days or months, trial days, and the price in the smallest unit by currency.
PRODUCTS = {
    "com.example.lite.weekly": ("days", 7, 0, {"USD": 299, "EUR": 299, "JPY": 480, "KWD": 900, "BRL": 1490}),
    "com.example.lite.monthly": ("months", 1, 7, {"USD": 999, "EUR": 999, "JPY": 1500, "KWD": 3100, "BRL": 3990}),
    "com.example.plus.yearly": ("months", 12, 3, {"USD": 5999, "EUR": 6499, "JPY": 9000, "KWD": 18500, "BRL": 19990}),
}
COINS = ("com.example.coins", {"USD": 199, "EUR": 199, "JPY": 300, "KWD": 600, "BRL": 990})
COUNTRIES = {"US": ("USD", "USA", 0.0), "DE": ("EUR", "DEU", 0.1597), "JP": ("JPY", "JPN", 0.0909),
             "KW": ("KWD", "KWT", 0.0), "BR": ("BRL", "BRA", 0.02)}
DIGITS = {"USD": 2, "EUR": 2, "JPY": 0, "KWD": 3, "BRL": 2}
RENEWS = {"com.example.lite.weekly": 0.82, "com.example.lite.monthly": 0.85, "com.example.plus.yearly": 0.6}
PAYMENTS = ("start", "trial_start", "trial_conversion", "renewal", "recovery", "one_time")
COMMISSION = 0.3


@dataclass(frozen=True)
class Row:
    person: str
    subscription: str
    transaction: str
    product: str
    kind: str
    at: datetime.datetime
    until: datetime.datetime | None
    currency: str
    price: int | None
    country: str
    sandbox: bool
    # The term that a refund, cancellation or billing issue is about.
    term_at: datetime.datetime = None
    grace: datetime.datetime | None = None
    first: bool = field(default=False, compare=False)
    # A payment whose subscription had ended.
    returned: bool = field(default=False, compare=False)


def after(at, product):
    kind, count, _, _ = PRODUCTS[product]
    if kind == "days":
        return at + datetime.timedelta(days=count)
    month = at.month - 1 + count
    year, month = at.year + month // 12, month % 12 + 1
    return at.replace(year=year, month=month, day=min(at.day, calendar.monthrange(year, month)[1]))


class Life:
    """What one person does."""

    def __init__(self, number, chance):
        self.chance = chance
        self.number = number
        self.person = str(uuid.UUID(int=chance.getrandbits(128), version=4))
        if chance.random() < 0.03:
            self.person = ""
        self.country = chance.choice(list(COUNTRIES))
        self.currency = COUNTRIES[self.country][0]
        self.sandbox = chance.random() < 0.05
        self.transactions = 0
        self.rows = []

    def transaction(self):
        self.transactions += 1
        return str(2_000_000_000_000 + self.number * 1000 + self.transactions)

    def row(self, kind, at, until, subscription, transaction, product, price=None, **more):
        more.setdefault("term_at", at)
        self.rows.append(Row(self.person, subscription, transaction, product, kind, at, until, self.currency, price,
                             self.country, self.sandbox, **more))

    def live(self):
        chance = self.chance
        span = int((END - START).total_seconds())
        at = START + datetime.timedelta(seconds=chance.randrange(span))
        if chance.random() < 0.15:
            name, prices = COINS
            transaction = self.transaction()
            self.row("one_time", at, None, transaction, transaction, name, prices[self.currency])
            at += datetime.timedelta(seconds=chance.randrange(1, 900_000))
        product = chance.choice(list(PRODUCTS))
        price = PRODUCTS[product][3][self.currency]
        trial = PRODUCTS[product][2]
        subscription = None
        kind = "start"
        if trial and chance.random() < 0.6 and at < END:
            subscription = transaction = self.transaction()
            until = at + datetime.timedelta(days=trial)
            self.row("trial_start", at, until, subscription, transaction, product, 0, first=True)
            if chance.random() < 0.55:
                self.leave(at, until, subscription, transaction, product)
                return self.rows
            at, kind = until, "trial_conversion"
        returned = False
        while at < END:
            transaction = self.transaction()
            first = subscription is None
            subscription = subscription or transaction
            until = after(at, product)
            self.row(kind, at, until, subscription, transaction, product, price, first=first, returned=returned)
            if chance.random() < 0.02:
                self.give_back(at, until, subscription, transaction, product, price)
                return self.rows
            returned = False
            if chance.random() < RENEWS[product]:
                at, kind = until, "renewal"
                continue
            if chance.random() < 0.4:
                failed = until + datetime.timedelta(hours=1)
                grace = until + datetime.timedelta(days=3) if chance.random() < 0.5 else None
                if failed >= END:
                    break
                self.row("billing_issue", failed, grace or until, subscription, transaction, product, term_at=at,
                         grace=grace)
                if chance.random() < 0.5:
                    at, kind = failed + datetime.timedelta(hours=chance.randrange(2, 200)), "recovery"
                    continue
                self.expire(until, subscription, transaction, product, at)
                break
            self.leave(at, until, subscription, transaction, product)
            if chance.random() < 0.3:
                at = until + datetime.timedelta(hours=chance.randrange(100, 2_000))
                kind, returned = "renewal", True
                continue
            break
        return self.rows

    def leave(self, at, until, subscription, transaction, product):
        left = at + (until - at) * 0.25
        left = left.replace(microsecond=0)
        if left < END:
            self.row("cancellation", left, until, subscription, transaction, product, term_at=at)
            self.expire(until, subscription, transaction, product, at)

    def expire(self, until, subscription, transaction, product, at):
        if until < END:
            self.row("expiry", until, until, subscription, transaction, product, term_at=at)

    def give_back(self, at, until, subscription, transaction, product, price):
        when = (at + (until - at) * 0.5).replace(microsecond=0)
        if when >= END:
            return
        if self.chance.random() < 0.3:
            self.row("partial_refund", when, until, subscription, transaction, product, -((price * 40 + 50) // 100),
                     term_at=at)
        else:
            self.row("refund", when, until, subscription, transaction, product, -price, term_at=at)


def ledger(people, seed):
    chance = random.Random(seed)
    rows = []
    for number in range(people):
        rows += Life(number, random.Random(chance.getrandbits(64))).live()
    return sorted(rows, key=lambda row: (row.at, row.transaction, row.kind))


# What the pages must say of the ledger, computed by docs/money.md#payments and by nothing of the program.

class Truth:
    def __init__(self, rows, now=NOW):
        self.now = now
        rows = [row for row in rows if not row.sandbox and row.at <= now]
        refunds = {row.transaction: row for row in rows if row.kind in ("refund", "partial_refund")}
        chains = {}
        for row in rows:
            if row.kind in PAYMENTS:
                chains.setdefault(row.subscription, []).append(row)
        self.spans = []
        for chain in chains.values():
            chain.sort(key=lambda row: row.at)
            for place, row in enumerate(chain):
                until = row.until
                if until and place + 1 < len(chain):
                    until = min(until, chain[place + 1].at)
                refund = refunds.get(row.transaction)
                if refund and until and -refund.price >= row.price:
                    until = min(until, max(row.at, refund.at))
                self.spans.append((row, until, refund, sum(one.price > 0 for one in chain[:place])))
        self.paid = [span for span in self.spans if span[0].price > 0]
        self.months = self._months()

    def _months(self):
        months, at = [], START
        while at <= self.now:
            end = at.replace(year=at.year + at.month // 12, month=at.month % 12 + 1)
            months.append((at.strftime("%Y-%m"), at, min(end, self.now + datetime.timedelta(microseconds=1))))
            at = end
        return months

    @staticmethod
    def monthly(row):
        if row.until is None:
            return None
        days = (row.until - row.at).total_seconds() / 86_400
        months = days / 30.4375
        if days >= 27:
            months = float(int(months + 0.5))
        return row.price / 10 ** DIGITS[row.currency] / months

    def payments(self):
        """By month and currency: MRR, active, new, back, gone, present at start, renewals, refunds."""
        found = {}
        firsts = {}
        for row, *_ in self.paid:
            firsts[row.subscription] = min(firsts.get(row.subscription, row.at), row.at)
        for month, start, end in self.months:
            held = {}
            for row, until, refund, before in self.paid:
                entry = None
                if row.until and row.at < end and until >= start:
                    one = held.setdefault((row.currency, row.subscription), [False, False, 0.0])
                    one[0] |= row.at < start <= until
                    if until >= end:
                        one[1] = True
                        one[2] += self.monthly(row)
                if start <= row.at < end or refund and start <= refund.at < end:
                    entry = found.setdefault((month, row.currency), [0.0, 0, 0, 0, 0, 0, 0, 0])
                    entry[6] += bool(row.until and before and start <= row.at < end)
                    entry[7] += bool(refund and start <= refund.at < end)
            for (currency, subscription), (at_start, at_end, recurring) in held.items():
                entry = found.setdefault((month, currency), [0.0, 0, 0, 0, 0, 0, 0, 0])
                entry[0] += recurring
                entry[1] += at_end
                entry[2] += at_end and firsts[subscription] >= start
                entry[3] += at_end and not at_start and firsts[subscription] < start
                entry[4] += at_start and not at_end
                entry[5] += at_start
        return found

    def trials(self):
        """By month: trials, those running, converted, and of how many."""
        found = {}
        for row, _, _, _ in self.spans:
            if row.kind != "trial_start":
                continue
            paid = any(one.subscription == row.subscription and one.at > row.at for one, *_ in self.paid)
            over = row.until <= self.now
            entry = found.setdefault(row.at.strftime("%Y-%m"), [0, 0, 0, 0])
            entry[0] += 1
            entry[1] += not over and not paid
            entry[2] += paid
            entry[3] += over or paid
        return found

    def payers(self):
        """By month of the first payment and months after it: how many, still paying, and whether all are over."""
        people = {}
        for span in self.paid:
            if span[0].until:
                people.setdefault(span[0].person or span[0].subscription, []).append(span)
        found = {}
        for spans in people.values():
            first = min(span[0].at for span in spans)
            month = first.strftime("%Y-%m")
            for months in (1, 3, 6, 12):
                # SQLite's "+1 month" of 31 January is 3 March.
                count = first.month - 1 + months
                due = (first.replace(day=1, month=count % 12 + 1, year=first.year + count // 12)
                       + datetime.timedelta(days=first.day))
                entry = found.setdefault((month, months), [0, 0, True])
                entry[0] += 1
                entry[1] += any(row.at <= due < until for row, until, *_ in spans)
                entry[2] &= due <= self.now
        return found

    def received(self):
        """By month and currency: payments, paid, refunds, refunded, in the smallest unit."""
        found = {}
        for row, _, refund, _ in self.paid:
            entry = found.setdefault((row.at.strftime("%Y-%m"), row.currency), [0, 0, 0, 0])
            entry[0] += 1
            entry[1] += row.price
            if refund:
                entry = found.setdefault((refund.at.strftime("%Y-%m"), row.currency), [0, 0, 0, 0])
                entry[2] += 1
                entry[3] -= refund.price
        return found
