"""The numbers of a report's pages, each with an address, and how they are compared with others.

An address is `usage figures taps value`, or `usage funnel Popup count`: page, table or list of figures, the words
of the row's key, and the column. Columns that no check has named are told apart, so that nothing is passed over.
"""
import json
import math
import pathlib

TOLERANCE = 1e-9
# Below it a change is no percentage (docs/reports.md#small-counts).
FEW = 30


def numbers(value, path=()):
    """All numbers of a JSON value with their paths."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return
    if isinstance(value, (int, float)):
        yield path, value
    elif isinstance(value, dict):
        for key in value:
            yield from numbers(value[key], (*path, key))
    else:
        for number, item in enumerate(value):
            yield from numbers(item, (*path, number))


def told(value, path=()):
    """All numbers of a JSON value, and its texts with digits, with their paths."""
    yield from numbers(value, path)
    if isinstance(value, str) and any(letter.isdigit() for letter in value):
        yield path, value
    elif isinstance(value, (dict, list)):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(item, (str, dict, list)):
                yield from (one for one in told(item, (*path, key)) if isinstance(one[1], str))


def names(folder):
    """The pages of a report, the index last."""
    found = {path.stem for path in pathlib.Path(folder).glob("*.json") if "sections" in json.loads(path.read_text())}
    return [*sorted(found - {"index"}), "index"]


class Page:
    """One page as it was written, or with a content that was changed: its figures and tables by id, its other blocks."""

    def __init__(self, folder, name, content=None):
        content = content or json.loads(pathlib.Path(folder, f"{name}.json").read_text())
        self.name, self.frame, self.content = name, content["frame"], content
        self.figures = {figure["id"]: figure for figure in content["figures"]}
        self.tables, self.titles, self.others = {}, {}, []
        for section in content["sections"]:
            for block in section["blocks"]:
                if "table" in block:
                    self.tables[block["table"]["id"]] = block["table"]["rows"]
                elif block["kind"] == "figures":
                    self.figures.update({figure["id"]: figure for figure in block["figures"]})
                else:
                    self.others.append((f"{section['id']} {block['kind']} {block.get('id', '')}".strip(), block))


class Comparison:
    """Numbers of pages beside numbers of our own; every number is compared, or told as left out."""

    def __init__(self, label, elsewhere=()):
        """`elsewhere` has (page, table) to the columns that other code compares."""
        self.label, self.compared, self.differences, self.left_out = label, 0, [], {}
        self.elsewhere = dict(elsewhere)

    def page(self, page, figures, tables):
        """`figures`: id to what its members should be. `tables`: id to (key columns, rows, and the most
        of them that a page has, if not all)."""
        for name, figure in page.figures.items():
            self._row((page.name, "figures", name), figure, figures.get(name), ("id",))
        for name, rows in page.tables.items():
            if name in tables:
                self._table((page.name, name), rows, *tables[name])
            else:
                for row in rows:
                    self._row((page.name, name), row, {}, ())
        self.differences += [f"{page.name} {name}: not on the page" for name in sorted(
            (figures.keys() - page.figures.keys()) | (tables.keys() - page.tables.keys()))]

    def _table(self, address, rows, keys, expected, most=None):
        """Rows by their key; rows without a key are compared in their order. At most `most` were fetched."""
        count = len(expected) if most is None else min(most, len(expected))
        if len(rows) != count:
            self.differences.append(f"{' '.join(address)}: {len(rows)} rows, should be {count}")
        if keys is None:
            for number, (row, wanted) in enumerate(zip(rows, expected)):
                self._row((*address, f"row {number + 1}"), row, wanted, ())
            return
        wanted, seen = {tuple(row[key] for key in keys): row for row in expected}, set()
        for row in rows:
            key = tuple(row[key] for key in keys)
            if key in seen:
                self.differences.append(f"{' '.join(address)} {key}: there twice")
            seen.add(key)
            if key not in wanted:
                self.differences.append(f"{' '.join(address)} {key}: no such row")
            self._row((*address, " ".join(map(str, key))), row, wanted.get(key), keys)

    def _row(self, address, row, wanted, keys):
        wanted = wanted or {}
        # The sentences of a figure are compared as such; its label and its unit are words.
        skipped = ("label", "note", "changeNote", "unit") if address[1] == "figures" else self.elsewhere.get(address[:2], ())
        self.differences += [f"{' '.join(address)} {column}: not on the page" for column, value in wanted.items()
                             if value is not None and column not in row]
        for column, value in row.items():
            if column in keys or column in skipped and column not in wanted:
                continue
            if column not in wanted:
                self.leave((*address, column), told(value))
            else:
                self._value((*address, column), value, wanted[column])

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

    def values(self, address, found, wanted):
        """Two lists, item by item."""
        if len(found) != len(wanted):
            self.differences.append(f"{' '.join(address)}: {len(found)} entries, should be {len(wanted)}")
        for number, (one, other) in enumerate(zip(found, wanted)):
            self._value((*address, number + 1), list(one) if isinstance(one, tuple) else one,
                        list(other) if isinstance(other, tuple) else other)

    def leave(self, address, found):
        """Counts numbers that are not recomputed under page, table and column."""
        for path, _ in found:
            words = [str(word) for word in path if not isinstance(word, int)]
            name = " ".join([*address[:2], *([address[2]] if address[1] == "figures" else []),
                             *(words or address[-1:])])
            self.left_out[name] = self.left_out.get(name, 0) + 1


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
