"""One meaning a word: on all pages of a report, equal words have equal numbers (docs/testing.md#figures)."""
import json
import pathlib
import re

# What the figures of these pages count is a day, or other reports, as their titles say.
OTHER_PERIODS = {"index", "history", "search"}
# Tables that try other settings say so in their titles: their numbers did not happen.
TRIALS = ("Another ", "Other ")
# Words of rows that name no thing by themselves: two tables may list different things under them.
DATE = re.compile(r"\d{4}-\d\d-\d\d$")
NAMELESS = re.compile(r"^(\d[\d.,]*|all( in .*)?|not told|–|)$", re.IGNORECASE)


def plain(value):
    """A number as a reader compares it, without what is only about its precision."""
    if isinstance(value, dict):
        if value.get("part") is not None and "whole" in value:
            return ("share", value["part"], value["whole"])
        if "mean" in value:
            return ("mean", value["mean"], value["of"])
        return None
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def words(row, columns):
    """The words that name a row: its texts, and of a day what it is the day of."""
    found = [f"{column['title']} {row[column['id']]}" if DATE.match(row[column["id"]]) else row[column["id"]]
             for column in columns if isinstance(row.get(column["id"]), str)]
    return " · ".join(found)


def spoken(page, heads):
    """(words, number, place) of each figure and each cell of a page; `heads` are the labels of all figures."""
    for figure in page["figures"]:
        yield figure["label"], plain(figure["value"]), f"{page['report']}: figures"
    for section in page["sections"]:
        for block in section["blocks"]:
            if block["kind"] == "figures":
                for figure in block["figures"]:
                    yield figure["label"], plain(figure["value"]), f"{page['report']}#{section['id']}: figures"
            table = block.get("table")
            if not table or table["title"].startswith(TRIALS):
                continue
            place = f"{page['report']}#{section['id']}: {table['title']}"
            for row in table["rows"]:
                name = words(row, table["columns"])
                if NAMELESS.match(name):
                    continue
                for column in table["columns"]:
                    yield f"{name} | {column['title']}", plain(row.get(column["id"])), place
                # A row may have the words of a figure at the head of a page.
                counts = [plain(row[one["id"]]) for one in table["columns"]
                          if plain(row.get(one["id"])) is not None and "today" not in one["title"].lower()]
                if counts and name.lower() in heads:
                    yield name, counts[0], place


def shares(number):
    """What two numbers say alike: a count is that of a share's part, too."""
    return number[1] if isinstance(number, tuple) and number[0] == "share" else number


def contradictions(folder):
    """Sentences about words that have two numbers."""
    told, found, count = {}, [], 0
    pages = [json.loads(path.read_text()) for path in sorted(pathlib.Path(folder).glob("*.json"))]
    pages = [page for page in pages if "sections" in page and page["report"] not in OTHER_PERIODS]
    heads = {figure["label"].lower() for page in pages for figure in page["figures"]}
    for page in pages:
        for label, number, place in spoken(page, heads):
            if number is None:
                continue
            count += 1
            for other, where in told.setdefault(label.lower(), []):
                same = number == other if type(number) is type(other) else shares(number) == shares(other)
                if not same and where != place:
                    found.append(f"“{label}” is {number} in {place}, {other} in {where}")
            told[label.lower()].append((number, place))
    return sorted(set(found)), count


def check(comparison, folder):
    found, count = contradictions(folder)
    comparison.compared += count
    comparison.differences.extend(found)
