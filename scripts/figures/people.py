"""The sections about people, by docs/people.md: funnel, retention, demand, money, changed limits."""
import datetime
import json
import math

from book import DAY, ONE_DAY, SECOND, monday
from coverage import HISTORY_DAYS, NEW
from pages import change, rounded, share
from versions import versions

BLOCKS = ("blocked_limit_reached", "blocked_cooldown")
CRITERIA = ("gender", "country", "language", "age", "nearby")
EXPERIMENT_DAYS, EXPERIMENTS_FROM = 14, 60
COHORT_AFTER = 14
Z = 1.959963984540054


# Intervals

def wilson(part, whole, z=Z):
    """95 % interval of a share; another one by its `z`."""
    exact = part / whole
    middle, width = exact + z * z / (2 * whole), z * ((exact * (1 - exact) + z * z / (4 * whole)) / whole) ** 0.5
    return max(0, (middle - width) / (1 + z * z / whole)), min(1, (middle + width) / (1 + z * z / whole))


def newcombe(before, after, z=Z, prices=(1, 1)):
    """95 % interval of the difference of two shares, each (part, whole), or of two shares times their prices."""
    one, two = before[0] / before[1], after[0] / after[1]
    (low_1, high_1), (low_2, high_2) = wilson(*before, z), wilson(*after, z)
    def reach(first, second):
        return ((prices[1] * (two - second)) ** 2 + (prices[0] * (one - first)) ** 2) ** 0.5
    difference = prices[1] * two - prices[0] * one
    return difference - reach(high_1, low_2), difference + reach(low_1, high_2)


def verdict(before, after):
    low, high = newcombe(before, after)
    return "higher" if low > 0 else "lower" if high < 0 else "not proven"


def rate(part, whole):
    low, high = wilson(part, whole) if whole else (None, None)
    return {**share(part, whole), "low_percent": None if low is None else rounded(100 * low, 1),
            "high_percent": None if high is None else rounded(100 * high, 1)}


def points(before, after):
    if not before[1] or not after[1]:
        return None
    low, high = newcombe(before, after)
    return {"points": rounded(100 * (after[0] / after[1] - before[0] / before[1]), 1),
            "low_points": rounded(100 * low, 1), "high_points": rounded(100 * high, 1)}


def told(text):
    """The parameters of an event, without the first word of their names, which is the platform."""
    return {name.split("_", 1)[-1] if name.split("_")[0] in ("ios", "android") else name: value
            for name, value in json.loads(text).items()}


# Funnel

class Someone:
    """What one person did in the period, or on a side of its comparison."""

    def __init__(self):
        self.active = self.popup = self.through = False
        self.first_tap = self.first_block = self.tap = None
        self.taps_until_block = 0
        self.country, self.criteria = "", set()


def everybody(book, side="now"):
    """By user id: one pass over the events of the period in their order, or of the `whole` or `before` side of it."""
    found = {}
    for row in book.all(
            f"SELECT tally.*, events.country FROM tally JOIN events USING (id) WHERE is_{side} AND tally.user_id <> ''"
            " ORDER BY tally.at, tally.id"):
        one = found.setdefault(row["user_id"], Someone())
        is_free, kind = row["user_type"] == "free_user", row["kind"]
        one.active |= is_free
        one.popup |= is_free and kind == "popup_shown"
        one.country = one.country or row["country"] or ""
        if not is_free:
            continue
        if kind == "button_tapped":
            one.first_tap = row["at"] if one.first_tap is None else one.first_tap
            one.taps_until_block += one.first_block is None
            if row["feature"] == "filter":
                one.criteria |= set(criteria_of(told(row["parameters"]))) or {""}
        elif kind in BLOCKS and one.first_block is None:
            one.first_block = row["at"]
        elif kind == "subscription_button_tapped" and one.first_block is not None and one.tap is None:
            one.tap = row["at"]
    for user in through_the_limit(book, side):
        found[user].through = True
    return found


def history_start(book):
    return book.midnight_of(book.end) - (HISTORY_DAYS - 1) * ONE_DAY


def through_the_limit(book, side="now"):
    """Who became a subscriber then, blocked before it and then tapping to subscribe, at any time of the history."""
    history = history_start(book)
    start, end = {"now": (book.start, book.end), "whole": (book.start, book.whole_end),
                  "before": (book.before, book.before_end)}[side]
    new = {row["user_id"]: row["first"] for row in book.all(
        NEW.replace("SELECT", "SELECT user_id,", 1), history, start, end)}
    blocked, found = set(), set()
    for row in book.all("SELECT user_id, kind, at FROM events WHERE feature IS NOT NULL AND user_type = 'free_user'"
                        " AND at >= ? AND at < ? ORDER BY at, id", history, end):
        user, kind = row["user_id"], row["kind"]
        if user in new and row["at"] <= new[user]:
            if kind in BLOCKS:
                blocked.add(user)
            elif kind == "subscription_button_tapped" and user in blocked:
                found.add(user)
    return found


def criteria_of(parameters):
    """The criteria of a tap on the filter."""
    words = parameters.get("filter_criteria", "")
    named = [name for name in CRITERIA if parameters.get(f"filter_{name}") or any(
        part.strip().split(" ")[0] == name for part in words.split(","))]
    return [name for name in CRITERIA if name in named]


def stages(ones):
    """People at each of the five stages; each stage is of the one before, and who came through the limit in each."""
    counts = []
    for went in (lambda one: one.active, lambda one: one.popup, lambda one: one.first_block is not None,
                 lambda one: one.tap is not None, lambda one: False):
        ones = [one for one in ones if one.through or went(one)]
        counts.append(len(ones))
    return counts


def funnel(book):
    counts = stages(everybody(book).values())
    rows = [{"people": counts[0], "of_previous": None, "of_active": None, "lost": None}]
    for before, people in zip(counts, counts[1:]):
        rows.append({"people": people, "of_previous": rate(people, before), "of_active": rate(people, counts[0]),
                     "lost": before - people})
    return None, rows


def funnel_before(book):
    """Both sides of the comparison, where people are followed on both."""
    if not (book.compares and book.before >= history_start(book) and funnel(book)[1][0]["people"]):
        return None, []
    now, then = (stages(everybody(book, side).values()) for side in ("whole", "before"))
    rows = [{"people": now[0], "people_before": then[0], "share": None, "share_before": None, "verdict": None}]
    for place in range(1, len(now)):
        sides = (then[place], then[place - 1]), (now[place], now[place - 1])
        rows.append({"people": now[place], "people_before": then[place], "share": share(*sides[1]),
                     "share_before": share(*sides[0]), "verdict": verdict(*sides) if sides[0][1] and sides[1][1] else None})
    return None, rows


def sells(book):
    """The digest of the index."""
    return None, [{"people": row["people"], "of_previous": row["of_previous"]} for row in funnel(book)[1]]


def quantile(values, share_):
    """Definition 7 of Hyndman and Fan, R's default."""
    place = (len(values) - 1) * share_
    low = int(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (place - low) * (values[high] - values[low])


def time_to_block(book):
    blocked = [one for one in everybody(book).values() if one.first_block is not None and one.first_tap is not None]
    at_first = [one for one in blocked if one.taps_until_block == 1]
    delays = sorted((one.first_block - one.first_tap) // SECOND for one in blocked if one.taps_until_block > 1)
    quarters = {name: quantile(delays, part) if delays else None
                for name, part in (("quarter", 0.25), ("median", 0.5), ("three_quarters", 0.75))}
    return None, [{"people": len(delays), "at_first_tap": len(at_first), **quarters}] if blocked else []


def by_attempt(book):
    saw, tapped = {}, {}
    for row in book.all("SELECT user_id, kind, parameters FROM tally WHERE is_now AND user_id <> ''"
                        " AND kind IN ('popup_shown', 'subscription_button_tapped')"):
        parameters = told(row["parameters"])
        if "usage_limit" in parameters and "current_usage" in parameters:
            left = max(0, parameters["usage_limit"] - parameters["current_usage"])
            (saw if row["kind"] == "popup_shown" else tapped).setdefault(left, set()).add(row["user_id"])
    words = {0: "no use left: blocked", 1: "1 use left"}
    return ("left",), [{"left": words.get(left, f"{left} uses left"), "people": len(people),
                        "tapped": rate(len(people & tapped.get(left, set())), len(people))}
                       for left, people in saw.items()]


def group_rows(key, groups):
    rows = []
    for name, ones in groups.items():
        active, _, blocked, tapped, subscribed = stages(ones)
        rows.append({key: name, "active": active, "blocked": rate(blocked, active), "tapped": rate(tapped, active),
                     "subscribed": subscribed})
    return (key,), [row for row in rows if row["active"]]


def by_country(book):
    groups = {}
    for one in everybody(book).values():
        groups.setdefault(one.country or "not told", []).append(one)
    return group_rows("country", groups)


def by_criteria(book):
    groups = {}
    for one in everybody(book).values():
        for name in one.criteria:
            groups.setdefault(name.capitalize() or "No criterion", []).append(one)
    return group_rows("criterion", groups)


# Demand

def demand(book):
    """(taps by combination, people by combination, results by combination, people by gender and by country)."""
    taps, people, results, wanted = {}, {}, {}, {"gender": {}, "country": {}}
    for row in book.all("SELECT user_id, kind, parameters FROM tally WHERE is_now AND feature = 'filter'"
                        " AND kind IN ('button_tapped', 'performed') AND user_id <> ''"):
        parameters = told(row["parameters"])
        key = " + ".join(criteria_of(parameters)) or "no criterion"
        if row["kind"] == "button_tapped":
            taps[key] = taps.get(key, 0) + 1
            people.setdefault(key, set()).add(row["user_id"])
            for name, groups in wanted.items():
                if parameters.get(f"filter_{name}"):
                    groups.setdefault(parameters[f"filter_{name}"], set()).add(row["user_id"])
        elif "filter_result_count" in parameters:
            results.setdefault(key, []).append(parameters["filter_result_count"])
    return taps, people, results, wanted


def combinations(book):
    taps, people, results, _ = demand(book)
    everyone = len(set().union(*people.values())) if people else 0
    return ("criteria",), [
        {"criteria": key, "taps": share(count, sum(taps.values())), "people": share(len(people[key]), everyone),
         "empty": rate(sum(one == 0 for one in results[key]), len(results[key])) if results.get(key) else None}
        for key, count in taps.items()]


def wanted(name):
    def rows(book):
        _, people, _, found = demand(book)
        everyone = len(set().union(*people.values())) if people else 0
        users = book.one("SELECT COUNT(*) FROM OnlineUsers")
        # Of a sample there are no shares.
        is_sample = book.one("SELECT is_sample FROM online_counts WHERE at <= ? ORDER BY at DESC LIMIT 1", book.now)
        return (name,), [
            {name: value, "people": share(len(ones), everyone), **({} if is_sample else {"users": share(book.one(
                f"SELECT COUNT(*) FROM OnlineUsers WHERE LOWER(user_{name}) = LOWER(?)", value), users)})}
            for value, ones in found[name].items()]
    return rows


# Retention

def first_day(book):
    """The day of the first event of a limited feature, of those that are looked at."""
    today = datetime.date.fromisoformat(book.one("SELECT local_day(?)", book.end - 1))
    first = book.one("SELECT local_day(MIN(at)) FROM events WHERE feature IS NOT NULL AND kind IS NOT NULL")
    return max(datetime.date.fromisoformat(first), today - (HISTORY_DAYS - 1) * DAY)


def first_whole(book):
    day = first_day(book)
    while not book.knows(str(day)):
        day += DAY
    return day


def active_people(book):
    today, rows = datetime.date.fromisoformat(book.one("SELECT local_day(?)", book.end)), []
    for day in (today - number * DAY for number in range(28, 0, -1)):
        if day < first_day(book):
            continue
        end = book.midnight(day + DAY)
        counts, data = {}, book.coverage(str(day))
        for length in (1, 7, 28):
            start = book.midnight(day - (length - 1) * DAY)
            is_there = data != "none" if length == 1 else day - (length - 1) * DAY >= first_whole(book)
            counts[length] = book.one(
                "SELECT COUNT(DISTINCT user_id) FROM events WHERE feature IS NOT NULL AND kind IS NOT NULL"
                " AND user_id <> '' AND at >= ? AND at < ?", start, end) if is_there else None
        rows.append({"day": str(day), "daily": counts[1], "weekly": counts[7], "four_weekly": counts[28], "data": data,
                     "stickiness": rate(counts[1], counts[28]) if counts[28] is not None and data == "whole" else None})
    return ("day",), rows


def trend(book):
    """People a day and the share of 28 days, of seven days beside the seven before."""
    rows = active_people(book)[1][-14:]
    if len(rows) < 14:
        return {}
    def lost(row):
        last = datetime.date.fromisoformat(row["day"])
        return sum(last - number * DAY >= first_whole(book) and not book.knows(str(last - number * DAY))
                   for number in range(28))
    def side(ones, value):
        return value(*(sum(row[name] or 0 for row in ones) for name in ("daily", "four_weekly")), len(ones))
    def of(is_known, value):
        known = [row for row in rows[7:] if is_known(row)]
        pairs = [pair for pair in zip(rows[:7], rows[7:]) if all(map(is_known, pair))]
        return (side(known, value) if len(known) >= 4 else None,
                [side(ones, value) for ones in zip(*pairs)] if len(pairs) >= 4 else None)
    per_day, sides = of(lambda row: row["data"] == "whole", lambda daily, _, days: math.floor(daily / days + 0.5))
    sticky, _ = of(lambda row: row["data"] == "whole" and row["four_weekly"] is not None and lost(row) <= 4,
                   lambda daily, of, _: share(daily, of))
    return {"people-a-day": {"value": per_day, "change": change(sides[1], sides[0]) if sides else None},
            "stickiness": {"value": sticky}, **seen_again_figures(book)}


def seen_again_figures(book):
    """The shares on day 1, 7 and 30 of the newest weeks that have one, four or half of them."""
    made = {}
    for later in (1, 7, 30):
        known = [row[f"day_{later}"] for row in cohorts(book)[1][-12:] if (row[f"day_{later}"] or {}).get("whole")]
        newest = known[-max(1, min(4, len(known) // 2)):]
        if newest:
            made[f"seen-again-{later}"] = {
                "value": share(*(sum(one[name] for one in newest) for name in ("part", "whole")))}
    return made


def newcomers(book):
    """The first days of new people, by their account or first event, and the days on which they were seen."""
    history = book.midnight_of(book.end - 1) - (HISTORY_DAYS - 1) * ONE_DAY
    before = {row["user_id"] for row in book.all(
        "SELECT DISTINCT user_id FROM events WHERE feature IS NOT NULL AND user_id <> '' AND at < ?", history)}
    made = {row["uid"]: datetime.date.fromisoformat(row["day"]) for row in book.all(
        "SELECT uid, local_day(created_at) AS day FROM auth_users WHERE created_at IS NOT NULL")}
    days = {}
    for row in book.all("SELECT DISTINCT user_id, local_day(at) AS day FROM events WHERE feature IS NOT NULL"
                        " AND kind IS NOT NULL AND user_id <> '' AND at >= ? AND at < ?", history, book.end):
        days.setdefault(row["user_id"], set()).add(datetime.date.fromisoformat(row["day"]))
    return [(min(min(ones), made.get(user, min(ones))), ones) for user, ones in days.items() if user not in before]


def seen_again(book):
    """New people with an event on exactly the 1st to the 30th day after their first."""
    today = datetime.date.fromisoformat(book.one("SELECT local_day(?)", book.end))
    people = [one for one in newcomers(book) if one[0] >= first_day(book) + COHORT_AFTER * DAY]
    rows = []
    for later in range(1, 31):
        known = [(first + later * DAY in ones) for first, ones in people
                 if first + later * DAY < today and book.knows(str(first + later * DAY))]
        if known:
            rows.append({"after": later, "seen": rate(sum(known), len(known))})
    return ("after",), rows


def cohorts(book):
    """New people by their week, and those with an event on exactly a later day."""
    weeks = {}
    for first, ones in newcomers(book):
        weeks.setdefault(monday(first), []).append((first, ones))
    today = datetime.date.fromisoformat(book.one("SELECT local_day(?)", book.end))
    begins = first_day(book)
    rows = []
    # A week in which nobody came has a row, too.
    for number in range(0, (today - min(weeks, default=today)).days, 7):
        weeks.setdefault(min(weeks) + number * DAY, [])
    for week, people in sorted(weeks.items()):
        if week < begins + COHORT_AFTER * DAY or week + 7 * DAY > today:
            continue
        row = {"week": str(week), "people": len(people)}
        for later in (1, 7, 30):
            is_over = week + (6 + later) * DAY < today
            known = [(first, ones) for first, ones in people
                     if is_over and book.knows(str(first + later * DAY))]
            back = sum(first + later * DAY in ones for first, ones in known)
            row[f"day_{later}"] = rate(back, len(known)) if known or is_over and not people else None
        rows.append(row)
    return ("week",), rows


# Changed limits

def experiments(book):
    """Cards of the newest changes: 14 days of 24 hours on each side, or as many as both sides have."""
    cards, until = {}, known_until(book)
    for row in book.all("SELECT DISTINCT changed_at AS at FROM settings_history WHERE old_value IS NOT NULL"
                        " AND changed_at >= ? AND changed_at < ? AND (wire_name LIKE 'free%Limit'"
                        " OR wire_name LIKE 'free%CooldownSeconds' OR wire_name LIKE '%FreePeriodSeconds')",
                        book.end - EXPERIMENTS_FROM * ONE_DAY, book.end):
        at = row["at"]
        days = max(0, min(EXPERIMENT_DAYS, (until - at) // ONE_DAY, (at - book.begins) // ONE_DAY))
        pairs = [(at - (days - place) * ONE_DAY, at + place * ONE_DAY) for place in range(days)]
        pairs = [pair for pair in pairs if all(
            book.coverage(book.one("SELECT local_day(?)", edge)) == "whole" or edge >= book.midnight_of(book.end)
            for start in pair for edge in (start, start + ONE_DAY - 1))]
        sides = [_side(book, starts) for starts in zip(*pairs)] if pairs else []
        measures = [tuple((side[name], side["people"]) for side in sides) for name in ("tapped", "blocked")]
        cards[f"experiment-{at // SECOND}"] = [
            {"before": rate(*before), "after": rate(*after), "difference": points(before, after),
             "verdict": verdict(before, after)} for before, after in filter(None, measures) if before[1] and after[1]]
    return cards


def known_until(book):
    """Until when events can be there: midnight, while exports bring them and none of today has come."""
    midnight = book.midnight_of(book.now)
    is_there = book.one("SELECT EXISTS (SELECT 1 FROM events WHERE at >= ? AND (source <> 'session'"
                        " OR feature IS NOT NULL AND kind IS NOT NULL))", midnight)
    exports = book.one("SELECT EXISTS (SELECT 1 FROM events WHERE source <> 'session')")
    return min(book.end, midnight) if exports and not is_there else book.end


def _side(book, starts):
    """What free users did in days of 24 hours that begin then."""
    days = " OR ".join(f"at >= {start} AND at < {start + ONE_DAY}" for start in starts)
    return book.all(
        f"WITH free AS (SELECT user_id, kind FROM events WHERE feature IS NOT NULL AND user_type = 'free_user'"
        f" AND user_id <> '' AND ({days})) SELECT COUNT(DISTINCT user_id) AS people,"
        " COUNT(DISTINCT CASE WHEN kind = 'subscription_button_tapped' THEN user_id END) AS tapped,"
        " COUNT(DISTINCT CASE WHEN kind LIKE 'blocked_%' THEN user_id END) AS blocked FROM free")[0]


def limits_tables(book):
    """A card for each change."""
    return {name: (lambda rows: lambda _: (None, rows))(rows) for name, rows in experiments(book).items()}


def usage_tables(_):
    return {"funnel": funnel, "funnel-before": funnel_before, "time-to-block": time_to_block, "funnel-by-attempt": by_attempt,
            "funnel-by-country": by_country, "funnel-by-criteria": by_criteria}


def users_tables(_):
    return {"active-people": active_people, "cohorts": cohorts, "seen-again": seen_again,
            "versions": versions, "filter-combinations": combinations,
            "demand-genders": wanted("gender"), "demand-countries": wanted("country")}


def index_tables(_):
    return {"limit-sells": sells}


# By page.
FIGURES = {"users": trend}
TABLES = {"usage": usage_tables, "users": users_tables, "limits": limits_tables, "index": index_tables}
