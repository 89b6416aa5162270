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

import index
import limits
import make_days
import money
import persons
import ratings
import runs
import sentences
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
# People who join on an average day of the 74 where there is little time.
BOUNDED_NEW_A_DAY = 22


def compare(program, label, workspace, folder, gaps=()):
    """All pages of one report beside their workspace; `gaps` are (day, first hour, last) of UTC without lines."""
    comparison, repeated = Comparison(label), {}
    for name in names(folder):
        page = Page(folder, name)
        book = Book(workspace, page.frame, gaps)
        if book.told != (book.before, book.before_end):
            comparison.differences.append(f"{name}: compares with {book.told}, not {(book.before, book.before_end)}")
        section = SECTIONS.get(name)
        figures = section.figures(book) if section else {}
        tables = {table: make(book) for table, make in tables_of(section, book, page).items()}
        if name == "usage":
            tables.update({table: make(book) for table, make in (
                ("income", money.income), ("read-costs", money.read_costs)) if table in page.tables})
        if name == "ratings":
            written = themes.Written(book, program)
            figures.update(written.figures())
            tables.update({table: make(book) for table, make in written.tables.items()})
        repeated.update({f"{name}-{figure}": members for figure, members in figures.items()})
        if name == "index":
            figures = {one: members for one, members in {**repeated, **figures}.items() if one in page.figures}
            tables = {one: rows for one, rows in tables.items() if one in page.tables}
        comparison.page(page, figures, tables)
        compare_blocks(comparison, page, book)
        count, strange = sentences.strangers(page)
        comparison.compared += count - len(strange)
        for where, number, _ in strange:
            comparison.leave((name, where, "in words"), [((), number)])
    return comparison


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
                compare_evidence(comparison, page, book, one)
        elif block["kind"] == "popups":
            # Stars that a caption's example has lit are drawn, not counted.
            comparison.leave((page.name, name), numbers(block))
        else:
            comparison.leave((page.name, name), numbers(block))


def compare_evidence(comparison, page, book, finding):
    """The ratings behind a release; other evidence is listed by name."""
    for one in finding["evidence"]:
        wanted = money.evidence(book, one["label"])
        if wanted is None:
            comparison.leave((page.name, "evidence", one["unit"]), numbers(one))
        else:
            comparison.values((page.name, finding["id"], one["label"]), [one["value"]], [wanted])


def demo(program, folder):
    """The demo's workspace, reported once more: the demo writes its own pages while its last run goes on."""
    workspace, pages = os.path.join(folder, "demo"), os.path.join(folder, "demo-pages")
    runner = Program(program)
    runner.run("demo", "--into", workspace, "--users", "300", "--quiet", now=DEMO_NOW)
    runner.run("report", "-C", workspace, "--format", "json", "--output", pages, now=DEMO_LATER)
    return [compare(program, "the demo", workspace, pages)]


def synthetic(arguments, folder):
    """Comparisons after the 74th day, and the findings of the mornings before it."""
    new_a_day = BOUNDED_NEW_A_DAY if arguments.bounded else make_days.NEW_A_DAY
    mornings = Mornings(arguments.program, folder, arguments.seed, not arguments.without_faults, new_a_day)
    wanted = truth.wanted_mornings(mornings.truth) if arguments.bounded else mornings.days[7:]
    by_morning, experiment = {}, None
    for day in wanted:
        output = mornings.report(mornings.come_to(day), output=os.path.join(folder, "pages", day))
        by_morning[day] = truth.findings(output)
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
    comparisons = []
    for number, (label, arguments) in enumerate(reports):
        output = mornings.report(last, *arguments, output=os.path.join(folder, "pages", f"last-{number}"))
        gaps = [(fault["day"], *fault.get("hours", (0, 24))) for fault in mornings.truth["faults"]
                if fault["kind"] in ("outage", "lost-export")]
        comparisons.append(compare(mornings.program.path, label, mornings.workspace, output, gaps))
    return comparisons, judge(mornings.truth, by_morning, experiment)


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
            waiting = beside.submit(demo, arguments.program, folder) if arguments.only != "days" else None
            if arguments.only != "demo":
                comparisons, failures = synthetic(arguments, folder)
            if waiting:
                comparisons = waiting.result() + comparisons
    finally:
        if not arguments.keep:
            shutil.rmtree(folder, ignore_errors=True)
    for comparison in comparisons:
        for name, count in sorted(comparison.left_out.items()):
            print(f"{comparison.label}: not recomputed: {name} ({count})")
        for difference in comparison.differences[:SHOWN_DIFFERENCES]:
            print(f"{comparison.label}: {difference}")
    differences = sum(len(comparison.differences) for comparison in comparisons)
    for failure in failures:
        print(failure)
    print(f"check-figures: {sum(one.compared for one in comparisons)} figures, {differences} differences,"
          f" {sum(sum(one.left_out.values()) for one in comparisons)} not recomputed,"
          f" {len(failures)} truths missed, {time.monotonic() - started:.0f} s")
    sys.exit(1 if differences or failures or not comparisons else 0)


if __name__ == "__main__":
    main()
