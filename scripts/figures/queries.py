"""Whether the printed query gives the printed rows: runs `query` of the JSON with its `parameters` by Python's sqlite3
on what `firetally export --relations FILE` wrote, and compares row by row and column by column.

Columns of the query that belong together are one of the page: `c_part` and `c_whole`, `c_now` and `c_previous`,
`c_total` and `c_count` (docs/figures.md).
"""
import json
import sqlite3

from book import micros
from pages import change, mean, share

SEGMENTS = {"lite_subscriber": "Subscriber"}


class Relations:
    """The relations of one report, as another program sees them."""

    def __init__(self, file):
        self.rows = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
        self.rows.row_factory = sqlite3.Row
        self.is_compared = bool(self.rows.execute("SELECT is_compared FROM period").fetchone()[0])

    def of(self, page):
        """What the tables of a page should have, by id: rows in their order."""
        made = {}
        for section in page.content["sections"]:
            for table in (block["table"] for block in section["blocks"] if "query" in block.get("table", {})):
                found = [dict(row) for row in self.rows.execute(table["query"], table["parameters"])]
                ids = [column["id"] for column in table["columns"]]
                made[table["id"]] = [{name: self._cell(row, name) for name in ids if self._has(row, name)}
                                     for row in found]
        return made

    @staticmethod
    def _has(row, name):
        return any(f"{name}{end}" in row for end in ("", "_part", "_now", "_total"))

    def _cell(self, row, name):
        if name in row:
            return row[name]
        if f"{name}_part" in row:
            part, whole = row[f"{name}_part"], row[f"{name}_whole"]
            return None if part is None or whole is None else share(part, whole)
        if f"{name}_total" in row:
            total, count = row[f"{name}_total"], row[f"{name}_count"]
            return None if count is None else mean(total or 0, count)
        now, previous = row[f"{name}_now"], row[f"{name}_previous"]
        return change(now, previous) if self.is_compared and None not in (now, previous) else None


def check(comparison, page, wanted):
    """Compares the tables of a page with the rows of their queries."""
    for name, expected in wanted.items():
        rows = page.tables.get(name, [])
        if (page.name, name) == ("runs", "jobs"):
            # The page joins them to where each job stands, in the order of need.
            rows = sorted((row for row in rows if row["success"]), key=lambda row: row["job"])
        if len(rows) != len(expected):
            comparison.differences.append(f"{page.name} {name}: {len(rows)} rows, its query has {len(expected)}")
        for number, (row, other) in enumerate(zip(rows, expected), 1):
            for column, value in other.items():
                comparison.compared += 1
                if not is_same(row.get(column), value):
                    comparison.differences.append(f"{page.name} {name} row {number} {column}: {json.dumps(row.get(column))},"
                                                  f" its query has {json.dumps(value)}")


def is_same(cell, value):
    """Whether a cell of JSON says what a value of a query does."""
    if isinstance(cell, dict) and "amount" in cell:
        cell = cell["amount"]
    if isinstance(cell, dict) and "level" in cell:
        cell = cell["level"]
    if isinstance(cell, str) and cell.endswith("Z") and isinstance(value, int):
        # Pages write whole seconds.
        return micros(cell) == value // 1_000_000 * 1_000_000
    if isinstance(cell, dict) and isinstance(value, dict):
        # Intervals are those of the shares, which people.py computes.
        return all(is_same(cell.get(key), one) for key, one in value.items())
    if isinstance(cell, list) and isinstance(value, str):
        return cell == json.loads(value)
    if isinstance(cell, (int, float)) and isinstance(value, (int, float)):
        return abs(cell - value) <= (0.5 if isinstance(value, float) and isinstance(cell, int) else 1e-9)
    if isinstance(cell, str) and isinstance(value, str):
        # Names of features and segments are shown as words.
        return SEGMENTS.get(value) == cell or cell.casefold().replace(" ", "_") == value.casefold().replace(" ", "_")
    return cell == value or value is None and cell == "Not told"
