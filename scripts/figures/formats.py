"""Page = JSON = CSV: every cell of every CSV file is that of the JSON, sentences stand on the page as in the JSON,
and so does every number in its tables. (What a cell looks like is held by AgreementTests.)
"""
import csv
import html.parser
import json
import re

import pages

NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?![\w:])")
# Cells with these hold days, times, amounts or words, which the page writes in its own way.
OTHER = re.compile(r"[A-Za-z$€★†:–]")


def flat(row):
    """A row of JSON as the CSV has it: column, a dot, and the part."""
    cells = {}
    for column, value in row.items():
        if isinstance(value, dict):
            cells.update({f"{column}.{part}": one for part, one in value.items()})
        elif isinstance(value, list):
            cells[column] = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        else:
            cells[column] = value
    return cells


def same(cell, value):
    """Whether a cell says what a JSON value says; texts that look like formulas have an apostrophe first."""
    if value is None:
        return cell in ("", "false")
    if isinstance(value, bool):
        return cell == str(value).lower()
    if isinstance(value, (int, float)):
        try:
            return pages.equal(float(cell), value)
        except ValueError:
            return False
    if value.isprintable() and value.isascii():
        return cell.removeprefix("'") == value.removeprefix("'")
    # Signs that hide or turn letters are shown as such; the digits are the same.
    return [one for one in cell if one.isdigit()] == [one for one in value if one.isdigit()]


class Files:
    """What stands beside the JSON of a page, read once."""

    def __init__(self, page, folder):
        self.csv = {path.stem.split(".", 1)[1]: read_csv(path)
                    for path in (folder / "tables").glob(f"{page.name}.*.csv")}
        reader = Reader()
        reader.feed((folder / f"{page.name}.html").read_text())
        self.words, self.tables = plain(" ".join(reader.words)), reader.tables
        found = json.loads((folder / "findings.json").read_text())["findings"]
        self.findings = {one["id"]: (one["level"], one["sentence"]) for one in found}

    def check(self, comparison, page):
        for name, rows in [("figures", list(page.figures.values())), *page.tables.items()]:
            lines = self.csv.get(name, [])
            if len(lines) != len(rows) and (name != "figures" or rows):
                comparison.differences.append(f"{page.name}.{name}.csv: {len(lines)} rows, should be {len(rows)}")
            for number, (line, row) in enumerate(zip(lines, rows), 1):
                self._cells(comparison, f"{page.name}.{name}.csv row {number}", line, row, name == "figures")
        for sentence in sentences(page.content):
            comparison.compared += 1
            if plain(sentence) not in self.words:
                comparison.differences.append(f"{page.name}.html lacks: {sentence}")
        for one in page.content["findings"]:
            comparison.compared += 1
            if self.findings.get(one["id"], (one["level"], one["sentence"])) != (one["level"], one["sentence"]):
                comparison.differences.append(f"{page.name}: findings.json has other words of {one['id']}")
        self._page(comparison, page)

    @staticmethod
    def _cells(comparison, where, line, row, is_figure):
        if is_figure:
            # The parts of a value have columns of their own.
            value = row.get("value")
            row = {**{key: one for key, one in row.items() if key not in ("changeNote", "definition", "expected")},
                   **(value if isinstance(value, dict) else {}), "value": None if isinstance(value, dict) else value}
        # A value of several parts is null in JSON, and empty parts here.
        cells = {column: value for column, value in flat(row).items()
                 if value is not None or column in line or not any(one.startswith(f"{column}.") for one in line)}
        for column in cells.keys() | (set() if is_figure else line.keys()):
            comparison.compared += 1
            if column == "note" or column == "value" and cells[column] is None:
                continue
            if line.get(column) is None or not same(line[column], cells.get(column)):
                comparison.differences.append(
                    f"{where} {column}: {json.dumps(line.get(column))}, should be {json.dumps(cells.get(column))}")

    def _page(self, comparison, page):
        """The numbers of the tables' cells, of the rows that the page shows."""
        left = list(self.tables)
        for section in page.content["sections"]:
            for table in (block["table"] for block in section["blocks"] if "table" in block):
                titles = [column["title"] for column in table["columns"]]
                place = next((number for number, one in enumerate(left) if one[0] == titles), None)
                if place is None:
                    if table["rows"]:
                        comparison.differences.append(f"{page.name}.html: no table {table['id']}")
                    continue
                for number, (cells, row) in enumerate(zip(left.pop(place)[1:], table["rows"]), 1):
                    for column, cell in zip(table["columns"], cells):
                        comparison.compared += 1
                        if not is_shown(cell, row.get(column["id"])):
                            comparison.differences.append(f"{page.name}.html {table['id']} row {number} {column['id']}: "
                                                          f"{cell!r}, JSON has {json.dumps(row.get(column['id']))}")


def is_shown(cell, value):
    """Whether the numbers of a cell are those of its value; of a share the percentage and the whole."""
    found = [float(one.replace(",", "")) for one in NUMBER.findall(cell)]
    if isinstance(value, bool) or isinstance(value, str) or value is None:
        return True
    if isinstance(value, (int, float)):
        return OTHER.search(cell) is not None or found == [] or any(abs(found[0] - value) <= 0.5 / 10 ** digits
                                                                    for digits in (0, 1, 2))
    if isinstance(value, list):
        return True
    numbers = [abs(one) for one in value.values() if isinstance(one, (int, float))]
    if "percent" in value and "whole" in value:
        return value["whole"] in found and (value["percent"] is None or value["percent"] in found)
    return OTHER.search(cell) is not None or all(any(pages.equal(one, number) for number in numbers) for one in found)


def sentences(content):
    """What a page says in words, without the marks of links."""
    yield content["title"]
    for section in content["sections"]:
        yield section["title"]
        yield section.get("lead") or ""
        for block in section["blocks"]:
            if block["kind"] == "text":
                yield block["text"]
            yield block.get("table", {}).get("title") or ""
    yield from (finding["sentence"] for finding in content["findings"])


def plain(words):
    """Letters and digits alone: links and spaces are set in their own way."""
    return re.sub(r"[\W_]+", "", words)


def read_csv(path):
    with open(path, encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


class Reader(html.parser.HTMLParser):
    """The words of a page, and its tables: the titles first, then the cells of each row."""

    def __init__(self):
        super().__init__()
        self.words, self.tables, self.cell, self.hidden = [], [], None, 0

    def handle_starttag(self, tag, _):
        if tag == "table":
            self.tables.append([])
        elif tag == "tr" and self.tables:
            self.tables[-1].append([])
        elif tag in ("td", "th") and self.tables and self.tables[-1]:
            self.cell = []
        self.hidden += tag in ("script", "style", "svg")

    def handle_endtag(self, tag):
        self.hidden -= tag in ("script", "style", "svg")
        if tag in ("td", "th") and self.cell is not None:
            self.tables[-1][-1].append("".join(self.cell).strip())
            self.cell = None

    def handle_data(self, data):
        if not self.hidden:
            self.words.append(data)
            if self.cell is not None:
                self.cell.append(data)
