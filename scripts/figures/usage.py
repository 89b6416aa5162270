"""The usage page, by docs/reports.md#usage."""
import datetime

from book import DAY, FEATURES, QUARTER
from pages import change, share

FREE = "(user_type IS NULL OR user_type NOT IN ('lite_subscriber', 'new_user'))"
BLOCKED = "kind IN ('blocked_limit_reached', 'blocked_cooldown')"
COUNTS = {
    "taps": "kind = 'button_tapped'", "performed": "kind = 'performed'", "blocked": BLOCKED,
    "other": f"(kind = 'button_tapped') - (kind = 'performed') - ({BLOCKED})", "popups": "kind = 'popup_shown'",
    "dismissed": "kind = 'popup_dismissed'", "bypassed": "kind IN ('new_user_bypass', 'lite_subscriber_bypass')",
    "subscription_taps": "kind = 'subscription_button_tapped'", "free_taps": f"kind = 'button_tapped' AND {FREE}",
    "free_blocked": f"{BLOCKED} AND {FREE}"}
SUMS = ", ".join(f"SUM({condition}) AS {name}" for name, condition in COUNTS.items())
COLUMNS = ("taps", "performed", "blocked", "other", "popups", "dismissed", "bypassed")
SEGMENTS = {"lite_subscriber": "Subscriber", "new_user": "New user", "free_user": "Free user"}
# The heaviest users that a page has at most, with its JSON.
FETCHED = 1_000
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
PEOPLE = "COUNT(DISTINCT NULLIF(user_id, ''))"


def sums(book, where="is_now", *values, what=SUMS):
    """The counts of some events; nothing is 0."""
    row = book.all(f"SELECT {PEOPLE} AS people, {what} FROM tally WHERE {where}", *values)[0]
    return {name: count or 0 for name, count in row.items()}


def compared(book, now, before):
    """The change of whole days, or none where the ledger does not know all of both sides."""
    return change(now, before) if book.compares else None


def trend(book, name, more=""):
    return book.by_day(f"SELECT local_day(at), SUM({COUNTS[name]}) FROM tally WHERE is_now {more} GROUP BY 1")


def figures(book):
    now, whole, before = sums(book), sums(book, "is_whole"), sums(book, "is_before")
    made = {"active-users": {"value": now["people"], "change": compared(book, whole["people"], before["people"])}}
    for name in ("taps", "performed", "blocked", "subscription_taps"):
        made[name.replace("_", "-")] = {
            "value": now[name], "change": compared(book, whole[name], before[name]), "trend": trend(book, name)}
    made["blocked"]["share"] = share(now["free_blocked"], now["free_taps"])
    return made


def by_day(book):
    columns = {name: trend(book, name) for name in COLUMNS}
    return ("day",), [{"day": day, **{name: columns[name][number] for name in COLUMNS}}
                      for number, day in enumerate(book.days)]


def today(book):
    """Until the last full quarter of an hour, beside the same hours by the clock on the wall a week ago."""
    until = book.end // QUARTER * QUARTER
    spans = [(book.midnight_of(until), until), (book.week_before(book.midnight_of(until)), book.week_before(until))]
    now, before = (sums(book, "at >= ? AND at < ?", *span) for span in spans)
    # An export comes when its day is over: of today there is nothing to compare until a line of it came.
    has_come = book.one("SELECT COUNT(*) FROM events WHERE at >= ? AND at < ?", *spans[0]) > 0
    return ("what",), [
        {"what": words, "so_far": now[name], "week_before": before[name] if has_come else None,
         "change": change(now[name], before[name]) if has_come else None}
        for words, name in (("People active", "people"), ("Taps", "taps"), ("Performed", "performed"),
                            ("Blocked", "blocked"), ("Subscription taps", "subscription_taps"))]


def _of_features(book, where="is_now"):
    found = {row["feature"]: row for row in book.all(
        f"SELECT feature, {SUMS} FROM tally WHERE {where} GROUP BY feature")}
    return {feature: found[feature] for feature in FEATURES if feature in found}


def _change_of(book, feature, name):
    nothing = dict.fromkeys(COUNTS, 0)
    whole, before = (_of_features(book, where).get(feature, nothing)[name] for where in ("is_whole", "is_before"))
    return compared(book, whole, before)


def by_feature(book):
    return ("feature",), [
        {"feature": feature.capitalize(), "taps": row["taps"], "blocked": share(row["free_blocked"], row["free_taps"]),
         "change": _change_of(book, feature, "taps"), "taps_by_day": trend(book, "taps", f"AND feature = '{feature}'")}
        for feature, row in _of_features(book).items()]


def changes(book):
    return ("feature", "what"), [
        {"feature": feature.capitalize(), "what": name.capitalize(), "count": row[name],
         "change": _change_of(book, feature, name)}
        for feature, row in _of_features(book).items() for name in COLUMNS]


def _segment(row):
    return SEGMENTS.get(row["user_type"], "Not told")


def _columns(row):
    """Of a segment; dismissed popups stand by day and by feature alone."""
    return {name: row[name] for name in COLUMNS if name != "dismissed"}


def by_segment(book):
    rows = [{"feature": row["feature"].capitalize(), "segment": _segment(row), **_columns(row)}
            for row in book.all(f"SELECT feature, user_type, {SUMS} FROM tally WHERE is_now GROUP BY 1, 2")]
    rows += [{"feature": feature.capitalize(), "segment": "All", **_columns(row)}
             for feature, row in _of_features(book).items()]
    return ("feature", "segment"), rows


def by_segment_and_day(book):
    columns = [name for name in COLUMNS if name not in ("dismissed", "bypassed")]
    return ("day", "feature", "segment"), [
        {"day": row["day"], "feature": row["feature"].capitalize(), "segment": _segment(row),
         **{name: row[name] for name in columns}}
        for row in book.all(
            f"SELECT local_day(at) AS day, feature, user_type, {SUMS} FROM tally WHERE is_now GROUP BY 1, 2, 3")
        if any(row[name] for name in COLUMNS)]


def by_hour(book):
    found = {(row["hour"], row["weekday"]): row["taps"] for row in book.all(
        "SELECT local_hour(at) AS hour, local_weekday(at) AS weekday, COUNT(*) AS taps FROM tally"
        " WHERE is_now AND kind = 'button_tapped' GROUP BY 1, 2")}
    # Hours that are not in the period, as those to come, have no number, and those that the ledger does not know.
    unknown = [(book.midnight(date), book.midnight(date + DAY)) for date in map(datetime.date.fromisoformat, book.days)
               if book.is_unknown(str(date))] + book.gap_spans
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


def heaviest(book):
    return ("user_id",), [
        {"user_id": row["user_id"], "taps": row["taps"], "performed": row["performed"],
         "blocked": share(row["free_blocked"], row["free_taps"])}
        for row in book.all(f"SELECT user_id, {SUMS} FROM tally WHERE is_now AND user_id <> '' GROUP BY 1")], FETCHED


def tables(book):
    is_running = book.midnight_of(book.end) < book.end // QUARTER * QUARTER
    return {**TABLES, **({"today": today} if is_running else {})}


TABLES = {
    "usage-by-day": by_day, "usage-by-feature": by_feature, "usage-changes": changes,
    "usage-by-segment": by_segment, "usage-by-feature-segment-day": by_segment_and_day,
    "taps-by-hour": by_hour, "heaviest-users": heaviest}
