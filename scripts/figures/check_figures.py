#!/usr/bin/env python3
"""Recompute the figures of the report's pages: docs/testing.md#figures.

Fills two workspaces with the built program, the demo's and that of 74 synthetic days, and compares every number
of their pages with SQL of its own. Numbers that nothing recomputes are listed by name. Then it holds the findings
of the mornings against the truth of the 74 days.
"""
import argparse
import concurrent.futures
import os
import pathlib
import shutil
import sys
import time

import details
import evidence
import index
import limits
import make_days
import money
import persons
import ratings
import runs
import self_test
import sentences
import tables_as_csv
import themes
import truth
import usage
import users
from book import Book
from mornings import Mornings, Program
from pages import Comparison, Page, names, numbers

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEMO_NOW, DEMO_LATER = "2026-03-02T06:30:00Z", "2026-03-02T06:31:00Z"
SECTIONS = {"usage": usage, "limits": limits, "ratings": ratings, "users": users, "runs": runs, "index": index}
SHOWN_DIFFERENCES = 40
# What is not recomputed, by a part of its name, and why.
LEFT_OUT = {"evidence": "an anomaly's measure is held by AnomalyRuleTests and ReportFindingsTests"}
# People who join on an average day of the 74 where there is little time.
BOUNDED_NEW_A_DAY = 22


def compare(program, label, workspace, folder, gaps=()):
    """All pages of one report beside their workspace; `gaps` are (day, first hour, last) of UTC without lines."""
    comparison, repeated = Comparison(label, details.COLUMNS), {}
    folder = pathlib.Path(folder)
    for name in names(folder):
        page = Page(folder, name)
        wanted = Wanted(program, page, Book(workspace, page.frame, gaps), repeated)
        compare_page(comparison, page, wanted, folder)
        tables_as_csv.check(comparison, page, folder)
    return comparison


class Wanted:
    """What a page should say: its figures, its tables, and the themes of its texts.

    `repeated` has the figures of the pages before it, and gets those of this one: the index repeats some.
    """

    def __init__(self, program, page, book, repeated):
        self.book, self.written = book, themes.Written(book, program)
        section = SECTIONS.get(page.name)
        self.figures = section.figures(book) if section else {}
        self.tables = {table: make(book) for table, make in tables_of(section, book, page).items()}
        if page.name == "usage":
            self.tables.update({table: make(book) for table, make in (
                ("income", money.income), ("read-costs", money.read_costs)) if table in page.tables})
        self.tables.update({table: make(book) for table, make in index.OF_TILES.items() if table in page.tables})
        if page.name == "ratings":
            self.figures.update(self.written.figures())
            self.tables.update({table: make(book) for table, make in self.written.tables.items()})
        repeated.update({f"{page.name}-{figure}": members for figure, members in self.figures.items()})
        if page.name == "index":
            self.figures = {one: members for one, members in {**repeated, **self.figures}.items() if one in page.figures}
            self.tables = {one: rows for one, rows in self.tables.items() if one in page.tables}


def compare_page(comparison, page, wanted, folder):
    """One page beside what it should say."""
    book = wanted.book
    if book.told != (book.before, book.before_end):
        comparison.differences.append(f"{page.name}: compares with {book.told}, not {(book.before, book.before_end)}")
    comparison.page(page, wanted.figures, wanted.tables)
    compare_blocks(comparison, page, book)
    sentences.check(comparison, page, book, wanted.written)
    details.check(comparison, page, book, folder, wanted.written)


def tables_of(section, book, page):
    """Each table of a page with the function that makes it anew."""
    if section is None:
        return {}
    made = section.tables(book) if hasattr(section, "tables") else section.TABLES
    of_people = persons.TABLES.get(page.name, lambda _: {})(book)
    return {**made, **{name: make for name, make in of_people.items() if persons.is_on(page, name)}}


def compare_blocks(comparison, page, book):
    """What is neither a figure nor a table: texts with stars, and drawn popups."""
    texts = ratings.texts(book)
    low = [text for text in texts["feedback"] if text[1] <= index.LOW]
    texts["written"] = low[:index.SHOWN_TEXTS]
    for name, block in page.others:
        if block["kind"] == "feedback" and name.split()[0] in texts:
            found = sorted(((entry["at"], entry["stars"]) for entry in block["entries"]), reverse=True)
            comparison.values((page.name, name), found, texts[name.split()[0]])
        elif block["kind"] == "popups" and block["id"] in limits.GALLERIES:
            for bar, wanted in limits.popups(book, block):
                comparison.values((page.name, name), [bar], [wanted])
            rest = [popup for popup in block["popups"] if popup["state"] not in limits.BARS]
            comparison.leave((page.name, name), numbers(rest))
        elif block["kind"] == "findings":
            for one in block["findings"]:
                evidence.check(comparison, page.name, book, one)
        elif block["kind"] == "popups":
            # Lit stars are held against the words that go with them: details.py.
            comparison.leave((page.name, name), (one for one in numbers(block) if one[0][-1] != "stars"))
        else:
            comparison.leave((page.name, name), numbers(block))


def demo(program, folder, is_tested=False):
    """The demo's workspace, reported once more: the demo writes its own pages while its last run goes on."""
    workspace, pages = os.path.join(folder, "demo"), os.path.join(folder, "demo-pages")
    runner = Program(program)
    runner.run("demo", "--into", workspace, "--users", "300", "--quiet", now=DEMO_NOW)
    runner.run("report", "-C", workspace, "--format", "json", "--format", "csv", "--output", pages, now=DEMO_LATER)
    failures = mutate(program, workspace, pathlib.Path(pages)) if is_tested else []
    return [compare(program, "the demo", workspace, pages)], failures


def mutate(program, workspace, folder):
    """Changed numbers that no comparison would report."""
    repeated = {}
    made = self_test.Mutations(
        folder, lambda page: Wanted(program, page, Book(workspace, page.frame), repeated), compare_page)
    print(f"self-test: {made.count} numbers changed one by one, {len(made.unseen)} of them unseen")
    return [f"a wrong number would not be seen: {one}" for one in made.unseen]


def synthetic(arguments, folder):
    """Comparisons after the 74th day, and the findings of the mornings before it."""
    new_a_day = BOUNDED_NEW_A_DAY if arguments.bounded else make_days.NEW_A_DAY
    mornings = Mornings(arguments.program, folder, arguments.seed, not arguments.without_faults, new_a_day)
    wanted = truth.wanted_mornings(mornings.truth) if arguments.bounded else mornings.days[7:]
    by_morning, experiment, of_mornings = {}, None, Comparison("the mornings")
    for day in wanted:
        output = mornings.report(mornings.come_to(day), output=os.path.join(folder, "pages", day))
        by_morning[day] = truth.findings(output)
        compare_evidence(of_mornings, mornings, output, day)
        for fault in mornings.truth["faults"]:
            if fault["kind"] == "lowered-limit" and next_day_is(fault["by"], day):
                card, row = truth.experiment(mornings.workspace, output, fault)
                experiment = row, truth.experiment_words(output, card)
    last = mornings.come_to(mornings.days[-1], has_users=True)
    reports = [("the 74 days", ())]
    if not arguments.bounded:
        # Over the night in which a clock goes back, by whole days.
        reports.append((
            "the 74 days in Berlin", ("--period", "2026-10-19..2026-11-01", "--time-zone", "Europe/Berlin")))
    comparisons = [of_mornings]
    for number, (label, arguments) in enumerate(reports):
        output = mornings.report(last, *arguments, output=os.path.join(folder, "pages", f"last-{number}"))
        comparisons.append(compare(mornings.program.path, label, mornings.workspace, output, gaps_of(mornings)))
    return comparisons, judge(mornings.truth, by_morning, experiment)


def compare_evidence(comparison, mornings, output, day):
    """The evidence of what the index of a morning found, while the workspace is as it was then."""
    book = Book(mornings.workspace, Page(output, "index").frame, gaps_of(mornings))
    for one in truth.findings(output) or ():
        evidence.check(comparison, f"findings of {day}", book, one)


def gaps_of(mornings):
    return [(fault["day"], *fault.get("hours", (0, 24))) for fault in mornings.truth["faults"]
            if fault["kind"] in ("outage", "lost-export")]


def next_day_is(by, day):
    return truth.next_day(day) == by


def judge(told, by_morning, experiment):
    """Failures; what the program does not write yet is printed as missing, and fails nothing."""
    failures = []
    if any(found is None for found in by_morning.values()):
        print("missing: findings.json; the faults of the 74 days and false alarms are not judged")
    else:
        lines, failures = truth.judge(told, by_morning)
        print("\n".join(lines))
    if experiment:
        row, words = experiment
        sides = " and ".join(f"{row[side]['part']} of {row[side]['whole']} {side}" for side in ("before", "after"))
        print(f"lowered limit: free people who tapped to subscribe: {sides}; {row['difference']['low_points']:+} to"
              f" {row['difference']['high_points']:+} points: {row['verdict']}")
        if words is None:
            print("missing: what the limits page says about the lowered limit")
        elif row["verdict"] != words:
            failures.append(f"lowered limit: the page says '{words}', its interval '{row['verdict']}'")
    return failures


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=str(ROOT / ".build" / "debug" / "firetally"))
    parser.add_argument("--bounded", action="store_true", help="some mornings and one report, for CI")
    parser.add_argument("--only", choices=("demo", "days"), help="one of the two workspaces")
    parser.add_argument("--seed", type=int, default=make_days.SEED, help="other 74 days")
    parser.add_argument("--without-faults", action="store_true", help="74 quiet days, for false alarms")
    parser.add_argument("--folder", default=ROOT / ".build" / "figures", help="emptied first")
    parser.add_argument("--self-test", action="store_true", help="change numbers of the demo, and demand differences")
    parser.add_argument("--keep", action="store_true", help="leave the workspaces in the folder")
    return parser.parse_args()


def main():
    arguments = parse()
    started = time.monotonic()
    folder = str(arguments.folder)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    comparisons, failures = [], []
    try:
        with concurrent.futures.ProcessPoolExecutor(1) as beside:
            waiting = beside.submit(demo, arguments.program, folder, arguments.self_test) if arguments.only != "days" else None
            if arguments.only != "demo":
                comparisons, failures = synthetic(arguments, folder)
            if waiting:
                of_demo, unseen = waiting.result()
                comparisons, failures = of_demo + comparisons, failures + unseen
    finally:
        if not arguments.keep:
            shutil.rmtree(folder, ignore_errors=True)
    for comparison in comparisons:
        for name, count in sorted(comparison.left_out.items()):
            reason = next((words for part, words in LEFT_OUT.items() if part in name), None)
            print(f"{comparison.label}: not recomputed: {name} ({count}): {reason or 'no reason is known'}")
            failures += [] if reason else [f"{name}: add it to a module of scripts/figures, or to LEFT_OUT with a reason"]
        for difference in comparison.differences[:SHOWN_DIFFERENCES]:
            print(f"{comparison.label}: {difference}")
    differences = sum(len(comparison.differences) for comparison in comparisons)
    for failure in failures:
        print(failure)
    print(f"check-figures: {sum(one.compared for one in comparisons)} figures, {differences} differences,"
          f" {sum(sum(one.left_out.values()) for one in comparisons)} not recomputed,"
          f" {len(failures)} other failures, {time.monotonic() - started:.0f} s")
    sys.exit(1 if differences or failures or not comparisons else 0)


if __name__ == "__main__":
    main()
