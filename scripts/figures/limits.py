"""The limits page, by docs/reports.md#limits and #what-if.

What would have been is decided by the model that `bench/python/replay.py` measures against; SQL gives it the
attempts, as docs/replay.md#replay reads them from the ledger.
"""
import functools
import json
import pathlib
import sys

from book import FEATURES, SECOND
from pages import rounded, share

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench" / "python"))
from replay import decide, user_type  # noqa: E402

GALLERIES = ("refresh-popup", "filter-popup", "search-popup", "message-popup", "conversation-popup")
BARS = {"full": 0, "one-left": 0, "wait-begins": 1, "waiting": 0.5, "wait-ends": None, "now": None}
REPLAYED = 20_000


def limit(book, feature):
    value = book.setting(f"{feature}.limit")
    return None if value is None else int(value)


def cooldown(book, feature):
    return int(book.setting(f"{feature}.cooldown") or 120) * SECOND


def limited(book):
    return [feature for feature in FEATURES if limit(book, feature) is not None]


def standings(book):
    """Profiles with what they have used; the default one with all limited features."""
    rows = []
    known = {row["name"]: row for row in book.all("SELECT * FROM profiles")}
    states = {(row["feature"], row["profile"]): row for row in book.all("SELECT * FROM limit_states")}
    for feature in limited(book):
        names = {name for of, name in states if of == feature} | {"default"}
        rows += [_standing(book, feature, name, states.get((feature, name)), known.get(name)) for name in names]
    return rows


def _standing(book, feature, name, state, profile):
    usage, started = (state["usage"], state["cooldown_started_at"]) if state else (0, None)
    most, whole = limit(book, feature), cooldown(book, feature)
    if started is not None:
        left = whole - (book.now - min(started, book.now))
        if left <= SECOND:
            usage, started = 0, None
    created = profile["first_account_created_at"] if profile else None
    attempt = {"firstAccountCreatedAt": created / SECOND if created else 0}
    kind = user_type(attempt, book.now, profile["tier"] if profile else "free")
    words = ("Bypasses the limit" if kind != "free_user" else "Available" if usage < most
             else "At the limit" if started is None else "Cooling down")
    wait = {"remaining_seconds": left / SECOND, "of_seconds": whole // SECOND} if words == "Cooling down" else None
    return {"feature": feature.capitalize(), "profile": name, "used": usage, "limit": most, "state": words,
            "time_left": wait}


def standings_table(book):
    return ("feature", "profile"), [{key: value for key, value in row.items() if key != "state"}
                                    for row in standings(book)]


def standings_by_feature(book):
    rows, all_rows = [], standings(book)
    for feature in limited(book):
        ones = [row for row in all_rows if row["feature"] == feature.capitalize()]
        counts = {column: sum(row["state"] == words for row in ones) for column, words in (
            ("available", "Available"), ("cooling_down", "Cooling down"), ("at_limit", "At the limit"),
            ("bypassing", "Bypasses the limit"))}
        waits = [row["time_left"] for row in ones if row["time_left"]]
        rows.append({"feature": feature.capitalize(), "profiles": len(ones), **counts,
                     "next_free": min(waits, key=lambda wait: wait["remaining_seconds"], default=None)})
    return ("feature",), rows


def figures(book):
    rows = standings(book)
    free = sum(row["state"] in ("Available", "Bypasses the limit") for row in rows)
    made = {"free-to-use": free, "cooling-down": sum(row["state"] == "Cooling down" for row in rows),
            "at-limit": sum(row["state"] == "At the limit" for row in rows)}
    profiles = {row["name"] for row in book.all("SELECT name FROM profiles")} | {"default"}
    return {"profiles": {"value": len(profiles)},
            **{name: {"value": share(part, len(rows))} for name, part in made.items()}}


def quotas(book):
    day, premium, total = (
        int(book.setting(f"moments.{name}")) for name in ("freePerDay", "premiumPerDay", "freeTotal"))
    return ("who",), [{"who": "Free", "per_day": day, "total": total}, {"who": "Subscribed", "per_day": premium}]


def quota_standings(book):
    """Moments that each profile has logged in this workspace, whatever became of them."""
    rows, logged = [], {row["profile"]: row for row in book.all(
        "SELECT profile, COUNT(*) AS total, SUM(local_day(created_at) = local_day(?)) AS today FROM outbox"
        " WHERE kind = 'moment' GROUP BY 1", book.now)}
    tiers = {row["name"]: row["tier"] for row in book.all("SELECT name, tier FROM profiles")}
    for profile in {"default", *logged}:
        row = logged.get(profile, {"profile": profile, "total": 0, "today": 0})
        is_free = tiers.get(profile, "free") == "free"
        per_day = int(book.setting("moments.freePerDay" if is_free else "moments.premiumPerDay"))
        rows.append({"profile": row["profile"], "today": row["today"], "total": row["total"], "per_day": per_day,
                     "total_limit": int(book.setting("moments.freeTotal")) if is_free else None})
    return ("profile",), rows


# What-if

@functools.lru_cache(maxsize=8)
def attempts(book, is_warm=False):
    """Attempts and subscription taps of the period, oldest first, of the newest events that are replayed.

    Warm, those of as many events before them come first, and count in nothing.
    """
    first = book.one("SELECT COALESCE(MIN(at), ?) FROM"
                     " (SELECT at FROM tally WHERE is_now ORDER BY at DESC, id DESC LIMIT ?)", book.end, REPLAYED)
    begins = first if not is_warm else book.one(
        "SELECT COALESCE(MIN(at), 0) FROM (SELECT at FROM events WHERE feature IS NOT NULL AND kind IS NOT NULL"
        " AND at < ? ORDER BY at DESC, id DESC LIMIT ?)", first, REPLAYED)
    found, newest = [], {}
    for row in book.all("SELECT * FROM events WHERE feature IS NOT NULL AND kind IS NOT NULL"
                        " AND user_id <> '' AND at >= ? AND at < ? ORDER BY at, id",
                        begins, book.end):
        key = (row["user_id"], row["feature"])
        if row["kind"] == "button_tapped":
            newest[key] = {"at": row["at"], "user": row["user_id"], "feature": row["feature"], "verb": "check",
                           "type": _type(row), "taps": 0, "is_counted": row["at"] >= first, "is_blocked": False}
            found.append(newest[key])
        elif key in newest and (row["kind"] == "performed" or row["kind"].startswith("blocked_")):
            newest[key]["verb"] = "use"
            newest[key]["is_blocked"] |= row["kind"] != "performed"
        elif key in newest and row["kind"] == "subscription_button_tapped":
            newest[key]["taps"] += 1
    return found


def _type(row):
    parameters = json.loads(row["parameters"])
    told = {key.split("_", 1)[1]: value for key, value in parameters.items() if "_" in key}
    tier = told.get("subscription_status") or ("lite" if row["user_type"] == "lite_subscriber" else "free")
    created = told.get("first_account_created_at")
    if created is None and row["user_type"] == "new_user":
        created = row["at"] / SECOND
    return user_type({"firstAccountCreatedAt": created}, row["at"], tier)


def replayed(ones, most, wait):
    """Whether each attempt proceeds, and whether it shows a popup."""
    states, decisions = {}, []
    for one in ones:
        state = states.setdefault((one["user"], one["feature"]), [0, None])
        decisions.append(decide(state, one["at"], one["verb"], True, one["type"], True, most, wait)[:2])
    return decisions


def scenarios(most, wait):
    """docs/replay.md#neighbours"""
    found = [("As it is", most, wait), ("One fewer", most - 1, wait), ("One more", most + 1, wait),
             ("Twice as many", most * 2, wait), ("Half the wait", most, wait // SECOND // 2 * SECOND),
             ("Twice the wait", most, wait * 2)]
    return [one for one in found if one[1] > 0 and one[2] > 0 and not (one[0] == "Twice as many" and most == 1)]


def what_if(feature, is_warm=False):
    """The scenarios; warm, behind what happened by the ledger's events."""
    def rows(book):
        ones, made = [one for one in attempts(book, is_warm) if one["feature"] == feature], []
        usual = replayed(ones, limit(book, feature), cooldown(book, feature))
        counted = [one for one in ones if one["is_counted"]]
        people = {one["user"] for one in counted}
        blocked = [one for one in counted if one["is_blocked"]]
        if is_warm:
            made.append({"scenario": "What happened", "blocked": share(len(blocked), len(counted)),
                         "taps_lost": share(0, sum(one["taps"] for one in counted)),
                         "people_blocked": share(len({one["user"] for one in blocked}), len(people))})
        for name, most, wait in scenarios(limit(book, feature), cooldown(book, feature)):
            decisions = replayed(ones, most, wait)
            pairs = [three for three in zip(ones, decisions, usual) if three[0]["is_counted"]]
            affected = {one["user"] for one, (proceeds, _), (used_to, _) in pairs if proceeds != used_to}
            made.append({
                "scenario": name, "limit": most, "wait": wait // SECOND,
                "blocked": share(sum(not proceeds for _, (proceeds, _), _ in pairs), len(counted)),
                "taps_lost": share(sum(one["taps"] for one, (_, shows), _ in pairs if not shows),
                                   sum(one["taps"] for one in counted)),
                "people_blocked": share(len({one["user"] for one, (proceeds, _), _ in pairs if not proceeds}),
                                        len(people)),
                "people_affected": share(len(affected), len(people)) if name != "As it is" else None})
        if is_warm and counted:
            # The error of the replay, beside every scenario.
            happened, as_it_is = made[0], made[1]
            blocked = 100 * (as_it_is["blocked"]["part"] - happened["blocked"]["part"]) / len(counted)
            lost = as_it_is["taps_lost"]
            for row in made[1:]:
                row["blocked_error"] = {"points": rounded(blocked, 1)}
                row["taps_error"] = {"points": rounded(100 * lost["part"] / lost["whole"], 1)} if lost["whole"] else None
        return ("scenario",), made
    return rows


# Settings

def settings(book):
    """Numbers in force; `not limited` is a word."""
    rows = []
    for name in ("newUserFreePeriodSeconds", "rating.threshold", "rating.maxPrompts", "onlineUsersStaleSeconds",
                 "moments.freePerDay", "moments.premiumPerDay", "moments.freeTotal",
                 *(f"{feature}.{what}" for feature in FEATURES for what in ("limit", "cooldown"))):
        value = book.setting(name)
        rows.append({"setting": name, "value": "not limited" if value is None else int(value)})
    return ("setting",), rows


def tables(book):
    made = {"standings-by-feature": standings_by_feature, "standings": standings_table, "quotas": quotas,
            "settings": settings, "quota-standings": quota_standings}
    for feature in limited(book):
        if any(one["feature"] == feature for one in attempts(book)):
            made[f"what-if-{feature}"] = what_if(feature)
    return made


def popups(book, block):
    """The bars of a gallery: the default profile's own, none while uses are left, the whole wait, a half, 2 s."""
    wait = cooldown(book, block["id"].removesuffix("-popup")) // SECOND
    now = next(row for row in standings(book) if row["profile"] == "default"
               and row["feature"].lower() == block["id"].removesuffix("-popup"))
    left = now["time_left"]["remaining_seconds"] / wait if now["time_left"] else float(now["state"] == "At the limit")
    bars = {**BARS, "wait-ends": round(2 / wait, 4), "now": round(left, 4)}
    return [(popup["bar_fraction"], bars[popup["state"]]) for popup in block["popups"] if popup["state"] in bars]
