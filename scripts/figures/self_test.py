"""Whether a wrong number would be seen: changes the numbers of a report one by one, and reads the differences.

Each number of a figure and of the first and the last row of a table is changed twice over: in the JSON alone, as when one format
is wrong, and then as if the program had counted wrongly, which only other counts can show. For what no count shows
`HELD` names the test that does; a number that is neither seen nor held is a failure.
"""
import re

from formats import sentences
from pages import Comparison

# A part of "page table column": the test in Swift that holds it.
HELD = {
    "standings used": "LimitsReportTests", "remaining_seconds": "LimitRuleTests, LimitsReportTests",
    "replayed-people": "LimitWhatIfTests", "what-if-error taps": "LimitWhatIfTests", " what-if ": "LimitReplayTests, LimitWhatIfTests, LedgerReplayTests, WhatIfScenarioTests",
    "low-texts change": "FeedbackThemesTests", "open-feedback": "FeedbackThemesTests", " themes ": "FeedbackThemesTests",
    "runs-by-day median": "RunSectionTests", "runs incidents": "RunsReportTests", "backup-age": "ReportSummaryTests",
    "proof-age": "ReportSummaryTests", "payers-by-day monthly": "PayersByDayTests", "price-answer difference": "check-money", "after-a-block difference": "check-money",
    "repeated-texts": "FeedbackThemesTests", "store-versions": "UsageSectionTests", "store-countries": "UsageSectionTests",
    "unasked": "UsageSectionTests", "rating-funnel-thresholds m": "UsageSectionTests",
    "without_rating": "UsageSectionTests", "ratings figures ratings change": "RatingsReportTests",
    " expected ": "IndexVerdictTests", "online trend": "IndexReportTests", "read-costs": "PeopleSectionsTests"}


def wrong(value):
    return value + 1 if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def places(value, path=()):
    """(container, key, path) of each number of a figure or a row."""
    for key, one in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(one, (dict, list)):
            yield from places(one, (*path, key))
        elif wrong(one) is not None:
            yield value, key, (*path, key)


def numbers(page):
    """(where, container, key) of each number that is changed; of a list its first one."""
    for name, figure in page.figures.items():
        for container, key, path in places(figure):
            if not isinstance(key, int) or key == 0:
                yield " ".join(["figures", name, *map(str, path)]), container, key
    for name, rows in page.tables.items():
        for row in {id(row): row for row in rows[:1] + rows[-1:]}.values():
            for container, key, path in places(row):
                if not isinstance(key, int) or key == 0:
                    yield " ".join([name, *map(str, path)]), container, key


class Mutations:
    """Changed numbers of one report: how many, which went unseen, and which are held elsewhere."""

    def __init__(self):
        self.count, self.unseen, self.held = 0, [], {}

    def of(self, page, count, formats):
        """`count` and `formats` take a comparison, and compare the page with other counts and with its other files."""
        for where, container, key in numbers(page):
            value = container[key]
            container[key] = wrong(value)
            self.count += 1
            # Of what is usual other formats have rounded words alone; IndexVerdictTests hold them.
            if " expected " not in where and not differs(formats):
                self.unseen.append(f"{page.name} {where}: in the JSON alone")
            if not differs(count):
                name = f"{page.name} {where}"
                held = next((test for part, test in HELD.items() if part in name), None)
                if held:
                    self.held[held] = self.held.get(held, 0) + 1
                else:
                    self.unseen.append(f"{name}: counted wrongly")
            container[key] = value
        for sentence in filter(lambda one: re.search(r"\d", one), set(sentences(page.content))):
            self._sentence(page, sentence, formats)

    def _sentence(self, page, sentence, formats):
        """A digit of a sentence, in the JSON alone."""
        changed = re.sub(r"\d", lambda digit: str((int(digit.group()) + 1) % 10), sentence, count=1)
        owners = [*page.content["sections"], *page.content["findings"], page.content,
                  *(one for section in page.content["sections"] for block in section["blocks"]
                    for one in (block, block.get("table", {})))]
        for owner in owners:
            for key in ("title", "lead", "text", "sentence"):
                if owner.get(key) == sentence:
                    owner[key] = changed
                    self.count += 1
                    if not differs(formats):
                        self.unseen.append(f"{page.name}: {changed[:100]}")
                    owner[key] = sentence


def differs(compare):
    comparison = Comparison("")
    compare(comparison)
    return bool(comparison.differences)
