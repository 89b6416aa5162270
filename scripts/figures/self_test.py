"""Whether a wrong number would be seen: changes numbers in copies of what a report wrote, and reads the differences.

In each pass one number of every figure, table, sentence, text and popup is changed, column after column; each has to be
among the differences by its name. CSV files are changed cell by cell.
"""
import copy
import re

import details
import sentences
import tables_as_csv
from pages import Comparison, Page, names

# Words, not numbers.
WORDS = ("id", "label", "unit", "name", "city", "title", "caption", "typed", "state", "excerpt")


def wrong(value):
    """A value with one number changed; None where it has none."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, (int, float)):
        return value + 1
    if isinstance(value, str):
        # Rather a number than a digit in a word, as in a setting's key.
        found = list(re.finditer(r"(?<![\w.])[\d,.]*\d(?!\w)", value)) or list(re.finditer(r"\d", value))
        if not found:
            return None
        # The last digit that is not a zero after the point, which would change nothing.
        place = found[-1].end() - 1
        return value[:place] + str((int(value[place]) + 1) % 10) + value[place + 1:]
    for key, item in value.items() if isinstance(value, dict) else enumerate(value):
        if (changed := wrong(item)) is not None:
            other = copy.copy(value)
            other[key] = changed
            return other
    return None


def change_member(row, skipped, number):
    """Changes the member of that number in place; its name, or None where there is none with a number."""
    members = [name for name, value in row.items() if name not in skipped and wrong(value) is not None]
    if number >= len(members):
        return None
    row[members[number]] = wrong(row[members[number]])
    return members[number]


def change(content, number):
    """Changes a page in place; yields the (table or place, column) of each change."""
    every = [("figures", content["figures"])]
    for section in content["sections"]:
        for block in section["blocks"]:
            every += [("figures", block["figures"])] if block["kind"] == "figures" else []
            every += [(block["table"]["id"], block["table"]["rows"][:1])] if "table" in block else []
            if block["kind"] == "popups":
                every.append((block["id"], block["popups"]))
            elif block["kind"] == "feedback":
                every.append((f"{section['id']} feedback", block["entries"][:1]))
    for place, rows in every:
        for row in rows:
            column = change_member(row, (*WORDS, "country", "gender", "themes", "text") if "feedback" in place else WORDS, number)
            if column:
                yield place, row.get("id") or row.get("state") or "", column


def change_sentence(content, number):
    """Changes the sentence of that number, of those that have one."""
    places = [(content, "summary")]
    for section in content["sections"]:
        places += [(section, "title"), (section, "lead")]
        for block in section["blocks"]:
            places += [(block["table"], "title")] if "table" in block else []
            places += [(block, "alternative")] if block["kind"] == "chart" else []
            places += [(block, "text")] if block["kind"] == "text" else []
    places += [(finding, "sentence") for finding in content["findings"]]
    places = [(one, key) for one, key in places if isinstance(one.get(key), str) and any(
        sentences.NUMBER.findall(sentences.DATES.sub(" ", one[key])))]
    if number >= len(places):
        return None
    one, key = places[number]
    words = sentences.DATES.sub(lambda match: "x" * len(match.group()), one[key])
    match = sentences.NUMBER.search(words)
    one[key] = one[key][:match.start()] + f"{float(match.group().replace(',', '')) + 1:g}" + one[key][match.end():]
    return one[key]


def is_about(line, place, row, column):
    """Whether a difference is that of a changed member: those of rows that are compared whole name no column."""
    is_named = (row if place == "figures" else place.removesuffix(" feedback")) in line
    is_whole = "no such row" in line or "there twice" in line or place.startswith(("setting-changes", "decision-"))
    return is_named and (column in line or is_whole or place.endswith(("feedback", "popup", "states")) or place.startswith("rating-"))


class Mutations:
    """The pages of one report, what each should say, and what went unseen."""

    def __init__(self, folder, want, compare_page):
        self.folder, self.compare_page, self.count, self.unseen = folder, compare_page, 0, []
        for name in names(folder):
            page = Page(folder, name)
            wanted = want(page)
            for number in range(40):
                if not self._members(page, wanted, number):
                    break
            for number in range(200):
                if not self._sentence(page, wanted, number):
                    break
            self._csv(page)

    def _differences(self, page, wanted, content):
        comparison = Comparison("", details.COLUMNS)
        changed = Page(self.folder, page.name, content)
        self.compare_page(comparison, changed, wanted, self.folder)
        return comparison.differences

    def _members(self, page, wanted, number):
        content = copy.deepcopy(page.content)
        made = list(change(content, number))
        found = self._differences(page, wanted, content) if made else []
        for place, row, column in made:
            self.count += 1
            if not any(is_about(line, place, row, column) for line in found):
                self.unseen.append(f"{page.name} {place} {row} {column}")
        return made

    def _sentence(self, page, wanted, number):
        content = copy.deepcopy(page.content)
        changed = change_sentence(content, number)
        if changed is None:
            return False
        self.count += 1
        if not self._differences(page, wanted, content):
            self.unseen.append(f"{page.name}: {changed[:100]}")
        return True

    def _csv(self, page):
        for name, rows in page.tables.items():
            for column, value in (tables_as_csv.flat(rows[0]) if rows else {}).items():
                if (other := wrong(value)) is not None:
                    self.count += 1
                    text = " ".join(map(str, other)) if isinstance(other, list) else str(other)
                    if tables_as_csv.same(text, value):
                        self.unseen.append(f"{page.name}.{name}.csv {column}")
