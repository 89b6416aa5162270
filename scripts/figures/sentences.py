"""Numbers in words: each number of a sentence is one of its page's figures or tables, or the sum of a column."""
import re

from pages import rounded

MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
DATES = re.compile(
    rf"\b(about|At) \d+ (min|s)\b|\d{{4}}-\d\d(-\d\d)?(T[\d:.]+Z)?|((Mon|Tue|Wed|Thu|Fri|Sat|Sun) )?\d+ ({MONTHS})( \d{{4}})?|\d\d:\d\d|\d+(\.\d+){{2,}}")
NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?!\w)")
# Sentences of numbers that stand nowhere else: prices, what a run said, what became of people beside the funnel
# and whose accounts tell their age (PeopleSectionsTests), attempts of all features together (LimitWhatIfTests), ages
# of backups (ReportSummaryTests), and the days that reports look back on.
OWN = re.compile(r"\bprices?\b|replayed under|\$|^The last run of|by another way|^The accounts of|^Backup|newest 102 days")


def numbers(value, path=()):
    """(column, number) of everything in a row."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield from numbers(one, (*path, key))
    elif isinstance(value, list):
        for one in value:
            yield from numbers(one, path)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield path, value


def known(page):
    """The numbers of a page, rounded as sentences round; sums of columns, also over the tables that have them."""
    sums, found = {}, set()
    for row in [*page.figures.values(), *(row for rows in page.tables.values() for row in rows)]:
        found |= {value for _, value in numbers(row)}
    for name, rows in page.tables.items():
        found.add(len(rows))
        of_table = {}
        for path, value in (one for row in rows for one in numbers(row)):
            of_table[path] = of_table.get(path, 0) + value
        found |= set(of_table.values())
        if rows:
            for path, value in numbers(rows[0]):
                sums[path] = sums.get(path, 0) + value
    found |= set(sums.values())
    return {rounded(abs(value), digits) for value in found for digits in (0, 1, 2)}


def texts(page):
    for section in page.content["sections"]:
        yield from (section["title"], section.get("lead") or "")
        for block in section["blocks"]:
            yield from (block.get("table", {}).get("title") or "", block.get("alternative") or "")
            if block["kind"] == "text":
                yield block["text"]


def check(comparison, page):
    among = known(page)
    for sentence in texts(page):
        if page.name in ("index", "search", "popups") or OWN.search(sentence):
            continue
        for word in NUMBER.findall(DATES.sub(" ", sentence)):
            comparison.compared += 1
            if float(word.replace(",", "")) not in among:
                comparison.differences.append(f"{page.name}: {word} is nowhere else on the page: {sentence[:120]}")
