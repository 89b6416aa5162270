"""The index's own figures, by docs/reports/form.md#index and docs/reports/days.md#day-history.

Figures that it repeats from a page are compared with those of that page.
"""
import datetime

import usage
from book import DAY, ONE_DAY
from pages import change, mean, share
from ratings import STARS

HISTORY_DAYS = 102
# Days of the course under a tile, and of the drawing.
COURSE, MONTH = 28, 28
# A person whom the history called free or new, and who is a subscriber for the first time.
NEW = """
  SELECT MIN(CASE WHEN user_type = 'lite_subscriber' THEN at END) AS first,
    MIN(CASE WHEN user_type <> 'lite_subscriber' THEN at END) AS other
  FROM events WHERE feature IS NOT NULL AND user_id <> '' AND at >= ? GROUP BY user_id
  HAVING other < first AND first >= ? AND first < ?"""


def whole_days(book, count):
    """The last days that are over, as (day, start, end), oldest first."""
    today = datetime.date.fromisoformat(book.one("SELECT local_day(?)", book.end))
    return [(str(day), book.midnight(day), book.midnight(day + DAY))
            for day in (today - number * DAY for number in range(count, 0, -1))]


def of_day(book, start, end):
    """The counts of one day."""
    history = book.midnight_of(book.end) - (HISTORY_DAYS - 1) * ONE_DAY
    found = book.all(
        "SELECT COUNT(DISTINCT NULLIF(user_id, '')) AS active,"
        f" COUNT(DISTINCT CASE WHEN {usage.BLOCKED} THEN NULLIF(user_id, '') END) AS \"limit\","
        " COALESCE(SUM(kind = 'subscription_button_tapped'), 0) AS \"sub-taps\","
        " COALESCE(SUM(kind = 'button_tapped'), 0) AS taps,"
        f" COALESCE(SUM({usage.BLOCKED}), 0) AS blocked"
        " FROM events WHERE feature IS NOT NULL AND kind IS NOT NULL AND at >= ? AND at < ?", start, end)[0]
    stars = book.all("SELECT COUNT(*) AS count, SUM(stars) AS total FROM events"
                     " WHERE stars IS NOT NULL AND at >= ? AND at < ?", start, end)[0]
    return {**found, "new-subs": book.one(f"SELECT COUNT(*) FROM ({NEW})", history, start, end),
            "stars": mean(stars["total"] or 0, stars["count"]),
            "reads": book.one("SELECT COALESCE(SUM(billed_reads), 0) FROM sync_runs"
                              " WHERE started_at >= ? AND started_at < ?", start, end)}


def figures(book):
    """Tiles of the newest day of which anything is known, beside the same weekday a week before."""
    days = whole_days(book, COURSE + 7)
    known = [one for one in days if book.coverage(one[0]) != "none"]
    if not known:
        return {}
    place = days.index(known[-1])
    (day, *yesterday), (weekday, *before) = days[place], days[max(0, place - 7)]
    now, then = of_day(book, *yesterday), of_day(book, *before)
    is_known = place >= 7 and book.knows(day) and book.knows(weekday)
    course = days[max(0, place + 1 - COURSE):place + 1]
    while book.coverage(course[0][0]) == "none":
        course = course[1:]
    counts = [of_day(book, *span) for _, *span in course]
    made = {"stars": {"value": now["stars"]}}
    for name in ("active", "limit", "sub-taps", "new-subs", "reads"):
        made[name] = {"value": now[name], "change": change(now[name], then[name]) if is_known else None,
                      "trend": [None if name != "reads" and book.coverage(one[0]) == "none" else count[name]
                                for one, count in zip(course, counts)]}
    if book.knows(day):
        made["limit"]["share"] = share(now["limit"], now["active"])
    if book.has("online_counts"):
        loads = book.all("SELECT online FROM online_counts ORDER BY at DESC LIMIT 1")
        made["online"] = {"value": loads[0]["online"] if loads else None}
    return made


def month(book):
    """Of a day that is known in part what was counted, of an unknown one nothing."""
    rows = []
    for day, *span in whole_days(book, MONTH):
        counts = of_day(book, *span) if book.coverage(day) != "none" else None
        rows.append({"day": day, "not_blocked": counts and counts["taps"] - counts["blocked"],
                     "blocked": counts and counts["blocked"], "people": counts and counts["active"],
                     "data": book.coverage(day)})
    return ("day",), rows


def _tile_days(book):
    """(day, its counts, whether it is known) of the tiles' day and those before it."""
    days = whole_days(book, COURSE + 7)
    known = [one for one in days if book.coverage(one[0]) != "none"]
    place = days.index(known[-1]) + 1 if known else 0
    return [(day, of_day(book, *span), book.coverage(day) != "none") for day, *span in days[:place][-COURSE:]]


def people_by_day(book):
    return ("day",), [{"day": day, **{name: counts[name.replace("_", "-")] if is_known else None
                                      for name in ("active", "limit", "sub_taps", "new_subs")}}
                      for day, counts, is_known in _tile_days(book)]


def ratings_by_day(book):
    rows = []
    for (day, counts, is_known), (_, *span) in zip(_tile_days(book), _spans(book)):
        stars = {f"stars_{one}": book.one("SELECT COUNT(*) FROM events WHERE stars = ? AND at >= ? AND at < ?", one, *span)
                 for one in STARS}
        row = {"count": counts["stars"]["of"], "mean": counts["stars"], **stars}
        rows.append({"day": day, **{name: value if is_known or row["count"] else None for name, value in row.items()}})
    return ("day",), rows


def _spans(book):
    found = {day: (day, *span) for day, *span in whole_days(book, COURSE + 7)}
    return [found[day] for day, _, _ in _tile_days(book)]


def newest_reads(book):
    return ("day",), [{"day": day, "reads": counts["reads"]} for day, counts, _ in _tile_days(book)]


def newest_online(book):
    today = datetime.date.fromisoformat(book.one("SELECT local_day(?)", book.now))
    return ("day",), [{"day": row["day"], "online": row["online"]} for row in book.all(
        "SELECT local_day(at) AS day, online, MAX(at) FROM online_counts WHERE at >= ? AND at < ? GROUP BY 1",
        book.midnight(today - (COURSE - 1) * DAY), book.now)]


TABLES = {"month": month}
# Those behind the tiles, on the pages that the tiles lead to.
OF_TILES = {"people-by-day": people_by_day, "ratings-by-day": ratings_by_day, "newest-reads": newest_reads,
            "newest-online": newest_online}
# The newest low texts that the index shows.
LOW, SHOWN_TEXTS = STARS[2], 2
