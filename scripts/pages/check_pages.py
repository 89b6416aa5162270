#!/usr/bin/env python3
"""Judge the report's pages in a real browser: docs/testing.md#pages.

Makes workspaces with the built program, opens each of their pages, and fails when a page breaks a
rule of accessibility or HTML, does not fit where it is shown, or asks the network for anything.
Screenshots for a person to look at stay in .build/pages/shots.
"""
import argparse
import concurrent.futures
import os
import pathlib
import shutil
import sys
import time

sys.dont_write_bytecode = True
import accessibility  # noqa: E402
import behaviour  # noqa: E402
import judges  # noqa: E402
import layout  # noqa: E402
import silence  # noqa: E402
import validity  # noqa: E402
import workspaces  # noqa: E402
from browser import Browser, BrowserFault  # noqa: E402
from faults import Fault, text  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(ROOT, ".build", "pages")
# Every page is measured at every width, and judged and drawn at two of them in both themes.
NARROWEST, NARROW, WIDE = 320, 400, 1400
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
        self.browser.screenshot(self.picture(shown))

    def make(self):
        self.browser.show(WIDE)
        self.browser.open(self.url)
        self.note("", silence.check(self.browser.drain(), self.url))
        self.note("script", behaviour.check(self.browser, self.url))
        self.browser.drain()
        self.browser.show(NARROWEST)
        self.note(f"{NARROWEST} px", layout.check(self.browser))
        accessibility.load(self.browser, self.axe)
        for width in (NARROW, WIDE):
            self.look(width)
        self.browser.show(PAPER, media="print")
        self.note("print", layout.check(self.browser))
        self.shoot("print")
        self.browser.pdf(self.picture("print", "pdf"))
        self.browser.show(WIDE)
        self.note("at the end", silence.check(self.browser.drain(), self.url))
        return self.faults

    def look(self, width):
        self.browser.show(width)
        self.note(f"{width} px", layout.check(self.browser))
        for theme in THEMES:
            self.browser.show(width, theme)
            self.note(f"{width} px {theme}", accessibility.check(self.browser))
            self.shoot(f"{width}-{theme}")


def visit_all(pages, axe, shots, browsers):
    """The faults of all pages, which as many browsers share as there are cores to keep busy."""
    todo = list(pages.items())

    def work(browser):
        faults = []
        while todo:
            name, path = todo.pop()
            faults += Visit(browser, name, path, axe, shots).make()
        return faults

    with concurrent.futures.ThreadPoolExecutor(len(browsers)) as pool:
        return [fault for faults in pool.map(work, browsers) for fault in faults]


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=os.path.join(ROOT, ".build", "debug", "firetally"))
    parser.add_argument(
        "--only", default="", help="judge only pages whose name contains this, as demo/ or usage")
    parser.add_argument("--file", action="append", help="judge this page instead; may be repeated")
    return parser.parse_args()


def judge(arguments):
    axe, vnu = judges.fetch(os.path.join(FOLDER, "judges"))
    with open(axe) as file:
        axe = file.read()
    if arguments.file:
        pages = {os.path.basename(path): os.path.abspath(path) for path in arguments.file}
    else:
        made = workspaces.make(arguments.program, os.path.join(FOLDER, "workspaces"))
        pages = {name: path for name, path in made.items() if arguments.only in name}
    shots = os.path.join(FOLDER, "shots")
    shutil.rmtree(shots, ignore_errors=True)
    os.makedirs(shots)
    browsers = [Browser() for _ in range(min(2, os.cpu_count() or 1))]
    try:
        faults = visit_all(pages, axe, shots, browsers)
    finally:
        for browser in browsers:
            browser.close()
    names = {path: name for name, path in pages.items()}
    html = validity.check(vnu, list(pages.values()), lambda path: names[path])
    if html is None:
        print("check-pages: no Java, so the Nu Html Checker was left out: apt-get install default-jre-headless")
    return len(pages), sorted(faults + (html or [])), shots


def main():
    started = time.monotonic()
    try:
        count, faults, shots = judge(parse())
    except (BrowserFault, judges.MissingJudge, workspaces.WorkspaceFault) as fault:
        sys.exit(f"check-pages: {fault}")
    for fault in faults:
        print(text(fault))
    seconds = time.monotonic() - started
    print(f"check-pages: {count} pages, {len(faults)} faults, {seconds:.0f} s; pictures in {shots}")
    sys.exit(1 if faults or not count else 0)


if __name__ == "__main__":
    main()
