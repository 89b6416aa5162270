#!/usr/bin/env python3
"""Hold the money page to an invented app whose truth is known (docs/money.md#proof).

For each seed a workspace gets the 90 days of an app (app.py) with its tiers, paywalls and rating dialogs
(plants.py), and the pages are read as JSON. Each figure must equal what Python counts of the same people, and each
interval what the formulas of scripts/figures make of them at 95 %. It holds the true share or not, and so does what
the same formula makes at 90 %: when there are 200 intervals of a kind or more, over all seeds, 91 to 98.5 % of those
at 95 % must hold it, and 85 to 95 % of those at 90 %. So must, of all kinds together, as many as chance leaves, also
of two seeds. Examples:

  check_money.py --program .build/release/firetally --seeds 200 --jobs 2
  check_money.py --bounded
"""
import argparse
import collections
import concurrent.futures
import contextlib
import json
import math
import os
import pathlib
import shutil
import sqlite3
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
for other in ("pages", "figures"):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / other))
from app import (  # noqa: E402
    BLOCKED, DAY, DAYS, GRACE, LEAVES, LIVED, PRICES, RETURNS, START, SUBSCRIBED, TAPPED, WAITS, App, is_busy)
import plants  # noqa: E402
from people import newcombe, wilson  # noqa: E402
from workspaces import Program  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOW = "2026-08-30T06:30:00Z"
END = START + DAYS * DAY
# By the words of an interval its place in `held`, the z of its formula, and how many of a kind must hold the truth.
LEVELS = {"95 %": (0, 1.959963984540054, 0.91, 0.985), "90 %": (1, 1.6448536269514722, 0.85, 0.95)}
SURE = 200
# By an interval's words how many of all kinds must hold the truth, and the standard deviation of a seed's share of
# 41 that do, of 124 seeds. Intervals of one seed are of the same people and miss together, but seeds do not: the mean
# of n seeds varies by a deviation / sqrt(n), and lies 3 of these below what it must be once in 700 times.
ALL = {"95 %": (0.95, 0.036), "90 %": (0.90, 0.064)}
COUNTS = {"month"}


def workspace(program, folder):
    """A workspace without events; every seed copies it."""
    program.run("init", folder, "--quiet")
    config = pathlib.Path(folder, "firetally.yml")
    own = ("prices:", "  lite:", "  plus:", "  pro:")
    lines = [line for line in config.read_text().splitlines() if not line.startswith(own)]
    config.write_text("\n".join(lines) + "\nprices:\n  lite: $2.99/week\n")


def condition(database, name, words, value):
    database.execute("INSERT INTO conditional_settings (wire_name, condition, expression, raw_value)"
                     " VALUES (?, ?, 'true', ?)", (name, words, str(value)))


def page_of(program, folder, app, planted):
    """The pages of an app on the morning after its last day: tables by page and id, and what-if of its dialogs."""
    export = pathlib.Path(folder, "data", "exports", "2026-08-29.ndjson")
    export.parent.mkdir(parents=True, exist_ok=True)
    export.write_text(app.lines(END))
    export.with_name("2026-08-28.ndjson").write_text("".join(text for _, text in planted.lines))
    program.run("run", "events", "-C", folder, "--project", "demo", "--quiet", now=NOW)
    with contextlib.closing(sqlite3.connect(os.path.join(folder, "data", "firetally.sqlite"))) as database:
        database.executemany("INSERT INTO tier_changes (uid, from_tier, to_tier, seen_at) VALUES (?, ?, ?, ?)",
                             planted.changes)
        for value in GRACE:
            condition(database, "newUserFreePeriodSeconds", f"of {value}", value)
        condition(database, "freeMessagesLimit", "five", 5)
        database.execute("INSERT INTO settings_history (source, wire_name, new_value, changed_at)"
                         " VALUES ('remote-config', 'newUserFreePeriodSeconds', '7200', 1)")
        for one in app.people:
            database.execute(
                "INSERT INTO auth_users (uid, email_verified, providers, created_at, disabled, factors, tier,"
                " synced_at, pass) VALUES (?, 0, '[]', ?, 0, 0, ?, 0, 1)",
                (one.id, one.joined, "lite" if one.subscribed and one.subscribed < END else None))
        database.commit()
    output = os.path.join(folder, "output")
    program.run("report", "-C", folder, "--days", "30", "--format", "json", "--output", output, "--quiet", now=NOW)
    tables = {}
    for name in ("money", "index", "usage", "users", "limits", "ratings"):
        page = json.loads(pathlib.Path(output, f"{name}.json").read_text())
        for section in page["sections"]:
            for block in section["blocks"]:
                if "table" in block:
                    tables[name, block["table"]["id"]] = block["table"]["rows"]
    higher = [word for value in plants.HIGHER for word in ("--set", f"rating.threshold={value}")]
    lines = program.run("rating", "what-if", "-C", folder, "--json", *higher, now=NOW).splitlines()
    return tables, [found for found in map(json.loads, lines) if found["message_type"] == "rating_what_if"]


def returns(days):
    """The true shares of who comes back, blocked and not, on days weighed by their blocked people.

    Not blocked are, of each day, those of the group `wait` who join or come back (they do once), and the new people
    of `grace` who stay: these do not come back without a subscription.
    """
    def back(day, blocked):
        return RETURNS[blocked][is_busy(day)]
    def blocks(day):
        return BLOCKED[is_busy(day)]
    blocked = others = weight = 0
    for day in range(1, DAYS - days):
        again = sum((1 - blocks(day - ago)) * back(day - ago, False) for ago in range(1, 1 + min(7, day)))
        active = 1 - blocks(day) + again * (1 - WAITS) / 7 + 1 - LEAVES
        within = WAITS + (1 - WAITS) * min(days, 7) / 7
        weight += blocks(day)
        blocked += blocks(day) * back(day, True) * within
        others += blocks(day) * (1 - blocks(day)) * back(day, False) * within / active
    return blocked / weight, others / weight


def band(days, rest, z):
    """The band of new subscribers of `rest` days to come, after those of other days (docs/money.md#this-month)."""
    mean, count = sum(days) / len(days), len(days)
    spread = max(1, sum((new - mean) ** 2 for new in days) / ((count - 1) * mean or 1))
    root, reach = ((sum(days) + 0.375) / count) ** 0.5, z / 2 * (spread * (1 / rest + 1 / count)) ** 0.5
    return int(max(0, max(0, root - reach) ** 2 * rest - 0.375)), math.ceil((root + reach) ** 2 * rest - 0.375)


class Judge:
    """Compares one seed's page with its people."""

    def __init__(self, seed, tables, app):
        self.seed, self.tables, self.app = seed, tables, app
        self.people = [one for one in app.people if one.joined < END]
        self.faults, self.held, self.asked = [], [], 0

    def rows(self, table, page="money"):
        return self.tables.get((page, table), [])

    def equal(self, what, found, wanted):
        self.asked += 1
        if found != wanted:
            self.faults.append(f"seed {self.seed}: {what} is {found}, not {wanted}")

    def near(self, what, found, wanted, within):
        """Amounts are rounded, and a half may go either way."""
        self.equal(what, found if found is None or abs(found - wanted) > 1.1 * within else wanted, wanted)

    def share(self, what, cell, part, whole, truth=None):
        """A share is part of whole, and its interval may hold the truth."""
        self.equal(what, (cell["part"], cell["whole"]) if cell else None, (part, whole))
        if cell and truth is not None and whole:
            self.interval(what, cell, truth)

    def interval(self, what, cell, truth):
        self.held_by(what, (cell["low_percent"], cell["high_percent"]),
                     lambda z: [100 * end for end in wilson(cell["part"], cell["whole"], z)], 100 * truth, 0.05)

    def points(self, what, cell, sides, truth):
        if cell:
            sides = [(side["part"], side["whole"]) for side in sides]
            self.held_by(what, (cell["low_points"], cell["high_points"]),
                         lambda z: [100 * end for end in newcombe(*sides, z)], 100 * truth, 0.05)

    def held_by(self, what, told, formula, truth, within):
        """The page tells what the formula makes at 95 %, rounded; do this and that at 90 % hold the truth?"""
        ends = [formula(z) for _, z, _, _ in LEVELS.values()]
        for found, wanted in zip(told, ends[0]):
            self.near(f"an end of {what}", found, wanted, within)
        self.held.append((what, [low - within <= truth <= high + within for low, high in (told, ends[1])]))

    def sales(self):
        sold = [at for at in self.app.sales if at < END]
        def since(days):
            return sum(at >= END - days * DAY for at in sold)
        period = sum(at >= END - 29 * DAY for at in sold)
        self.equal("new subscribers", [row["new"] for row in self.rows("sales")], [since(1), since(7), period])
        limited = [one.subscribed for one in self.people if one.through and one.subscribed < END]
        through = [sum(at >= END - days * DAY for at in limited) for days in (1, 7, 29)]
        self.equal("through the limit", [row["through"] for row in self.rows("sales")], through)
        self.equal("new subscribers of the funnel", self.rows("funnel", "usage")[-1]["people"], through[-1])
        self.equal("first terms", [row["estimate"] for row in self.rows("sales")],
                   [{"amount": round(2.99 * count, 2), "currency": "$"} for count in (since(1), since(7), period)])
        tile = [row["new_subs"] for row in self.rows("people-by-day", "usage")]
        self.equal("new subscribers of the index's days", tile[:1], [since(1)])
        base = self.rows("base")
        self.equal("who pays", [(row["people"], row["people_most"]) for row in base], [(len(sold), len(sold))] * 2)
        for row in base:
            self.near("a month", row["monthly"]["amount"], len(sold) * 2.99 * 30.4375 / 7, 0.01)
            self.near("a month, at most", row["monthly_most"]["amount"], len(sold) * 4.99 * 30.4375 / 7, 0.01)
        month, august = self.rows("month")[0], START + 61 * DAY
        self.equal("so far", month["so_far"], sum(at >= august for at in sold))
        self.equal("days to come", month["days_left"], 2)
        later = sum(august <= at < august + 31 * DAY for at in self.app.sales)
        days = [sum(0 <= at - END + day * DAY < DAY for at in sold) for day in range(1, 29)]
        self.held_by("month", (month["at_least"], month["at_most"]),
                     lambda z: [month["so_far"] + end for end in band(days, 2, z)], later, 0)

    def prices(self):
        test = [one for one in self.people if one.group == "test"]
        found = {row["price"]: row for row in self.rows("price-test")}
        sides = {}
        for price, amount in PRICES.items():
            some = [one for one in test if one.price == price]
            tapped = sum(one.tapped for one in some)
            sold = sum(bool(one.subscribed and one.subscribed < END) for one in some)
            sides[price] = (len(some), tapped, sold)
            row = found.get(price, collections.defaultdict(dict))
            self.share(f"tapped at {price}", row["tapped"], tapped, len(some), TAPPED[price])
            self.share(f"subscribed at {price}", row["subscribed"], sold, len(some), SUBSCRIBED[price])
            self.near(f"revenue at {price}", row["revenue"].get("amount"), amount * sold / len(some), 0.0001)
        low, high = PRICES
        rows = self.rows("price-answer")
        self.equal("measures", [row["measure"] for row in rows],
                   [f"{words}, {low} beside {high}" for words in ("tapped to subscribe", "are new subscribers")])
        for row, shares in zip(rows, (TAPPED, SUBSCRIBED)):
            self.points(f"difference of {row['measure'][:19]}", row["difference"], (row["first"], row["second"]),
                        shares[high] - shares[low])
            bounds = [row["difference"][f"{name}_points"] for name in ("low", "high")]
            is_proven = {"higher": bounds[0] >= 0, "lower": bounds[1] <= 0, "not proven": bounds[0] <= 0 <= bounds[1]}
            self.equal("the verdict goes with its interval", is_proven[row["verdict"]], True)
        for row in self.rows("price-revenue"):
            truth = PRICES[high] * SUBSCRIBED[high] - PRICES[low] * SUBSCRIBED[low]
            shown = [(rows[1][side]["part"], rows[1][side]["whole"]) for side in ("first", "second")]
            self.held_by("revenue", (row["low"]["amount"], row["high"]["amount"]),
                         lambda z: newcombe(*shown, z, list(PRICES.values())), truth, 0.00005)

    def blocks(self):
        wait = [one for one in self.people if one.group == "wait"]
        rows = {(row["within"], row["what"]): row for row in self.rows("after-a-block")}
        for days, name in ((1, "1 day"), (7, "7 days"), (28, "28 days")):
            # The ledger begins within its first day, which is not known whole.
            some = [one for one in wait if one.blocked and 0 < (one.joined - START) // DAY < DAYS - days]
            came = sum(bool(one.returns and one.returns <= days * DAY) for one in some)
            row = rows[name, "came back"]
            truth, other = returns(days)
            self.interval(f"others came back within {name}", row["others"], other)
            self.points("difference of blocks", row["difference"], (row["others"], row["blocked"]), truth - other)
            self.share(f"came back within {name}", row["blocked"], came, len(some), truth)
            self.share(f"not seen again within {name}", rows[name, "not seen again"]["blocked"], len(some) - came, len(some), 1 - truth)
            self.equal("window not over", row["still_open"], sum(one.blocked for one in wait) - len(some))
        by = {row["of"]: row for row in self.rows("blocks-by")}
        for feature in ("refresh", "filter", "search"):
            some = [one for one in wait if one.blocked and one.feature == feature]
            self.equal(f"blocked at {feature}", by[feature.capitalize()]["people"], len(some))
        self.equal("once", by["1 block"]["people"], sum(
            sum(event.kind.startswith("blocked") for event in one.events) == 1 for one in wait))

    def grace(self):
        rows = {row["period"]: row for row in self.rows("grace")}
        for seconds, share in GRACE.items():
            some = [one for one in self.people if one.period == seconds and not one.leaves]
            row = rows.get(f"{seconds // 3600} h", collections.defaultdict(dict))
            self.equal(f"people of {seconds} s", row["people"], len(some))
            over = [one for one in some if (one.joined - START) // DAY + 28 < DAYS]
            self.share(f"subscribed after {seconds} s", row["subscribed"],
                       sum(bool(one.subscribed) for one in over), len(over), share)
        self.equal("people whom several values fit", rows["several fit"]["people"],
                   sum(one.leaves or one.group == "test" for one in self.people))
        first, second = GRACE
        sides = [rows.get(f"{value // 3600} h", collections.defaultdict(dict)) for value in GRACE]
        self.points("difference of grace", sides[1]["difference"], [row["subscribed"] for row in sides],
                    GRACE[second] - GRACE[first])

    def lived(self):
        rows = {row["limit"]: row for row in self.rows("conditions") if row["feature"] == "Message"}
        for limit, (taps, _, returns) in LIVED.items():
            some = [one for one in self.people
                    if one.group == "lived" and one.limit == limit and one.joined >= END - 29 * DAY]
            row = rows.get(limit, collections.defaultdict(dict))
            self.equal(f"people who lived under {limit}", row["people"], len(some))
            self.equal("listed as", row["listed"], {3: "nowhere", 5: "condition five"}[limit])
            self.share(f"lived under {limit} tapped", row["tapped"], sum(one.tapped for one in some), len(some), taps)
            self.share("subscribed", row["subscribed"],
                       sum(bool(one.subscribed and one.subscribed < END) for one in some), len(some))
            over = [one for one in some if (one.joined - START) // DAY + 1 < DAYS]
            self.share(f"lived under {limit} again", row["again"], sum(one.again for one in over), len(over), returns)

    def all(self):
        for part in (self.sales, self.prices, self.blocks, self.grace, self.lived):
            part()
        return self.faults, self.held, self.asked


def counted(held):
    """How many of some intervals hold the truth, in words."""
    return f"of {len(held):>5} hold the truth " + ", ".join(
        f"{100 * sum(one[place] for one in held) / len(held):5.1f} % at {level}"
        for level, (place, *_) in LEVELS.items())


def judged(program, empty, folder, seed, size):
    place, app, planted = os.path.join(folder, str(seed)), App(seed, size), plants.Plants(seed, size, END)
    shutil.copytree(empty, place)
    try:
        tables, what_if = page_of(Program(program), place, app, planted)
        judge = Judge(seed, tables, app)
        plants.judge(judge, planted, what_if)
        return judge.all()
    finally:
        shutil.rmtree(place)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / ".build" / "debug" / "firetally"))
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--size", type=int, default=600, help="people of each of the four groups")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--bounded", action="store_true", help="two seeds: figures, and the truth in most intervals")
    parser.add_argument("--folder", help="where the workspaces are; default: a temporary folder")
    arguments, started = parser.parse_args(), time.monotonic()
    seeds = range(1, 3 if arguments.bounded else arguments.seeds + 1)
    held, kinds, faults, asked = collections.defaultdict(list), collections.defaultdict(list), [], 0
    with tempfile.TemporaryDirectory(prefix="money-", dir=arguments.folder) as folder:
        empty = os.path.join(folder, "empty")
        workspace(Program(arguments.program), empty)
        with concurrent.futures.ProcessPoolExecutor(arguments.jobs) as pool:
            for wrong, intervals, count in pool.map(
                    judged, *zip(*[(arguments.program, empty, folder, seed, arguments.size) for seed in seeds])):
                faults += wrong
                asked += count
                for what, is_held in intervals:
                    held[what].append(is_held)
    for what, some in held.items():
        kinds[what.split()[0]] += some
        print(f"{what:<45}", counted(some))
    for kind, some in kinds.items():
        print(f"{kind:<45}", counted(some))
        for level, (place, _, least, most) in LEVELS.items():
            share = sum(one[place] for one in some) / len(some)
            # A band of whole numbers holds more than it says.
            if len(some) >= SURE and not least <= share <= (1 if kind in COUNTS else most):
                faults.append(f"{kind}: the {level} intervals hold the truth in {100 * share:.1f} % of {len(some)}")
    total = [one for some in held.values() for one in some]
    print(f"{'all':<45}", counted(total))
    for level, (share, deviation) in ALL.items():
        least = share - 3 * deviation / math.sqrt(len(seeds))
        found = sum(one[LEVELS[level][0]] for one in total) / len(total)
        if found < least:
            faults.append(f"all: the {level} intervals hold the truth in {100 * found:.1f} %, below {100 * least:.1f} %")
    for fault in faults[:30]:
        print(fault, file=sys.stderr)
    print(f"check-money: {len(seeds)} seeds, {asked} figures, {len(total)} intervals,"
          f" {sum(one for one, _ in total)} hold the truth, {len(faults)} faults, {time.monotonic() - started:.0f} s")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
