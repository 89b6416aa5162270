"""Figures and tables that show what the ledger does not know, counted by SQL of their own: docs/reports/days.md.

The days and hours of the usage page, its figures, and the tiles and the month of the index.
"""
import datetime

from book import DAY, ONE_DAY, QUARTER
from pages import change, mean, share

BLOCKED = "kind IN ('blocked_limit_reached', 'blocked_cooldown')"
FREE = "(user_type IS NULL OR user_type NOT IN ('lite_subscriber', 'new_user'))"
COUNTS = {
    "taps": "kind = 'button_tapped'", "performed": "kind = 'performed'", "blocked": BLOCKED,
    "other": f"(kind = 'button_tapped') - (kind = 'performed') - ({BLOCKED})", "popups": "kind = 'popup_shown'",
    "dismissed": "kind = 'popup_dismissed'", "bypassed": "kind IN ('new_user_bypass', 'lite_subscriber_bypass')",
    "subscription_taps": "kind = 'subscription_button_tapped'", "free_taps": f"kind = 'button_tapped' AND {FREE}",
    "free_blocked": f"{BLOCKED} AND {FREE}"}
SUMS = ", ".join(f"SUM({condition}) AS {name}" for name, condition in COUNTS.items())
BY_DAY = ("taps", "performed", "blocked", "other", "popups", "dismissed", "bypassed")
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
HISTORY_DAYS = 102
# Days of the course under a tile, and of the drawing.
COURSE, MONTH = 28, 28
# A person whom the history called free or new, and who is a subscriber for the first time.
NEW = """
  SELECT MIN(CASE WHEN user_type = 'lite_subscriber' THEN at END) AS first,
    MIN(CASE WHEN user_type <> 'lite_subscriber' THEN at END) AS other
  FROM events WHERE feature IS NOT NULL AND user_id <> '' AND at >= ? GROUP BY user_id
  HAVING other < first AND first >= ? AND first < ?"""


# The usage page

def sums(book, where="is_now", *values):
    """The counts of some events; nothing is 0."""
    row = book.all(f"SELECT COUNT(DISTINCT NULLIF(user_id, '')) AS people, {SUMS} FROM tally WHERE {where}", *values)[0]
    return {name: count or 0 for name, count in row.items()}


def compared(book, now, before):
    """The change of whole days, or none where the ledger does not know all of both sides."""
    return change(now, before) if book.compares else None


def course(book, name):
    return book.by_day(f"SELECT local_day(at), SUM({COUNTS[name]}) FROM tally WHERE is_now GROUP BY 1")


def usage_figures(book):
    now, whole, before = sums(book), sums(book, "is_whole"), sums(book, "is_before")
    made = {"active-users": {"value": now["people"], "change": compared(book, whole["people"], before["people"])}}
    for name in ("taps", "performed", "blocked", "subscription_taps"):
        made[name.replace("_", "-")] = {
            "value": now[name], "change": compared(book, whole[name], before[name]), "trend": [
                None if book.awaits(day) else count for day, count in zip(book.days, course(book, name))]}
    made["blocked"]["share"] = share(now["free_blocked"], now["free_taps"])
    return made


def by_day(book):
    columns = {name: course(book, name) for name in BY_DAY}
    columns["not_blocked"] = [None if taps is None else max(0, taps - (blocked or 0))
                              for taps, blocked in zip(columns["taps"], columns["blocked"])]
    return ("day",), [{"day": day, **{name: counts[number] for name, counts in columns.items()}}
                      for number, day in enumerate(book.days)]


def today(book):
    """Until the last full quarter of an hour, beside the same hours by the clock on the wall a week ago; where an
    export brings the day, as a week ago, until its newest line."""
    midnight, until = book.midnight_of(book.end // QUARTER * QUARTER), book.end
    lines = "SELECT MAX(at) FROM events WHERE source <> 'session' AND at >= ? AND at < ?"
    by_export = book.one(lines, book.week_before(midnight), midnight - 6 * ONE_DAY)
    if by_export:
        until = min(until, book.one(lines, midnight, book.end + 1) or until)
    until = until // QUARTER * QUARTER
    spans = [(book.midnight_of(until), until), (book.week_before(book.midnight_of(until)), book.week_before(until))]
    now, before = (sums(book, "at >= ? AND at < ?", *span) for span in spans)
    # An export comes when its day is over: of today there is nothing to compare until a line of it came.
    has_come = book.one(lines, *spans[0]) is not None if by_export else book.one(
        "SELECT COUNT(*) FROM events WHERE at >= ? AND at < ?", *spans[0]) > 0
    rows = [
        {"what": words, "so_far": now[name] or (None if book.awaits(str(book.date_of(book.now))) else 0), "week_before": before[name] if has_come else None,
         "change": change(now[name], before[name]) if has_come else None}
        for words, name in (("People active", "people"), ("Taps", "taps"), ("Performed", "performed"),
                            ("Blocked", "blocked"), ("Subscription taps", "subscription_taps"))]
    return ("what",), [row for row in rows if row["so_far"] is not None or row["week_before"] is not None]


def by_hour(book):
    found = {(row["hour"], row["weekday"]): row["taps"] for row in book.all(
        "SELECT local_hour(at) AS hour, local_weekday(at) AS weekday, COUNT(*) AS taps FROM tally"
        " WHERE is_now AND kind = 'button_tapped' GROUP BY 1, 2")}
    # Hours that are not in the period, as those to come, have no number, and those that the ledger does not know.
    unknown = [(book.midnight(date), book.midnight(date + DAY)) for date in map(datetime.date.fromisoformat, book.days)
               if book.is_unknown(str(date)) or book.awaits(str(date))] + book.gap_spans
    known = " AND ".join(f"NOT (at >= {start} AND at < {end})" for start, end in unknown) or "1"
    within = {(row["hour"], row["weekday"]) for row in book.all(
        "WITH RECURSIVE quarter(at) AS (SELECT ? UNION ALL"
        " SELECT at + 900000000 FROM quarter WHERE at + 900000000 < ?)"
        f" SELECT DISTINCT local_hour(at) AS hour, local_weekday(at) AS weekday FROM quarter WHERE {known}",
        book.start, book.end)}
    return ("hour",), [
        {"hour": f"{hour:02}:00", **{
            day.lower(): found.get((f"{hour:02}:00", day), 0 if (f"{hour:02}:00", day) in within else None)
            for day in WEEKDAYS}}
        for hour in range(24)]


def usage_tables(book):
    is_running = book.midnight_of(book.end) < book.end // QUARTER * QUARTER
    return {"usage-by-day": by_day, "taps-by-hour": by_hour, "people-by-day": people_by_day,
            **({"today": today} if is_running else {})}


# The index

def whole_days(book, count):
    """The last days that are over, as (day, start, end), oldest first."""
    now = datetime.date.fromisoformat(book.one("SELECT local_day(?)", book.end))
    return [(str(day), book.midnight(day), book.midnight(day + DAY))
            for day in (now - number * DAY for number in range(count, 0, -1))]


def of_day(book, start, end):
    """The counts of one day."""
    history = book.midnight_of(book.end) - (HISTORY_DAYS - 1) * ONE_DAY
    found = book.all(
        "SELECT COUNT(DISTINCT NULLIF(user_id, '')) AS active,"
        f" COUNT(DISTINCT CASE WHEN {BLOCKED} THEN NULLIF(user_id, '') END) AS \"limit\","
        " COALESCE(SUM(kind = 'subscription_button_tapped'), 0) AS \"sub-taps\","
        f" COALESCE(SUM(kind = 'button_tapped'), 0) AS taps, COALESCE(SUM({BLOCKED}), 0) AS blocked"
        " FROM events WHERE feature IS NOT NULL AND kind IS NOT NULL AND at >= ? AND at < ?", start, end)[0]
    stars = book.all("SELECT COUNT(*) AS count, SUM(stars) AS total FROM events"
                     " WHERE stars IS NOT NULL AND at >= ? AND at < ?", start, end)[0]
    return {**found, "new-subs": book.one(f"SELECT COUNT(*) FROM ({NEW})", history, start, end),
            "stars": mean(stars["total"] or 0, stars["count"]),
            "reads": book.one("SELECT COALESCE(SUM(billed_reads), 0) FROM sync_runs"
                              " WHERE started_at >= ? AND started_at < ?", start, end)}


def index_figures(book):
    """Tiles of the newest day of which anything is known, beside the same weekday a week before."""
    days = whole_days(book, COURSE + 7)
    known = [one for one in days if book.coverage(one[0]) != "none"]
    if not known:
        return {}
    place = days.index(known[-1])
    (day, *yesterday), (weekday, *before) = days[place], days[max(0, place - 7)]
    now, then = of_day(book, *yesterday), of_day(book, *before)
    # With four same weekdays of the six weeks before, a tile is judged by these, and has no change.
    weeks = whole_days(book, COURSE + 42)[:-1 - (len(days) - 1 - place)][-7::-7][:6]
    is_judged = sum(book.coverage(one[0]) == "whole" for one in weeks) >= 4
    is_known = place >= 7 and book.knows(day) and book.knows(weekday) and not is_judged
    shown = days[max(0, place + 1 - COURSE):place + 1]
    while book.coverage(shown[0][0]) == "none":
        shown = shown[1:]
    counts = [of_day(book, *span) for _, *span in shown]
    # Nobody knows what was read before the first run that read something.
    first_read = book.one("SELECT MIN(started_at) FROM sync_runs WHERE billed_reads > 0 AND started_at >= ?",
                          whole_days(book, HISTORY_DAYS)[0][1])
    def is_known_of(name, day, start, end):
        return first_read is not None and first_read < end if name == "reads" else book.coverage(day) != "none"
    made = {"stars": {"value": now["stars"]}}
    for name in ("active", "limit", "sub-taps", "new-subs", "reads"):
        made[name] = {"value": now[name], "change": change(now[name], then[name]) if is_known else None,
                      "trend": [count[name] if is_known_of(name, *one) else None
                                for one, count in zip(shown, counts)]}
    if book.knows(day):
        made["limit"]["share"] = share(now["limit"], now["active"])
    return made


def month(book):
    """Of a day that is known in part what was counted, of an unknown one nothing."""
    rows = []
    for day, *span in whole_days(book, MONTH):
        counts = of_day(book, *span) if book.coverage(day) != "none" else None
        rows.append({"day": day, "not_blocked": counts and counts["taps"] - counts["blocked"],
                     "blocked": counts and counts["blocked"], "people": counts and counts["active"],
                     "data": book.data(day)})
    return ("day",), rows


def people_by_day(book):
    """Behind the tiles: their day, and those before it."""
    days = whole_days(book, COURSE + 7)
    known = [one for one in days if book.coverage(one[0]) != "none"]
    rows = []
    for day, *span in days[:days.index(known[-1]) + 1 if known else 0][-COURSE:]:
        counts, is_known = of_day(book, *span), book.coverage(day) != "none"
        rows.append({"day": day, **{name: counts[name.replace("_", "-")] if is_known else None
                                    for name in ("active", "limit", "sub_taps", "new_subs")}})
    return ("day",), rows


def index_tables(_):
    return {"month": month}


# By page.
FIGURES = {"usage": usage_figures, "index": index_figures}
TABLES = {"usage": usage_tables, "index": index_tables}
