"""The usage page, by docs/reports.md#usage."""
from book import FEATURES
from pages import change, share

COUNTS = {
    "taps": "kind = 'button_tapped'", "popups": "kind = 'popup_shown'", "performed": "kind = 'performed'",
    "blocked": "kind IN ('blocked_limit_reached', 'blocked_cooldown')",
    "bypassed": "kind IN ('new_user_bypass', 'lite_subscriber_bypass')",
    "subscription_taps": "kind = 'subscription_button_tapped'"}
SUMS = ", ".join(f"SUM({condition}) AS {name}" for name, condition in COUNTS.items())
FIVE = ("taps", "popups", "performed", "blocked", "bypassed")
SEGMENTS = {"lite_subscriber": "Subscriber", "new_user": "New user", "free_user": "Free user"}
# The heaviest users that a page has at most, with its JSON.
FETCHED = 1_000
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def count(book, name, is_now=1):
    return book.one(f"SELECT COALESCE(SUM({COUNTS[name]}), 0) FROM tally WHERE is_now = ?", is_now)


def trend(book, name, more=""):
    return book.by_day(
        f"SELECT local_day(at), COUNT(*) FROM tally WHERE is_now AND {COUNTS[name]} {more} GROUP BY 1")


def figures(book):
    people = [book.one("SELECT COUNT(DISTINCT user_id) FROM tally WHERE is_now = ? AND user_id <> ''", is_now)
              for is_now in (1, 0)]
    made = {"active-users": {"value": people[0], "change": change(*people)}}
    for name in ("taps", "performed", "blocked", "subscription_taps"):
        now = count(book, name)
        made[name.replace("_", "-")] = {
            "value": now, "change": change(now, count(book, name, 0)), "trend": trend(book, name)}
    made["blocked"]["share"] = share(count(book, "blocked"), count(book, "taps"))
    return made


def by_day(book):
    columns = {name: trend(book, name) for name in FIVE}
    return ("day",), [{"day": day, **{name: columns[name][number] for name in FIVE}}
                      for number, day in enumerate(book.days)]


def _of_features(book, is_now=1):
    found = {row["feature"]: row for row in book.all(
        f"SELECT feature, {SUMS} FROM tally WHERE is_now = ? GROUP BY feature", is_now)}
    return {feature: found[feature] for feature in FEATURES if feature in found}


def by_feature(book):
    now, before = _of_features(book), _of_features(book, 0)
    return ("feature",), [
        {"feature": feature.capitalize(), "taps": row["taps"], "blocked": share(row["blocked"], row["taps"]),
         "change": change(row["taps"], before.get(feature, {"taps": 0})["taps"]),
         "taps_by_day": trend(book, "taps", f"AND feature = '{feature}'")}
        for feature, row in now.items()]


def changes(book):
    now, before = _of_features(book), _of_features(book, 0)
    return ("feature", "what"), [
        {"feature": feature.capitalize(), "what": name.capitalize(), "count": row[name],
         "change": change(row[name], before.get(feature, {name: 0})[name])}
        for feature, row in now.items() for name in FIVE]


def _segment(row):
    return SEGMENTS.get(row["user_type"], "Not told")


def by_segment(book):
    rows = [{"feature": row["feature"].capitalize(), "segment": _segment(row), **{name: row[name] for name in FIVE}}
            for row in book.all(f"SELECT feature, user_type, {SUMS} FROM tally WHERE is_now GROUP BY 1, 2")]
    rows += [{"feature": feature.capitalize(), "segment": "All", **{name: row[name] for name in FIVE}}
             for feature, row in _of_features(book).items()]
    return ("feature", "segment"), rows


def by_segment_and_day(book):
    return ("day", "feature", "segment"), [
        {"day": row["day"], "feature": row["feature"].capitalize(), "segment": _segment(row),
         **{name: row[name] for name in FIVE}}
        for row in book.all(
            f"SELECT local_day(at) AS day, feature, user_type, {SUMS} FROM tally WHERE is_now GROUP BY 1, 2, 3")]


# A person's taps on the subscription button with what the attempt before each ended in, and the person's first
# event as a subscriber after one of them.
TAPPED = """
  WITH numbered AS (
    SELECT *, SUM(kind = 'button_tapped') OVER (
      PARTITION BY user_id, feature ORDER BY at, id ROWS UNBOUNDED PRECEDING) AS attempt
    FROM tally WHERE user_id <> ''),
  ended AS (
    SELECT user_id, feature, attempt, MAX(kind LIKE 'blocked_%') AS is_blocked
    FROM numbered GROUP BY 1, 2, 3),
  taps AS (
    SELECT numbered.id, numbered.at, numbered.user_id, numbered.feature, numbered.is_now, ended.is_blocked
    FROM numbered JOIN ended USING (user_id, feature, attempt)
    WHERE numbered.kind = 'subscription_button_tapped')
"""
SEEN = TAPPED + """,
  firsts AS (
    SELECT tally.user_id, MIN(tally.at) AS at FROM tally
    JOIN (SELECT user_id, MIN(at) AS at FROM taps GROUP BY 1) AS began
      ON began.user_id = tally.user_id AND began.at < tally.at
    WHERE tally.user_type = 'lite_subscriber' GROUP BY 1),
  seen AS (
    SELECT taps.feature, taps.is_blocked, ROW_NUMBER() OVER (
      PARTITION BY taps.user_id ORDER BY taps.at DESC, taps.id DESC) AS place
    FROM firsts JOIN taps ON taps.user_id = firsts.user_id AND taps.at < firsts.at
    WHERE firsts.at >= ?)
"""


def _seen(book):
    return {(row["feature"], row["is_blocked"]): row["people"] for row in book.all(
        SEEN + "SELECT feature, is_blocked, COUNT(*) AS people FROM seen WHERE place = 1 GROUP BY 1, 2", book.start)}


def funnel(book):
    stages = [("Tap", count(book, "taps")), ("Popup shown", count(book, "popups")),
              ("Subscription tapped", count(book, "subscription_taps")), ("Seen as subscriber", sum(_seen(book).values()))]
    rows = [{"stage": stages[0][0], "count": stages[0][1], "of_previous": None}]
    for (_, whole), (stage, part) in zip(stages, stages[1:]):
        rows.append({"stage": stage, "count": part, "of_previous": share(part, whole)})
    return ("stage",), rows


def funnel_by_feature(book):
    return ("feature",), [
        {"feature": feature.capitalize(), "taps": row["taps"], "popups": share(row["popups"], row["taps"]),
         "subscription_taps": share(row["subscription_taps"], row["popups"])}
        for feature, row in _of_features(book).items()]


def subscriptions(book):
    """Popups and taps of people who are known, apart for blocked attempts and others."""
    taps = {(row["feature"], row["is_blocked"]): row["taps"] for row in book.all(
        TAPPED + "SELECT feature, is_blocked, COUNT(*) AS taps FROM taps WHERE is_now GROUP BY 1, 2")}
    seen, rows = _seen(book), []
    of_features = _of_features(book)
    for feature, row in of_features.items():
        for is_blocked, popups in ((0, row["popups"] - row["blocked"]), (1, row["blocked"])):
            key = (feature, is_blocked)
            rows.append((feature.capitalize(), is_blocked, popups, taps.get(key, 0), seen.get(key, 0)))
    for is_blocked in (0, 1):
        sums = [sum(row[column] for row in rows if row[1] == is_blocked and row[0] != "All features")
                for column in (2, 3, 4)]
        rows.append(("All features", is_blocked, *sums))
    words = ("With uses left", "At the limit")
    return ("feature", "popup"), [
        {"feature": feature, "popup": words[is_blocked], "popups": popups, "subscription_taps": share(tapped, popups),
         "subscribed": share(subscribed, tapped)} for feature, is_blocked, popups, tapped, subscribed in rows]


def by_hour(book):
    found = {(row["hour"], row["weekday"]): row["taps"] for row in book.all(
        "SELECT local_hour(at) AS hour, local_weekday(at) AS weekday, COUNT(*) AS taps FROM tally"
        " WHERE is_now AND kind = 'button_tapped' GROUP BY 1, 2")}
    return ("hour",), [
        {"hour": f"{hour:02}:00", **{day.lower(): found.get((f"{hour:02}:00", day), 0) for day in WEEKDAYS}}
        for hour in range(24)]


def heaviest(book):
    return ("user_id",), [
        {"user_id": row["user_id"], "taps": row["taps"], "performed": row["performed"],
         "blocked": share(row["blocked"], row["taps"])}
        for row in book.all(f"SELECT user_id, {SUMS} FROM tally WHERE is_now AND user_id <> '' GROUP BY 1")], FETCHED


TABLES = {
    "usage-by-day": by_day, "usage-by-feature": by_feature, "usage-changes": changes,
    "usage-by-segment": by_segment, "usage-by-feature-segment-day": by_segment_and_day, "funnel": funnel,
    "funnel-by-feature": funnel_by_feature, "subscriptions": subscriptions, "taps-by-hour": by_hour,
    "heaviest-users": heaviest}
