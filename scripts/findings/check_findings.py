#!/usr/bin/env python3
"""Plant faults into invented apps, and see on which morning Firetally names them.

For each seed and app (30, 200, 5,000 people a day) a workspace is filled morning by morning by the built program,
and read from `first` on once quietly and once with each kind of fault (plants.py). What the quiet app says on the
same morning, and what was said before the fault, does not count. A fault is

  found     when a finding names it, on day 1 (the next morning) to 14;
  misread   when, until it is found, an error or a warning names another cause (also beside the right one);
  missed    when no finding names it in 14 days.

Rules are tuned on odd seeds and reported on even ones. Examples:

  check_findings.py --program .build/release/firetally --apps 30 200 --seeds even --count 3 --jobs 2
  check_findings.py --kinds dead-country shift --sizes half plain twice --apps 200 --keep /tmp/plants
  check_findings.py --bounded
"""
import argparse
import collections
import concurrent.futures
import contextlib
import functools
import json
import os
import pathlib
import re
import shutil
import sqlite3
import statistics
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "pages"))
from app import BUNDLE, CODES, DAY, EPOCH, HOUR, LIMITS, SECOND, App, date, line  # noqa: E402
import more_plants  # noqa: E402, F401
import part_plants  # noqa: E402, F401
import unnamed_plants  # noqa: E402, F401
from plants import KINDS, SIZES, Plant, first_day  # noqa: E402
from workspaces import Program  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
CLOCK, DAYS, QUIET_FROM, FIRST = "06:30:00Z", 112, 42, 62
ASKED = (1, 2, 3, 4, 5, 6, 7, 9, 11, 14)
LARGE = 1000
BOUNDED = (("dead-country", 200), ("dead-feature", 200), ("dead-new-people", 200), ("doubled", 200), ("one-user", 200),
           ("shift", 200))
WIRE = {"freeRefreshLimit": LIMITS["refresh"], "freeFilterLimit": LIMITS["filter"],
        "freeSearchLimit": LIMITS["search"], "newUserFreePeriodSeconds": 7200, "freeMomentsPerDay": 3}

Outcome = collections.namedtuple("Outcome", "kind size app seed day misread")


@functools.lru_cache(1)
def app_of(seed, size):
    return App(seed, size, DAYS)


class Workspace:
    """The owner's workspace; each morning reads what has come by then."""

    def __init__(self, program, folder, copy_of=None):
        self.program, self.folder = Program(program), folder
        if copy_of:
            shutil.copytree(copy_of, folder)
            return
        self.program.run("init", folder, "--quiet")
        # Jobs that run only when this asks for them are not overdue.
        for path in pathlib.Path(folder, "jobs").glob("*.yml"):
            path.write_text(re.sub(r"^schedule:.*\n", "", path.read_text(), flags=re.MULTILINE))
        with open(os.path.join(folder, "jobs", "report.yml"), "a") as file:
            file.write("platform: all\n")

    def come(self, events_by_day, settings=(), reviews=()):
        """Reads the exports of days, in their order, on the morning after the last one; None never came."""
        last = max(events_by_day)
        export = os.path.join(self.folder, "data", "exports", f"{date(last)}.ndjson")
        os.makedirs(os.path.dirname(export), exist_ok=True)
        with open(export, "w") as file:
            for events in events_by_day.values():
                file.writelines(map(line, events or ()))
        self.program.run("run", "events", "-C", self.folder, "--project", "demo", "--quiet", now=self.now(last))
        os.remove(export)
        with contextlib.closing(sqlite3.connect(os.path.join(self.folder, "data", "firetally.sqlite"))) as database:
            if len(events_by_day) > 1:
                split_import(database, events_by_day)
            self._documents(database, events_by_day)
            database.executemany(
                "INSERT OR IGNORE INTO app_store_reviews VALUES (?, 1, ?, ?, '3.1', 'a reader', '', '', ?, ?, ?)",
                [(f"{at}-{country}", CODES[country], stars, at, at, at) for at, country, stars in reviews])
            jobs_ran(database, (EPOCH + last + 1) * DAY + 6 * HOUR)
            for number, (name, before, after) in settings:
                set_to(database, (EPOCH + number) * DAY + 300 * SECOND, name, before, after)
            database.commit()

    @staticmethod
    def _documents(database, events_by_day):
        """What the loads of users and feedback would have brought."""
        seen, texts = {}, []
        for events in events_by_day.values():
            for event in events or ():
                seen[event.person] = event.at
                if "text" in event.more:
                    texts.append((event, event.at // SECOND))
        database.executemany(
            "INSERT INTO OnlineUsers (user_id, user_name, user_country, user_language, user_age, user_last_time_seen,"
            " synced_at) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (user_id) DO UPDATE SET"
            " user_age = excluded.user_age, user_last_time_seen = excluded.user_last_time_seen",
            [(one.id, one.id, one.country, one.language, one.age, at // SECOND, at)
             for one, at in seen.items() if one.id])
        database.executemany(
            "INSERT OR IGNORE INTO app_rating_feedback VALUES (?, ?, ?, '', ?, ?, ?, ?, ?, ?, ?)",
            [(f"Feedback/{BUNDLE}/Rating_Feedback/{at}", str(at), event.person.id, event.person.country, event.version,
              event.more["text"], at, event.more["rating_stars"], event.at, event.at) for event, at in texts])

    @staticmethod
    def now(day):
        """The morning after a day."""
        return f"{date(day + 1)}T{CLOCK}"

    def findings(self, day):
        """What the morning after a day is told: level by id."""
        with tempfile.TemporaryDirectory() as output:
            self.program.run("report", "-C", self.folder, "--format", "json", "--output", output, "--quiet",
                             now=self.now(day))
            told = json.loads(pathlib.Path(output, "findings.json").read_text())
        return {one["id"]: one["level"] for one in told["findings"]}


def split_import(database, events_by_day):
    """Makes one import of several days one for each of them, as it would have been with a daily export."""
    cursor = database.execute("SELECT * FROM sync_runs WHERE kind = 'import-events' ORDER BY id DESC LIMIT 1")
    names, run = [column[0] for column in cursor.description], cursor.fetchone()
    whole = dict(zip(names, run))
    database.execute("DELETE FROM sync_runs WHERE id = ?", [whole.pop("id")])
    for day, events in events_by_day.items():
        if events:
            at = (EPOCH + day + 1) * DAY + 6 * HOUR + HOUR // 2
            one = whole | {"started_at": at, "ended_at": at + SECOND, "inserted": len(events)}
            database.execute(f"INSERT INTO sync_runs ({', '.join(one)}) VALUES ({', '.join('?' * len(one))})",
                             list(one.values()))


def jobs_ran(database, at):
    """The loads of a morning, all of them well."""
    for job, kind, reads in (("settings", "sync-settings", 1), ("online-users", "sync-users", 250),
                             ("feedback", "sync-feedback", 20)):
        database.execute(
            "INSERT INTO sync_runs (job, kind, trigger, started_at, ended_at, outcome, fetched, inserted, updated,"
            " unchanged, deleted, skipped, billed_reads, bytes, requests, retries, warnings)"
            " VALUES (?, ?, 'scheduled', ?, ?, 'ok', ?, 0, 0, 0, 0, '{}', ?, 0, 1, 0, '[]')",
            (job, kind, at, at + SECOND, reads, reads))


def set_to(database, at, name, before, after):
    database.execute("INSERT INTO settings VALUES ('app-settings', ?, ?, ?) ON CONFLICT DO UPDATE SET"
                     " raw_value = excluded.raw_value, fetched_at = excluded.fetched_at", (name, str(after), at))
    database.execute("INSERT INTO settings_history (source, wire_name, old_value, new_value, changed_at)"
                     " VALUES ('app-settings', ?, ?, ?, ?)", (name, before, str(after), at))


def first_of(seed, size):
    """The weekday of a fault differs from seed to seed."""
    return (FIRST if size < LARGE else FIRST - 10) + seed % 7


def quiet(arguments, folder, seed, size):
    """A quiet app's findings by day; leaves its workspace as it was before the first fault beside it."""
    app, first = app_of(seed, size), first_of(seed, size)
    mornings = {start + after - 1 for start in {first_day(name, app, first) for name in arguments.kinds}
                for after in (0, *asked(arguments, size))}
    if arguments.bounded:
        mornings |= set(range(first - 3, first))
    elif not arguments.no_quiet:
        mornings |= set(range(QUIET_FROM, QUIET_FROM + 60) if size < LARGE else range(QUIET_FROM, first + 14, 3))
    workspace = Workspace(arguments.program, os.path.join(folder, "quiet"))
    told, begins = {}, min(mornings | {first})
    workspace.come({day: app.day(day) for day in range(begins)},
                   [(0, (name, None, value)) for name, value in WIRE.items()],
                   [review for day in range(begins) for review in app.reviews(day)])
    for day in range(begins, max(mornings) + 1):
        if day == first:
            shutil.copytree(workspace.folder, os.path.join(folder, "before"))
        workspace.come({day: app.day(day)}, reviews=app.reviews(day))
        if day in mornings:
            told[day] = workspace.findings(day)
    shutil.rmtree(workspace.folder)
    return told


def asked(arguments, size):
    """The mornings after a fault's first day on which the program is asked."""
    return (1,) if arguments.bounded else ASKED if size < LARGE else (1, 2, 4, 7, 14)


def is_wrong(kind, level, one):
    if kind.right.search(one) or kind.symptom.search(one):
        return False
    return level != "notice" or bool(kind.misleading.search(one))


def planted(arguments, folder, seed, size, name, factor, told):
    """One fault, from its first morning until it is named."""
    plant = Plant(name, app_of(seed, size), first_of(seed, size), factor, seed)
    path = os.path.join(folder, f"{name}-{factor}")
    workspace = Workspace(arguments.program, path, copy_of=os.path.join(folder, "before"))
    number, misread, before = first_of(seed, size), [], told[plant.first - 1]
    try:
        for after in asked(arguments, size):
            last, days, reviews = plant.first + after - 1, {}, []
            while number <= last:
                days[number] = plant.events(number)
                reviews += plant.reviews(number)
                number += 1
            workspace.come(days, [(plant.first, one) for one in plant.settings] if after == 1 else (), reviews)
            new = {one: level for one, level in workspace.findings(last).items()
                   if one not in before and one not in told[last]}
            misread += [one for one, level in new.items() if is_wrong(plant.kind, level, one) and one not in misread]
            if any(plant.kind.right.search(one) for one in new):
                return Outcome(name, factor, size, seed, after, misread)
        return Outcome(name, factor, size, seed, None, misread)
    finally:
        shutil.rmtree(path)


def undated(one):
    return re.sub(r"-?\d{4}-\d\d-\d\d", "", one)


def words_for(outcomes):
    """A row of the table: found after how many days, of how many."""
    found = sorted(one.day for one in outcomes if one.day)
    lines = f"{len(found)} of {len(outcomes)}"
    days = "–"
    if found:
        low, high = (found[int(share * (len(found) - 1) + 0.5)] for share in (0.1, 0.9))
        days = f"{statistics.median_low(found)} ({low} to {high})"
    wrong = [one for one in outcomes if one.misread]
    names = collections.Counter(undated(name) for one in wrong for name in one.misread)
    return (lines, str(sum(day == 1 for day in found)), days, str(len(wrong)), ", ".join(list(names)[:3]))


def table(outcomes):
    rows = collections.defaultdict(list)
    for one in outcomes:
        rows[list(KINDS).index(one.kind), one.size, one.app].append(one)
    names = {value: name for name, value in SIZES.items()}
    form = "{:<23} {:<6} {:>5}  {:>8}  {:>8}  {:<12}  {:>7}  {}"
    print(form.format("kind", "size", "app", "found", "next day", "after days", "misread", "as").rstrip())
    for (place, size, app), some in sorted(rows.items()):
        print(form.format(list(KINDS)[place], names[size], app, *words_for(some)).rstrip())


def quiet_table(told):
    """Alarms of quiet apps: a finding counts on its first morning. Returns how many errors and warnings."""
    by_app = collections.defaultdict(lambda: [0, 0, collections.Counter()])
    for (size, _), by_day in told.items():
        levels = {one: level for ids in by_day.values() for one, level in ids.items()}
        counts = by_app[size]
        counts[0] += len(by_day)
        counts[1] += sum(level == "notice" for level in levels.values())
        counts[2].update(undated(one) for one, level in levels.items() if level != "notice")
    form = "{:<10} {:>5} {:>9}  {:>20} {:>6}  {}"
    print("\n" + form.format("quiet apps", "app", "mornings", "errors and warnings", "notes", "of 60 mornings; as"))
    for size, (mornings, notes, names) in sorted(by_app.items()):
        loud = sum(names.values())
        print(form.format("", size, mornings, f"{loud * 60 / mornings:.1f}", f"{notes * 60 / mornings:.1f}",
                          ", ".join(f"{name} {count}" for name, count in names.most_common())).rstrip())
    return sum(sum(names.values()) for _, _, names in by_app.values())


def work(arguments, folder, seeds, pairs):
    """Quiet workspaces first, each with its plants after it; yields outcomes, fills `told`."""
    told, outcomes = {}, []
    with concurrent.futures.ProcessPoolExecutor(arguments.jobs) as pool:
        waiting = {}
        for size in sorted({size for _, size in pairs}):
            for seed in seeds if size < LARGE else seeds[:arguments.large]:
                place = os.path.join(folder, f"{size}-{seed}")
                os.makedirs(place)
                task = pool.submit(quiet, arguments, place, seed, size)
                waiting[task] = (place, seed, size)
        left = collections.Counter()
        while waiting:
            done, _ = concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
            for task in done:
                place, seed, size, *planting = waiting.pop(task)
                if planting:
                    outcomes.append(task.result())
                    left[place] -= 1
                    if arguments.verbose:
                        print(*outcomes[-1], file=sys.stderr, flush=True)
                else:
                    told[size, seed] = task.result()
                    for name, factor in [(name, factor) for name, one in pairs
                                         if one == size and name in KINDS for factor in arguments.sizes]:
                        again = pool.submit(planted, arguments, place, seed, size, name, factor, told[size, seed])
                        waiting[again] = (place, seed, size, name)
                        left[place] += 1
                if not left[place]:
                    shutil.rmtree(place)
    return told, outcomes


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / ".build" / "debug" / "firetally"))
    parser.add_argument("--bounded", action="store_true",
                        help="some kinds, one seed and morning; fails when one is missed")
    parser.add_argument("--kinds", nargs="*", choices=[*KINDS, "quiet"], default=list(KINDS),
                        help="default: all; `quiet` alone plants nothing")
    parser.add_argument("--sizes", nargs="*", choices=SIZES, default=["plain"], help="of the faults")
    parser.add_argument("--apps", nargs="*", type=int, default=[30, 200], help="people a day: 30 200 5000")
    parser.add_argument("--seeds", default="even", help="odd (to tune), even (to report), or numbers: 2,4,6")
    parser.add_argument("--count", type=int, default=3, help="how many odd or even seeds")
    parser.add_argument("--large", type=int, default=1, help="how many of them for apps of 1,000 and more a day")
    parser.add_argument("--no-quiet", action="store_true", help="leave out the mornings that plants need not")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--json", help="write outcomes and quiet findings into this file")
    parser.add_argument("--folder", help="where the workspaces are; default: a temporary folder")
    parser.add_argument("--verbose", action="store_true", help="each outcome as it comes")
    arguments = parser.parse_args()
    arguments.sizes = [SIZES[name] for name in arguments.sizes]
    return arguments


def main():
    arguments, started = parse(), time.monotonic()
    numbers = {"odd": range(1, 1000, 2), "even": range(2, 1000, 2)}.get(arguments.seeds)
    seeds = list(numbers[:arguments.count]) if numbers else [int(one) for one in arguments.seeds.split(",")]
    pairs = [(name, size) for name in arguments.kinds for size in arguments.apps]
    if arguments.bounded:
        seeds, pairs, arguments.no_quiet = seeds[:1], list(BOUNDED), True
        arguments.kinds = [name for name, _ in pairs]
    with tempfile.TemporaryDirectory(prefix="findings-", dir=arguments.folder) as folder:
        told, outcomes = work(arguments, folder, seeds, pairs)
    table(outcomes)
    alarms = quiet_table(told)
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps({
            "outcomes": [one._asdict() for one in outcomes],
            "quiet": [{"app": size, "seed": seed, "mornings": {date(day): ids for day, ids in days.items()}}
                      for (size, seed), days in told.items()]}, indent=1))
    missed = [one for one in outcomes if KINDS[one.kind].by and (one.day or 99) > KINDS[one.kind].by]
    misread = sum(bool(one.misread) for one in outcomes)
    print(f"check-findings: {len(outcomes)} plants, {len(missed)} missed or late, {misread} misread,"
          f" {alarms} alarms of quiet apps, {time.monotonic() - started:.0f} s")
    sys.exit(1 if arguments.bounded and (missed or alarms) else 0)


if __name__ == "__main__":
    main()
