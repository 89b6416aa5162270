"""Money, by docs/people.md#money, and the forecast of docs/findings.md#reads."""
import datetime
import math
import statistics

import index
import persons
from book import DAY
from pages import rounded
from runs import PRICE

WEEKS, FEWEST_WEEKS, REACH, NORMAL = 6, 2, 2, 1.4826


def income(book):
    return None, [{"new_subscribers": len(persons.new_subscribers(book))}]


def amount(book, start, end):
    """What the reads of all runs cost, by the price of their day or the present one."""
    return book.one("SELECT COALESCE(SUM(COALESCE(estimated_cost, billed_reads * ?)), 0) FROM sync_runs"
                    " WHERE started_at >= ? AND started_at < ?", PRICE, start, end)


def read_costs(book):
    active = book.one("SELECT COUNT(DISTINCT NULLIF(user_id, '')) FROM tally WHERE is_now")
    period = amount(book, book.start, book.end)
    month = amount(book, book.midnight(today(book).replace(day=1)), book.now)
    lines = [period, period / active if active else None, month]
    reads = forecast(book)
    lines += [PRICE * count for count in reads] if reads else []
    return None, [{"cost": None if line is None else {"amount": rounded(line, 6), "currency": "USD"}}
                  for line in lines]


def today(book):
    return datetime.date.fromisoformat(book.one("SELECT local_day(?)", book.now))


def forecast(book):
    """(at least, middle, at most) reads of the month; None with too few weeks."""
    now = today(book)
    reads = {day: 0 for day in (now - number * DAY for number in range(index.HISTORY_DAYS))}
    for row in book.all("SELECT local_day(started_at) AS day, SUM(billed_reads) AS reads FROM sync_runs GROUP BY 1"):
        if datetime.date.fromisoformat(row["day"]) in reads:
            reads[datetime.date.fromisoformat(row["day"])] = row["reads"]
    first = min((day for day, count in reads.items() if count), default=None)
    if first is None:
        return None
    so_far = sum(count for day, count in reads.items() if (day.year, day.month) == (now.year, now.month))
    rest, variance, day = 0, 0, now
    while day.month == now.month:
        before = [reads[one] for one in (day - number * 7 * DAY for number in range(1, 20))
                  if first <= one < now][:WEEKS]
        if len(before) < FEWEST_WEEKS:
            return None
        middle = statistics.median(before)
        rest += max(0, middle - reads.get(day, 0))
        variance += (NORMAL * statistics.median(abs(one - middle) for one in before)) ** 2
        day += DAY
    reach = REACH * math.sqrt(variance)
    return max(so_far, so_far + rest - reach), so_far + rest, so_far + rest + reach

