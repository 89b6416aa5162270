#!/usr/bin/env python3
"""Hold the figures of the report's pages against other counts: docs/testing.md#figures.

Fills two workspaces with the built program, the demo's and that of 77 invented days, and holds each page against
counts of its own (people.py, coverage.py), its printed queries on the exported relations (queries.py), what has to
agree (parts.py, sentences.py), and its other files (formats.py).
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import sys
import time

import answers
import coverage
import days
import meanings
import parts
import people
import queries
import self_test
import sentences
from book import Book
from formats import Files
from pages import Comparison, Page, names
from workspaces import Program

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEMO_NOW, DEMO_LATER = "2026-03-02T06:30:00Z", "2026-03-02T06:31:00Z"
# The outage, and the day that was never exported.
DEMO_GAPS = (("2026-02-09", 9, 17), ("2026-02-14", 0, 24))
SHOWN_DIFFERENCES = 40


class Report:
    """One report of a workspace, with its relations, and what each page of it should say."""

    def __init__(self, program, label, workspace, now, gaps=()):
        """`gaps` are (day, first hour, last) of UTC of which the ledger lacks the lines."""
        self.comparison, self.workspace, self.gaps = Comparison(label), workspace, gaps
        self.folder = pathlib.Path(f"{workspace}-{re.sub(' ', '-', label)}")
        relations = f"{self.folder}.sqlite"
        runner = Program(program)
        runner.run("report", "-C", workspace, "--format", "json", "--format", "csv", "--format", "html", "--quiet",
                   "--output", str(self.folder), now=now)
        runner.run("export", "-C", workspace, "--relations", relations, "--quiet", now=now)
        self.relations = queries.Relations(relations)

    def check(self, mutations=None):
        """Compares all pages; with mutations, also changed numbers."""
        for name in names(self.folder):
            page = Page(self.folder, name)
            wanted = Wanted(page, Book(self.workspace, page.frame, self.gaps), self.relations)
            files = Files(page, self.folder)
            wanted.check(self.comparison)
            files.check(self.comparison, page)
            if mutations:
                mutations.of(page, wanted.check, lambda comparison: files.check(comparison, page))
        meanings.check(self.comparison, self.folder)
        return self.comparison


class Wanted:
    """What a page should say: counts of its own, and the rows of its queries."""

    def __init__(self, page, book, relations):
        self.page, self.book, self.queries = page, book, relations.of(page)
        self.figures, self.tables = {}, {}
        for module in (coverage, people, answers):
            self.figures |= module.FIGURES.get(page.name, lambda _: {})(book)
            self.tables |= {name: make(book) for name, make in module.TABLES.get(page.name, lambda _: {})(book).items()}

    def check(self, comparison):
        book = self.book
        if book.told != (book.before, book.before_end):
            comparison.differences.append(
                f"{self.page.name}: compares with {book.told}, not {(book.before, book.before_end)}")
        comparison.page(self.page, self.figures, self.tables)
        queries.check(comparison, self.page, self.queries)
        parts.check(comparison, self.page, book)
        sentences.check(comparison, self.page)


def demo(program, folder, is_tested):
    """The demo's workspace, reported once more: the demo writes its own pages while its last run goes on."""
    workspace = os.path.join(folder, "demo")
    Program(program).run("demo", "--into", workspace, "--users", "300", "--copies", "2", "--quiet", now=DEMO_NOW)
    mutations = self_test.Mutations() if is_tested else None
    return [Report(program, "the demo", workspace, DEMO_LATER, DEMO_GAPS).check(mutations)], mutations


def invented(arguments, folder):
    """The invented days, in UTC, and in Berlin over two weeks in which a clock goes back."""
    size = days.FEWER if arguments.bounded else days.PEOPLE
    workspace, now = days.fill(arguments.program, folder, arguments.seed, size)
    made = [Report(arguments.program, "the days", workspace, now, days.gaps()).check()]
    if not arguments.bounded:
        job = pathlib.Path(workspace, "jobs", "report.yml")
        job.write_text(re.sub("^period_days:.*", "period_days: 14\ntime_zone: Europe/Berlin", job.read_text(), flags=re.M))
        made.append(Report(arguments.program, "the days in Berlin", workspace, now, days.gaps()).check())
    return made


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=str(ROOT / ".build" / "debug" / "firetally"))
    parser.add_argument("--bounded", action="store_true", help="half of the people and one time zone, for CI")
    parser.add_argument("--only", choices=("demo", "days"), help="one of the two workspaces")
    parser.add_argument("--seed", type=int, default=16, help="other days")
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
            waiting = None
            if arguments.only != "days":
                waiting = beside.submit(demo, arguments.program, folder, arguments.self_test)
            if arguments.only != "demo":
                comparisons = invented(arguments, folder)
            if waiting:
                of_demo, mutations = waiting.result()
                comparisons = of_demo + comparisons
                failures = told(mutations) if mutations else []
    finally:
        if not arguments.keep:
            shutil.rmtree(folder, ignore_errors=True)
    for comparison in comparisons:
        for difference in comparison.differences[:SHOWN_DIFFERENCES]:
            print(f"{comparison.label}: {difference}")
    for failure in failures:
        print(failure)
    differences = sum(len(comparison.differences) for comparison in comparisons)
    print(f"check-figures: {sum(one.compared for one in comparisons)} figures, {differences} differences,"
          f" {len(failures)} other failures, {time.monotonic() - started:.0f} s")
    sys.exit(1 if differences or failures or not comparisons else 0)


def told(mutations):
    """Prints what the self-test found; returns what went unseen."""
    print(f"self-test: {mutations.count} numbers changed one by one, {len(mutations.unseen)} of them unseen")
    for test, count in sorted(mutations.held.items()):
        print(f"self-test: {count} numbers are counted nowhere else here: {test}")
    return [f"a wrong number would not be seen: {one}" for one in mutations.unseen]


if __name__ == "__main__":
    main()
