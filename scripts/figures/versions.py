"""The versions in use, by docs/people.md#retention."""
import collections
import datetime

from book import DAY
from coverage import HISTORY_DAYS
from pages import share


def versions(book):
    """People of the last whole day of the period, and of the last one before it, by version."""
    today = datetime.date.fromisoformat(book.one("SELECT local_day(?)", book.now))
    days = [today - number * DAY for number in range(1, HISTORY_DAYS)]
    whole = [day for day in days if book.midnight(day) < book.end and book.knows(str(day))]
    inside = [day for day in whole if book.midnight(day + DAY) > book.start]
    earlier = [day for day in whole if book.midnight(day + DAY) <= book.start]
    sides = [_by_version(book, some[0]) if some else {} for some in (inside, earlier)]
    totals = [sum(side.values()) for side in sides]
    if not totals[0]:
        return ("version",), []
    rows = [{"version": name, **{key: share(side.get(name, 0), total) if total else None
                                 for key, side, total in zip(("now", "before"), sides, totals)}}
            for name in sorted(set(sides[0]) | set(sides[1]))]
    return ("version",), rows


def _by_version(book, day):
    rows = book.all("SELECT ifnull(app_version, 'unknown') AS version, min(at) AS first FROM events"
                    " WHERE feature IS NOT NULL AND user_id <> '' AND at >= ? AND at < ? GROUP BY user_id",
                    book.midnight(day), book.midnight(day + DAY))
    return collections.Counter(row["version"] for row in rows)
