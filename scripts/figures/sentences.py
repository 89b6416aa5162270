"""Numbers in the sentences of a page: each must be one that its figures and tables have, too.

Instants, days and versions are left out; so are the numbers that a sentence always has ("the last 24 hours").
"""
import re

from pages import numbers, rounded

DATES = re.compile(
    r"\d{4}-\d\d-\d\d(T[\d:.]+Z)?|(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d+ \w{3}( \d{4})?|\d+ \w{3} \d{4}|\d\d:\d\d|\d+(\.\d+){2,}")
NUMBER = re.compile(r"(?<![\w.])[-+]?\d[\d,]*(?:\.\d+)?(?![\w])")


def texts(page):
    """(where, sentence) of what the page says in words about its numbers."""
    yield "summary", page.content["summary"]
    for section in page.content["sections"]:
        for block in section["blocks"]:
            if block["kind"] == "chart":
                yield block["table"]["id"], block["alternative"]


def known(page):
    """All numbers of the page, whole and by one and two decimals, and the sums of the columns of tables."""
    found = {value for _, value in numbers([page.content["figures"], *page.tables.values()])}
    for rows in page.tables.values():
        found |= {float(len(rows))}
        # Taps of a day, which the table has by what became of them.
        found |= {row["not_blocked"] + row["blocked"] for row in rows if row.get("not_blocked") is not None}
        for column in rows[0] if rows else ():
            values = [row[column] for row in rows if isinstance(row.get(column), (int, float))]
            found |= {sum(values)} if values else set()
    return {rounded(abs(value), digits) for value in found for digits in (0, 1, 2)}


def strangers(page):
    """(where, number) of the numbers in sentences that the page has nowhere else."""
    among, count, found = known(page), 0, []
    for where, sentence in texts(page):
        for word in NUMBER.findall(DATES.sub(" ", sentence)):
            count += 1
            if abs(float(word.replace(",", ""))) not in among:
                found.append((where, word, sentence))
    return count, found
