#!/usr/bin/env python3
"""Judge the report's pages in a real browser: docs/testing.md#pages.

Makes workspaces with the built program, opens each of their pages, and fails when a page breaks a
rule of accessibility or HTML, does not fit where it is shown, cannot be read in the colours that the
reader forces, or asks the network for anything; Firefox, where it is installed, measures them and
tries their scripts.
Screenshots for a person to look at stay in .build/pages/shots.
"""
import argparse
import concurrent.futures
import os
import pathlib
import queue
import shutil
import sys
import time

sys.dont_write_bytecode = True
import accessibility  # noqa: E402
import behaviour  # noqa: E402
import colours  # noqa: E402
import firefox  # noqa: E402
import judges  # noqa: E402
import layout  # noqa: E402
import silence  # noqa: E402
import validity  # noqa: E402
import workspaces  # noqa: E402
from browser import Browser, BrowserFault  # noqa: E402
from faults import Fault, text  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(ROOT, ".build", "pages")
# Every page is measured at every width, and judged and drawn at two of them.
NARROWEST, NARROW, WIDE, WIDEST = 320, 400, 1400, 1920
# A window of 1400 px at 200 percent.
ZOOMED = 700
# A4 without the margins that browsers leave, in px of CSS.
PAPER = 718
THEMES = ("light", "dark")


class Visit:
    """One page through all checks, in one browser."""

    def __init__(self, browser, name, path, axe, shots):
        self.browser = browser
        self.name = name
        self.url = pathlib.Path(path).as_uri()
        self.axe = axe
        self.shots = shots
        self.faults = []

    def note(self, shown, found):
        self.faults += [Fault(self.name, shown, *one) for one in found]

    def picture(self, shown, kind="png"):
        stem = self.name.replace("/", "-").removesuffix(".html")
        return os.path.join(self.shots, f"{stem}-{shown}.{kind}")

    def shoot(self, shown):
        if self.shots:
            self.browser.screenshot(self.picture(shown))

    def make(self):
        self.browser.show(WIDE)
        self.browser.open(self.url)
        self.note(f"{WIDE} px", layout.height(self.browser, self.name))
        self.note("", silence.check(self.browser.drain(), self.url))
        self.note("script", behaviour.check(self.browser, self.url))
        self.browser.drain()
        for width in (NARROWEST, ZOOMED, WIDEST):
            self.browser.show(width)
            self.note(f"{width} px", layout.check(self.browser))
        accessibility.load(self.browser, self.axe)
        for width in (NARROW, WIDE):
            self.look(width)
        self.browser.show(PAPER, media="print")
        self.note("print", layout.check(self.browser))
        self.note("print", layout.sheets(self.browser, self.name))
        if self.shots:
            self.browser.pdf(self.picture("print", "pdf"))
        self.browser.show(WIDE)
        self.note("at the end", silence.check(self.browser.drain(), self.url))
        return self.faults

    def look(self, width):
        self.browser.show(width)
        self.note(f"{width} px", layout.check(self.browser))
        if width == NARROW:
            self.note(f"{width} px", layout.height(self.browser, self.name, is_narrow=True))
        for theme in THEMES:
            for is_forced in (False, True):
                self.browser.show(width, theme, is_forced=is_forced)
                shown = f"{width} px {theme}{' forced' if is_forced else ''}"
                self.note(shown, colours.check(self.browser, is_forced))
                if is_forced and width == WIDE:
                    self.shoot(f"{width}-{theme}-forced")
            self.browser.show(width, theme)
            # Most of a run is spent in axe: whole on the wide page, and once more where both differ.
            if (width, theme) in ((WIDE, "light"), (NARROW, "dark")):
                found = accessibility.check(self.browser, self.name, whole=theme == "light")
                self.note(f"{width} px {theme}", found)
            if width == WIDE or theme == "light":
                self.shoot(f"{width}-{theme}")


class FirefoxVisit(Visit):
    """One page in Firefox: how it fits, and what its scripts do."""

    def make(self):
        self.browser.show(WIDE)
        self.browser.open(self.url)
        for width in (NARROWEST, NARROW, WIDE):
            self.browser.show(width)
            self.note(f"firefox {width} px", layout.check(self.browser))
        self.note("firefox script", behaviour.drive(self.browser))
        for event in self.browser.drain():
            self.note("firefox", [(event["method"], "", str(event["params"].get("text", "asks"))[:200])])
        return self.faults


def visit_all(pages, kinds, at_end):
    """The faults of all pages, and what `at_end` gives for all of them; pages are judged while others are made.

    `pages` yields names and paths. A kind is a browser's type, what makes its visit to a page, and how
    many of it work. `at_end` gets all pages by name as soon as the last is made.
    """
    todo = [queue.SimpleQueue() for _ in kinds]

    def make():
        made = {}
        try:
            for name, path in pages:
                made[name] = path
                for one in todo:
                    one.put((name, path))
        finally:
            for one, (_, _, workers) in zip(todo, kinds):
                for _ in range(workers):
                    one.put(None)
        return at_end(made)

    def work(kind):
        browser, visit, _ = kinds[kind]
        browser, faults = browser(), []
        try:
            while page := todo[kind].get():
                faults += visit(browser, *page).make()
        finally:
            browser.close()
        return faults

    workers = [number for number, kind in enumerate(kinds) for _ in range(kind[2])]
    with concurrent.futures.ThreadPoolExecutor(len(workers) + 1) as pool:
        making = pool.submit(make)
        found = [fault for faults in pool.map(work, workers) for fault in faults]
        return found, making.result()


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=os.path.join(ROOT, ".build", "debug", "firetally"))
    parser.add_argument(
        "--only", default="", help="judge only pages whose name contains this, as demo/ or usage")
    parser.add_argument(
        "--no-pictures", action="store_true", help="draw none, where no person looks at them")
    parser.add_argument("--limit", type=float, help="fail when it takes more seconds than this")
    parser.add_argument("--file", action="append", help="judge this page instead; may be repeated")
    return parser.parse_args()


def judge(arguments):
    axe, vnu = judges.fetch(os.path.join(FOLDER, "judges"))
    with open(axe) as file:
        axe = file.read()
    if arguments.file:
        pages = ((os.path.basename(path), os.path.abspath(path)) for path in arguments.file)
    else:
        made = workspaces.make(arguments.program, os.path.join(FOLDER, "workspaces"))
        pages = ((name, path) for name, path in made if arguments.only in name)
    shots = os.path.join(FOLDER, "shots")
    shutil.rmtree(shots, ignore_errors=True)
    os.makedirs(shots)
    drawn = None if arguments.no_pictures else shots

    def visiting(kind):
        return lambda browser, name, path: kind(browser, name, path, axe, drawn)

    kinds = [(Browser, visiting(Visit), min(2, os.cpu_count() or 1))]
    if firefox.program():
        kinds.append((firefox.Firefox, visiting(FirefoxVisit), 1))
    else:
        print("check-pages: no Firefox, so it was left out: apt-get install firefox-esr")

    def validate(made):
        names = {path: name for name, path in made.items()}
        return len(made), validity.check(vnu, list(names), lambda path: names[path])

    faults, (count, html) = visit_all(pages, kinds, validate)
    if html is None:
        print("check-pages: no Java, so the Nu Html Checker was left out: apt-get install default-jre-headless")
    return count, sorted(faults + (html or [])), drawn


def main():
    started, arguments = time.monotonic(), parse()
    try:
        count, faults, shots = judge(arguments)
    except (BrowserFault, judges.MissingJudge, workspaces.WorkspaceFault) as fault:
        sys.exit(f"check-pages: {fault}")
    for fault in faults:
        print(text(fault))
    seconds = time.monotonic() - started
    print(f"check-pages: {count} pages, {len(faults)} faults, {seconds:.0f} s{f'; pictures in {shots}' if shots else ''}")
    is_late = arguments.limit is not None and seconds > arguments.limit
    if is_late:
        print(f"check-pages: it may take {arguments.limit:.0f} s")
    sys.exit(1 if faults or not count or is_late else 0)


if __name__ == "__main__":
    main()
