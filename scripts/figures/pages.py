"""The pages of a report as they were written in JSON, and how their numbers are compared with others."""
import json
import math
import pathlib

TOLERANCE = 1e-9
# Below it a change is no percentage (docs/reports.md#small-counts).
FEW = 30


def names(folder):
    """The pages of a report, the index last."""
    found = {path.stem for path in pathlib.Path(folder).glob("*.json") if "sections" in json.loads(path.read_text())}
    return [*sorted(found - {"index"}), "index"]


class Page:
    """One page as it was written, or with a content that was changed: its figures and tables by id."""

    def __init__(self, folder, name, content=None):
        content = content or json.loads(pathlib.Path(folder, f"{name}.json").read_text())
        self.name, self.frame, self.content = name, content["frame"], content
        self.figures = {figure["id"]: figure for figure in content["figures"]}
        self.tables, self.totals = {}, {}
        for section in content["sections"]:
            for block in section["blocks"]:
                if "table" in block:
                    self.tables[block["table"]["id"]] = block["table"]["rows"]
                    self.totals[block["table"]["id"]] = block["table"].get("total", 0)
                elif block["kind"] == "figures":
                    self.figures.update({figure["id"]: figure for figure in block["figures"]})


class Comparison:
    """Numbers of pages beside others: how many were compared, and which differ."""

    def __init__(self, label):
        self.label, self.compared, self.differences = label, 0, []

    def page(self, page, figures, tables):
        """`figures`: id to what its members should be. `tables`: id to (key columns, rows, and the most
        of them that a page has, if not all); one without rows may be left out. Members and columns that are not named are not compared."""
        for name, wanted in figures.items():
            self._row((page.name, "figures", name), page.figures.get(name, {}), wanted)
        for name, wanted in tables.items():
            if name in page.tables:
                self._table((page.name, name), page.tables[name], *wanted)
            elif wanted[1]:
                self.differences.append(f"{page.name} {name}: not on the page")

    def _table(self, address, rows, keys, expected, most=None):
        """Rows by their key; rows without a key are compared in their order. At most `most` were fetched."""
        count = len(expected) if most is None else min(most, len(expected))
        if len(rows) != count:
            self.differences.append(f"{' '.join(address)}: {len(rows)} rows, should be {count}")
        if keys is None:
            for number, (row, wanted) in enumerate(zip(rows, expected)):
                self._row((*address, f"row {number + 1}"), row, wanted)
            return
        wanted, seen = {tuple(row[key] for key in keys): row for row in expected}, set()
        for row in rows:
            key = tuple(row[key] for key in keys)
            if key in seen or key not in wanted:
                self.differences.append(f"{' '.join(address)} {key}: {'there twice' if key in seen else 'no such row'}")
            seen.add(key)
            self._row((*address, " ".join(map(str, key))), row, wanted.get(key, {}))

    def _row(self, address, row, wanted):
        for column, value in wanted.items():
            self._value((*address, column), row.get(column), value)

    def _value(self, address, value, wanted):
        if isinstance(value, dict) and isinstance(wanted, dict):
            for key in value.keys() | wanted.keys():
                self._value((*address, key), value.get(key), wanted.get(key))
        elif isinstance(value, list) and isinstance(wanted, list) and len(value) == len(wanted):
            for number, pair in enumerate(zip(value, wanted)):
                self._value((*address, number + 1), *pair)
        else:
            self.compared += 1
            if not equal(value, wanted):
                self.differences.append(
                    f"{' '.join(map(str, address))}: {json.dumps(value)}, should be {json.dumps(wanted)}")


def equal(value, wanted):
    if isinstance(value, (int, float)) and isinstance(wanted, (int, float)):
        return math.isclose(value, wanted, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return value == wanted


# docs/reports.md#percentages

def rounded(value, digits=0):
    """Halves away from zero, as people round."""
    scale = 10 ** digits
    return math.copysign(math.floor(abs(value) * scale + 0.5 + 1e-9), value) / scale


def percent(part, whole):
    if not whole:
        return None
    exact = 100 * part / whole
    if exact < 10 or exact > 99:
        shown = rounded(exact, 1)
        if 0 < exact < 100:
            shown = min(max(shown, 0.1), 99.9)
        return shown
    return rounded(exact)


def share(part, whole):
    return {"part": part, "whole": whole, "percent": percent(part, whole)}


def mean(total, count):
    return {"mean": rounded(total / count, 2) if count else None, "of": count}


def change(value, previous):
    """docs/reports.md#small-counts"""
    difference = value - previous
    return {"previous": previous, "difference": difference,
            "percent": rounded(100 * difference / previous) if previous >= FEW else None}
