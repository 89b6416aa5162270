"""What an owner asks of limits, versions, uses and the age of the copy: counted from the ledger, by the manual."""
import datetime

import people
from book import MICROSECOND, ONE_DAY, QUARTER, SECOND
from coverage import HISTORY_DAYS, NEW, change, compared, whole_days
from pages import share
from people import BLOCKS, rate

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
# Whom a limit can block: others than these, also people of whom nothing is known.
FREE = "IFNULL(user_type, '') NOT IN ('lite_subscriber', 'new_user')"
MOST_USES = 6
# Events of one person with less between them are one session.
SESSION = 30 * 60 * SECOND
# Loads at any age of the copy: a person asked, or there was none.
ASKED = ("manual", "filter", "forced", "first-load")


def local(book, at):
    return (EPOCH + at // QUARTER * QUARTER * MICROSECOND).astimezone(book.zone)


def features(rows, totals):
    """Rows by feature, and the last one of all."""
    return ("feature",), [*rows, {"feature": "All", **totals}] if rows else []


def waits(book):
    rows = book.all(f"SELECT feature, kind, user_id FROM tally WHERE is_now AND {FREE} AND kind IN"
                    " ('blocked_limit_reached', 'blocked_cooldown')")
    def row(some):
        later = [one for one in some if one["kind"] == "blocked_cooldown"]
        people, again = ({one["user_id"] for one in ones if one["user_id"]} for ones in (some, later))
        return {"blocked": len(some), "in_wait": share(len(later), len(some)), "people": len(people),
                "again": share(len(again), len(people))}
    return features([{"feature": name.capitalize(), **row([one for one in rows if one["feature"] == name])}
                     for name in {one["feature"] for one in rows}], row(rows))


def blocked_hours(book):
    blocked, taps, all_taps = [0] * 24, [0] * 24, [0] * 24
    for row in book.all(f"SELECT at, kind, {FREE} AS is_free FROM tally WHERE is_now"):
        hour = local(book, row["at"]).hour
        blocked[hour] += row["is_free"] and row["kind"] in BLOCKS
        taps[hour] += row["is_free"] and row["kind"] == "button_tapped"
        all_taps[hour] += row["kind"] == "button_tapped"
    return ("hour",), [{"hour": f"{hour:02}:00", "blocked": blocked[hour], "share": share(blocked[hour], taps[hour]),
                        "taps": all_taps[hour]}
                       for hour in range(24)] if any(blocked) else []


def uses_a_day(book):
    """Days of people by how often they used a feature, of all days that the period touches."""
    first = book.midnight_of(book.start)
    used, types = {}, {}
    for row in book.all("SELECT at, user_id, feature, kind, user_type FROM tally WHERE at >= ? AND user_id <> ''"
                        " ORDER BY at, id", first):
        day = local(book, row["at"]).date()
        if row["user_type"]:
            types[row["user_id"], day] = row["user_type"]
        if row["kind"] in ("button_tapped", "performed"):
            key = (row["feature"], row["user_id"], day)
            used[key] = used.get(key, 0) + (row["kind"] == "performed")
    return spread(used, types)


def uses_a_session(book):
    """Sessions of people by how often they used a feature, as far as a session lies in the period."""
    used, types, last, session = {}, {}, {}, {}
    for row in book.all("SELECT at, user_id, feature, kind, user_type FROM tally WHERE is_now AND user_id <> ''"
                        " ORDER BY at, id"):
        user = row["user_id"]
        if row["at"] - last.get(user, -SESSION) >= SESSION:
            session[user] = session.get(user, 0) + 1
        last[user] = row["at"]
        if row["user_type"]:
            types[user, session[user]] = row["user_type"]
        if row["kind"] in ("button_tapped", "performed"):
            key = (row["feature"], user, session[user])
            used[key] = used.get(key, 0) + (row["kind"] == "performed")
    return spread(used, types)


def spread(used, types):
    """How often each number of uses came: `used` by feature, person and span, `types` by person and span."""
    counts, wholes = {}, {}
    for (feature, user, span), uses in used.items():
        words = str(uses) if uses < MOST_USES else "6 or more"
        group = types.get((user, span))
        counts.setdefault((feature, words), {}).setdefault(group, 0)
        counts[feature, words][group] += 1
        wholes[feature, group] = wholes.get((feature, group), 0) + 1
    return ("feature", "uses"), [
        {"feature": feature.capitalize(), "uses": words,
         "free": share(groups.get("free_user", 0), wholes.get((feature, "free_user"), 0)),
         "subscribers": share(groups.get("lite_subscriber", 0), wholes.get((feature, "lite_subscriber"), 0))}
        for (feature, words), groups in counts.items()]


def signed_in(book):
    def side(condition):
        one = book.all("SELECT SUM(kind = 'button_tapped') AS taps, SUM(kind = 'performed') AS performed,"
                       " SUM(kind = 'popup_shown') AS popups,"
                       f" SUM(kind IN ('blocked_limit_reached', 'blocked_cooldown') AND {FREE}) AS blocked,"
                       f" SUM(kind = 'button_tapped' AND {FREE}) AS free FROM tally WHERE is_now AND {condition}")[0]
        return {name: one[name] or 0 for name in ("taps", "performed", "popups")} | {
            "blocked": share(one["blocked"] or 0, one["free"] or 0)}
    named, nobody = side("user_id NOT GLOB 'profile *' AND user_id <> ''"), side("(user_id GLOB 'profile *' OR user_id = '')")
    if not nobody["taps"] + nobody["performed"]:
        return ("who",), []
    return ("who",), [{"who": "Signed in", **named}, {"who": "Anonymous, or of a profile without a user id", **nobody}]


def by_version(book):
    """The funnel by the version of each person's first event of the first day that the period touches."""
    first = book.midnight_of(book.start)
    versions, days = {}, {}
    for row in book.all("SELECT at, user_id, app_version FROM events WHERE feature IS NOT NULL AND kind IS NOT NULL"
                        " AND user_id <> '' AND at >= ? AND at < ? ORDER BY at, id", first, book.end):
        user, day = row["user_id"], local(book, row["at"]).date()
        if user not in versions and days.get(user) != day:
            days[user] = day
            if row["app_version"]:
                versions[user] = row["app_version"]
    groups = {}
    for user, one in people.everybody(book).items():
        groups.setdefault(versions.get(user, "not told"), []).append(one)
    rows = []
    for version, ones in groups.items():
        active, _, blocked, tapped, subscribed = people.stages(ones)
        if active:
            rows.append({"version": version, "active": active, "blocked": rate(blocked, active),
                         "tapped": rate(tapped, active), "subscribed": rate(subscribed, active)})
    for row in rows:
        others = [sum(one["tapped"][name] for one in rows if one is not row) for name in ("part", "whole")]
        if len(rows) > 1:
            row["verdict"] = people.verdict(others, (row["tapped"]["part"], row["active"]))
    return ("version",), rows


def by_feature(book):
    """Of the people of the funnel: whose popup they saw, where they were blocked, and on whose button they tapped."""
    ones = {user: one for user, one in people.everybody(book).items() if one.through or one.active and one.popup}
    saw, hit, tapped, last = {}, {}, {}, {}
    history = book.midnight_of(book.end) - (people.HISTORY_DAYS - 1) * people.ONE_DAY
    new = {row["user_id"]: row["first"] for row in book.all(
        people.NEW.replace("SELECT", "SELECT user_id,", 1), history, book.start, book.end)}
    for row in book.all("SELECT at, user_id, feature, kind, user_type FROM events WHERE feature IS NOT NULL"
                        f" AND {FREE.replace(chr(39) + 'new_user' + chr(39), chr(39) + '-' + chr(39))}"
                        " AND user_id <> '' AND at >= ? AND at < ? ORDER BY at, id", history, book.end):
        one, key = ones.get(row["user_id"]), (row["feature"], row["user_id"])
        if one is None:
            continue
        until = new.get(row["user_id"], book.end) if one.through else book.end
        if row["kind"] == "popup_shown" and row["at"] >= book.start:
            saw.setdefault(row["feature"], set()).add(row["user_id"])
        if row["at"] < book.start and not one.through or row["at"] > until:
            continue
        is_hit = one.through or one.first_block is not None
        if row["kind"] in BLOCKS and is_hit and row["user_type"] != "new_user":
            hit.setdefault(key, row["at"])
            saw.setdefault(row["feature"], set()).add(row["user_id"])
        elif row["kind"] == "subscription_button_tapped" and (one.through or one.tap is not None):
            last[row["user_id"]] = row["feature"]
            if key in hit:
                tapped.setdefault(row["feature"], set()).add(row["user_id"])
    def row(saw_count, blocked, tapped_count, sold):
        return {"saw": saw_count, "blocked": rate(blocked, saw_count), "tapped": rate(tapped_count, blocked),
                "subscribed": sold}
    rows = [{"feature": feature.capitalize(), **row(
        len(users), sum(key[0] == feature for key in hit), len(tapped.get(feature, ())),
        sum(ones[user].through and last.get(user) == feature for user in ones))} for feature, users in saw.items()]
    counts = people.stages(people.everybody(book).values())
    return features(rows, row(*counts[1:]))


def setting(book, wire_name, built_in):
    """The value in force of a setting that firetally.yml does not name."""
    rows = book.all("SELECT raw_value + 0 AS value FROM settings WHERE wire_name = ?"
                    " ORDER BY source = 'app-settings' DESC LIMIT 1", wire_name)
    return rows[0]["value"] if rows else built_in


def tried_moments(book):
    """The tries of free people to log a moment, oldest first, each with its parameters."""
    for row in book.all("SELECT at, user_id, name, parameters FROM events WHERE feature IS NULL AND user_id <> ''"
                        " AND name IN ('moment_added', 'moment_refused') AND at >= ? AND at < ? ORDER BY at, id",
                        book.start, book.end):
        told = people.told(row["parameters"])
        if told.get("subscription_status") == "free":
            yield row, told


def around(quota, now):
    """The quota in force and those that are tried beside it."""
    others = (now - 1, now + 1) if quota == "a day" else (now // 2,)
    return sorted({now, *(one for one in others if one > 0), *([now * 2] if now > 1 else [])})


def quota_what_if(book):
    day, ever, tries = {}, {}, []
    for row, told in tried_moments(book):
        user, date = row["user_id"], book.date_of(row["at"])
        of_day = day.setdefault((user, date), told.get("moments_today", 0))
        in_all = ever.setdefault(user, told.get("moments_total", 0))
        tries.append((user, {"a day": of_day, "in all": in_all}))
        day[user, date], ever[user] = of_day + 1, in_all + 1
    rows = []
    for quota, name, built_in in (("a day", "freeMomentsPerDay", 3), ("in all", "freeMomentsTotal", 10)):
        now = setting(book, name, built_in)
        for moments in around(quota, now) if tries else ():
            refused = [user for user, had in tries if had[quota] >= moments]
            rows.append({"quota": quota, "moments": moments, "refused": share(len(refused), len(tries)),
                         "people": rate(len(set(refused)), len({user for user, _ in tries}))})
    return ("quota", "moments"), rows


def quota_reach(book):
    reached, users = {"a day": set(), "in all": set()}, set()
    for row, told in tried_moments(book):
        users.add(row["user_id"])
        for quota, reason in (("a day", "daily_limit_reached"), ("in all", "total_limit_reached")):
            if row["name"] == "moment_refused" and reason in told.values():
                reached[quota].add(row["user_id"])
    return ("quota",), [{"quota": quota, "reached": rate(len(those), len(users))}
                        for quota, those in reached.items()] if users else []


def staleness(book):
    """Loads and reads under other ages, at the times at which runs of sync-users began."""
    rows, found = book.all("SELECT id, job, started_at AS at, trigger, outcome, billed_reads AS reads FROM sync_runs"
                           " WHERE kind = 'sync-users' AND outcome IN ('ok', 'partial', 'fresh') AND started_at >= ?"
                           " AND started_at < ? AND ended_at IS NOT NULL ORDER BY id", book.start, book.end), []
    age = setting(book, "onlineUsersStaleSeconds", 1800)
    for job in {row["job"] for row in rows}:
        runs = [row for row in rows if row["job"] == job]
        loads = [row["reads"] for row in runs if row["trigger"] != "fresh" and row["outcome"] != "fresh"]
        for seconds in {900, 1800, 3600, age} if loads else ():
            times = []
            for run in runs:
                if not times or run["trigger"] in ASKED or run["at"] > times[-1] + seconds * SECOND:
                    times.append(run["at"])
            gaps = [(after - before) / SECOND for before, after in zip(times, times[1:])]
            found.append({"job": job, "age": seconds, "loads": len(times),
                          "oldest": round(max(gaps), 1) if gaps else None,
                          "mean_age": round(sum(gap * gap for gap in gaps) / 2 / sum(gaps), 1) if gaps else None})
    return ("job", "age"), found


def tries(book):
    """Dialogs of the period by what the same user did in earlier ones, from the events of the dialogs."""
    shown, open_, before, rows = [], {}, {}, {}
    for row in book.all("SELECT at, user_id, name, parameters FROM events WHERE feature IS NULL AND name GLOB 'rating_prompt_*'"
                        " AND user_id <> '' AND at >= ? AND at < ? ORDER BY at, id", book.before, book.end):
        user, name = row["user_id"], row["name"].removeprefix("rating_prompt_")
        if name == "shown":
            open_[user] = {"at": row["at"], "user": user, "later": False, "stars": None,
                           "before": tuple(before.get(user, (0, 0)))}
            shown.append(open_[user])
        elif name in ("later", "stars") and user in open_:
            dialog = open_.pop(user) if name == "later" else open_.pop(user)
            stars = people.told(row["parameters"]).get("rating_stars")
            dialog["later"], dialog["stars"] = name == "later", stars if name == "stars" else None
            later, low = before.get(user, (0, 0))
            before[user] = (later + (name == "later"), low + (name == "stars" and stars <= 3))
    for dialog in shown:
        if dialog["at"] >= book.start:
            later, low = dialog["before"]
            key = (str(later) if later < 3 else "3 or more", str(low) if low < 2 else "2 or more")
            rows.setdefault(key, []).append(dialog)
    def row(ones):
        rated = [one["stars"] for one in ones if one["stars"] is not None]
        return {"shown": len(ones), "later": share(sum(one["later"] for one in ones), len(ones)),
                "stars": share(len(rated), len(ones)), "high": share(sum(stars > 3 for stars in rated), len(rated))}
    return ("later_before", "low_before"), [
        {"later_before": later, "low_before": low, **row(ones)} for (later, low), ones in rows.items()]


def new_subscribers(book):
    """The change of whole days, where the history, from which first subscriptions are known, has all of both sides."""
    history = book.midnight_of(book.end) - (HISTORY_DAYS - 1) * ONE_DAY
    counts = [len(book.all(NEW, history, start, end))
              for start, end in ((book.start, book.whole_end), (book.before, book.before_end))]
    is_known = "SELECT 1 FROM events WHERE user_type IS NOT NULL AND at >= ? AND at < ?"
    return {"new-subscribers": {"change": compared(book, *counts)}} if book.one(is_known, book.start, book.end) else {}


def payers_by_day(book):
    """Accounts by the tier that they had at the end of each of the newest 28 days, change by change; payments, once
    known, take their place."""
    if book.one("SELECT COUNT(*) FROM purchases"):
        return ("day",), []
    changes = book.all("SELECT uid, to_tier AS tier, seen_at AS at FROM tier_changes ORDER BY id")
    rows = []
    for day, _, end in whole_days(book, 28):
        tiers = {row["uid"]: row["tier"] for row in changes if row["at"] < end}
        if tiers:
            counts = {tier: list(tiers.values()).count(tier) for tier in ("lite", "plus", "pro")}
            rows.append({"day": day, "people": sum(counts.values()), **counts})
    return ("day",), rows if len(rows) > 1 else []


def index_tiles(book):
    """Tiles that other pages give the index: the course of who pays, and who of the new people was seen on the next day."""
    counts = [row["people"] for row in payers_by_day(book)[1]]
    seen = people.seen_again_figures(book).get("seen-again-1")
    tiles = {"seen-next-day": seen} if seen else {}
    if counts:
        tiles["payers"] = {"value": counts[-1], "change": change(counts[-1], counts[0]), "trend": counts}
    return tiles


# By page.
FIGURES = {"money": new_subscribers, "index": index_tiles}
TABLES = {
    "usage": lambda _: {"waits": waits, "blocked-hours": blocked_hours, "uses-a-day": uses_a_day,
                        "uses-a-session": uses_a_session, "signed-in": signed_in,
                        "funnel-by-version": by_version, "funnel-by-feature": by_feature},
    "money": lambda _: {"payers-by-day": payers_by_day},
    "limits": lambda book: {"quota-what-if": quota_what_if, "quota-reach": quota_reach}
    if next(tried_moments(book), None) else {},
    "ratings": lambda _: {"rating-tries": tries},
    "runs": lambda _: {"staleness": staleness}}
