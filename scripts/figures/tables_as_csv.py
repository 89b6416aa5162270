"""The CSV files beside the pages: every cell of every table is that of the JSON, which is compared with SQL."""
import csv
import json

import pages


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


def check(comparison, page, folder):
    """Compares `tables/PAGE.TABLE.csv` with the page."""
    if not (folder / "tables").is_dir():
        comparison.differences.append(f"{page.name}: there is no folder tables")
        return
    for name, rows in page.tables.items():
        path = folder / "tables" / f"{page.name}.{name}.csv"
        if not path.exists():
            if rows:
                comparison.differences.append(f"{page.name} {name}: there is no {path.name}")
            continue
        with open(path, encoding="utf-8-sig", newline="") as file:
            lines = list(csv.DictReader(file))
        if len(lines) != len(rows):
            comparison.differences.append(f"{path.name}: {len(lines)} rows, should be {len(rows)}")
        for number, (line, row) in enumerate(zip(lines, rows)):
            # A value of several parts is null in JSON, and empty parts here.
            cells = {column: value for column, value in flat(row).items()
                     if value is not None or column in line or not any(one.startswith(f"{column}.") for one in line)}
            for column in cells.keys() | line.keys():
                cell, value = line.get(column), cells.get(column)
                comparison.compared += 1
                if cell is None or not same(cell, value):
                    comparison.differences.append(
                        f"{path.name} row {number + 1} {column}: {json.dumps(cell)}, should be {json.dumps(value)}")
