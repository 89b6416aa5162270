"""The evidence of findings, by docs/findings.md: ratings of releases, and the lines of a day on the morning after."""
import datetime
import math
import re

import index
import money
from book import DAY, HOUR
from pages import rounded

RELEASE_DAYS = 74
RATED = ("SELECT stars FROM events WHERE stars IS NOT NULL AND app_version = ? AND at >= ? AND at < ?")
LINES = "SELECT COUNT(*) FROM events WHERE source <> 'session' AND at >= ? AND at < ?"
OF_DAY = re.compile(r"^(Export lines|People|Taps) on \w{3} (\d+ \w{3})$")
SILENT = re.compile(r"^Silent hours, from (\d\d):00 to (\d\d):00$")
# An hour is silent with a tenth of the lower median of as many weeks before: docs/reports/days.md#coverage.
WEEKS, TENTH = 4, 10


def ratings(book, version):
    """The stars that a version has been given."""
    today = book.midnight_of(book.now)
    start = book.midnight(money.today(book) - (RELEASE_DAYS - 1) * DAY)
    return [row["stars"] for row in book.all(RATED, version, start, today + 48 * HOUR)]


def day_of(book, words):
    """The newest day of that name."""
    found = datetime.datetime.strptime(f"{words} {money.today(book).year}", "%d %b %Y").date()
    return found if found <= money.today(book) else found.replace(year=found.year - 1)


def chance(new, old):
    """Mann and Whitney's test with the correction for ties and for continuity, in two directions."""
    both = sorted(new + old)
    ranks = {value: (both.index(value) + len(both) - both[::-1].index(value) + 1) / 2 for value in set(both)}
    count, rest = len(new), len(old)
    low = sum(ranks[value] for value in new) - count * (count + 1) / 2
    whole = count + rest
    ties = sum(both.count(value) ** 3 - both.count(value) for value in set(both))
    width = math.sqrt(count * rest / 12 * (whole + 1 - ties / (whole * (whole - 1))))
    return math.erfc((abs(low - count * rest / 2) - 0.5) / width / math.sqrt(2))


def is_silent(book, at):
    """Whether an hour has no line, or at most a tenth of what it usually has."""
    week = 7 * 24 * HOUR
    now, *before = (book.one(LINES, at - number * week, at - number * week + HOUR) for number in range(WEEKS + 1))
    return now * TENTH <= sorted(before)[(WEEKS - 1) // 2]


def value(book, finding, label):
    """What a label should say; None where nothing here knows it."""
    words, _, version = label.rpartition(" of ")
    if words in ("Mean stars", "Ratings"):
        given = ratings(book, version)
        return len(given) if words == "Ratings" else rounded(sum(given) / len(given), 2)
    if label == "Chance of such a difference":
        versions = [one["label"].rpartition(" of ")[2] for one in finding["evidence"] if one["label"].startswith("Mean stars")]
        return float(f"{chance(*(ratings(book, one) for one in versions)):.1g}")
    if match := OF_DAY.match(label):
        day = day_of(book, match.group(2))
        counts = index.of_day(book, book.midnight(day), book.midnight(day + DAY))
        return {"People": counts["active"], "Taps": counts["taps"],
                "Export lines": book.one(LINES, book.midnight(day), book.midnight(day + DAY))}[match.group(1)]
    if match := SILENT.match(label):
        day = next(OF_DAY.match(one["label"]).group(2) for one in finding["evidence"] if OF_DAY.match(one["label"]))
        start = book.midnight(day_of(book, day))
        first, last = int(match.group(1)), int(match.group(2)) or 24
        return sum(is_silent(book, start + hour * HOUR) for hour in range(first, last))
    return None


def check(comparison, where, book, finding):
    """Compares the evidence of a finding, and leaves what nothing here knows."""
    for one in finding["evidence"]:
        wanted = value(book, finding, one["label"])
        if wanted is None:
            comparison.leave((where, "evidence", one["unit"]), [((), one["value"])])
        else:
            comparison.values((where, finding["id"], one["label"]), [one["value"]], [wanted])
    # "3.3.0 is 1.2 stars below 3.2.1: 21 ratings, p 0.0007."
    if match := re.match(r"(\S+) is ([\d.]+) stars? below (\S+): (\d+) ratings, p ([\d.]+)[.]$", finding["sentence"]):
        new, old = ratings(book, match.group(1)), ratings(book, match.group(3))
        wanted = [rounded(sum(old) / len(old) - sum(new) / len(new), 1), len(new), float(f"{chance(new, old):.1g}")]
        comparison.values((where, finding["id"], "sentence"), [float(match.group(place)) for place in (2, 4, 5)], wanted)
