"""The ratings page, by docs/reports.md#ratings and #app-store."""
import datetime

from book import DAY, iso, monday
from pages import change, mean, share

STARS = (5, 4, 3, 2, 1)
# Ratings carry their stars; what the app logs after the App Store's dialog does not.
RATED = "FROM events WHERE stars IS NOT NULL AND at >= ? AND at < ?"
BY_STARS = "COUNT(*) AS count, SUM(stars) AS total, " + ", ".join(
    f"COALESCE(SUM(stars = {stars}), 0) AS stars_{stars}" for stars in STARS)
TOLD = "COALESCE(NULLIF({}, ''), 'not told')"
REVIEWS = "FROM app_store_reviews WHERE updated_at >= ? AND updated_at < ?"
# App Store countries are codes, those of events are names.
STORES = {"us": "United States", "de": "Germany", "gb": "United Kingdom"}
EVER = 1 << 62


def period(book):
    return book.start, book.end


def held(book):
    """Feedback texts by origin: what was written here, and documents that are no delivery of it."""
    own = book.all("SELECT stars, at, outbox_id FROM ratings WHERE feedback IS NOT NULL")
    foreign = book.all(
        "SELECT stars, timestamp * 1000000 AS at FROM app_rating_feedback WHERE document_path NOT IN"
        " (SELECT remote_name FROM outbox WHERE kind = 'feedback' AND remote_name IS NOT NULL)")
    return own, foreign


def counted(rows, key):
    """Rows by stars as the page has them."""
    return [{key: row["name"], "count": row["count"], "mean": mean(row["total"] or 0, row["count"]),
             **{f"stars_{stars}": row[f"stars_{stars}"] for stars in STARS}} for row in rows]


def figures(book):
    now, whole, before = (book.one(f"SELECT COUNT(*) {RATED}", *bounds) for bounds in (
        period(book), (book.start, book.whole_end), (book.before, book.before_end)))
    total, high = book.all(f"SELECT SUM(stars) AS total, SUM(stars > 3) AS high {RATED}", *period(book))[0].values()
    own, foreign = held(book)
    made = {
        "ratings": {"value": now, "change": change(whole, before) if book.compares else None, "trend": book.by_day(
            f"SELECT local_day(at), COUNT(*) {RATED} GROUP BY 1", *period(book))},
        "mean-stars": {"value": mean(total or 0, now)}, "high-share": {"value": share(high or 0, now)},
        "feedback": {"value": len(own) + len(foreign)}}
    dialogs = [one for one in Dialogs(book).shown if one["is_now"]]
    if dialogs:
        made["prompts-shown"] = {"value": len(dialogs)}
        made["prompts-asked"] = {"value": asked(book)}
        made["prompts-rated"] = {"value": share(sum(one["answer"] == "stars" for one in dialogs), len(dialogs))}
    reviews = book.all("SELECT COUNT(*) AS count, SUM(stars) AS total FROM app_store_reviews")[0]
    if reviews["count"]:
        made["reviews-read"] = {"value": iso(book.one(
            "SELECT MAX(ended_at) FROM sync_runs WHERE kind = 'sync-reviews' AND outcome IN ('ok', 'partial', 'fresh')"))}
        made["store-mean"] = {"value": mean(reviews["total"], reviews["count"])}
    return made


def stars(book):
    found = {row["stars"]: row["count"] for row in book.all(
        f"SELECT stars, COUNT(*) AS count {RATED} GROUP BY 1", *period(book))}
    whole = sum(found.values())
    return ("stars",), [{"stars": one, "count": found.get(one, 0), "share": share(found.get(one, 0), whole)}
                        for one in STARS]


def weeks(book):
    """Every Monday from the previous period's first week to the last."""
    found = {row["name"]: row for row in book.all(
        f"SELECT local_week(at) AS name, {BY_STARS} {RATED} GROUP BY 1", book.before, book.end)}
    nothing = {"count": 0, "total": 0, **{f"stars_{one}": 0 for one in STARS}}
    made = counted([found.get(week, {"name": week, **nothing}) for week in all_weeks(book)], "week")
    return ("week",), [blank(row) if not row["count"] and is_unknown_week(book, row["week"]) else row for row in made]


def blank(row):
    return {name: value if name == "week" else None for name, value in row.items()}


def is_unknown_week(book, week):
    """Whether the ledger knows no day of a week, as far as the two periods have it."""
    days = [datetime.date.fromisoformat(week) + number * DAY for number in range(7)]
    return all(book.is_unknown(str(day)) for day in days
               if book.midnight(day + DAY) > book.before and book.midnight(day) < book.end)


def all_weeks(book):
    first, last = (book.one("SELECT local_week(?)", at) for at in (book.before, book.end - 1))
    week, found = monday(datetime.date.fromisoformat(first)), []
    while str(week) <= last:
        found.append(str(week))
        week += datetime.timedelta(days=7)
    return found


def group(column, key):
    def rows(book):
        return (key,), counted(book.all(
            f"SELECT {TOLD.format(column)} AS name, {BY_STARS} {RATED} GROUP BY 1", *period(book)), key)
    return rows


class Dialogs:
    """Dialogs of both periods with what became of each: SQL orders the events, a pass over them assigns answers."""

    def __init__(self, book):
        self.shown, self.unasked, waiting, rated = [], [], {}, {}
        for row in book.all(
                "SELECT id, at, user_id, name, local_week(at) AS week, at >= ? AS is_now,"
                f" {TOLD.format('app_version')} AS version, parameters ->> 'ios_rating_stars' AS stars,"
                " parameters ->> 'ios_rating_threshold' AS messages,"
                " parameters ->> 'ios_rating_max_prompts' AS max_prompts"
                " FROM events WHERE name LIKE 'rating_prompt_%' AND at >= ? AND at < ? ORDER BY at, id",
                book.start, book.before, book.end):
            what, user = row["name"].removeprefix("rating_prompt_"), row["user_id"]
            if what == "shown":
                waiting[user] = {**row, "answer": None, "follows": False, "low": False}
                self.shown.append(waiting[user])
            elif what in ("later", "stars"):
                dialog = waiting.pop(user, None)
                if dialog is None:
                    self.unasked += [row] if what == "stars" else []
                    dialog = {}
                dialog.update(answer=what, low=what == "stars" and row["stars"] <= 3)
                rated[user] = dialog
            elif user in rated:
                rated[user]["follows"] = True


def dialog_counts(dialogs, unasked):
    rated = [one for one in dialogs if one["answer"] == "stars"]
    low = [one for one in rated if one["low"]]
    high = [one for one in rated if not one["low"]]
    return {"shown": len(dialogs), "later": share(sum(one["answer"] == "later" for one in dialogs), len(dialogs)),
            "stars": share(len(rated), len(dialogs)), "feedback": share(sum(one["follows"] for one in low), len(low)),
            "store": share(sum(one["follows"] for one in high), len(high)), "unasked": len(unasked)}


def asked(book):
    """People who saw the dialog, of those who met its conditions."""
    met = ("COALESCE(parameters ->> 'ios_rating_sent' > parameters ->> 'ios_rating_threshold'"
           " AND parameters ->> 'ios_rating_received' > parameters ->> 'ios_rating_threshold'"
           " AND parameters ->> 'ios_rating_sent' >= 0 AND parameters ->> 'ios_rating_received' >= 0"
           " AND parameters ->> 'ios_rating_tries' < parameters ->> 'ios_rating_max_prompts',"
           " name = 'rating_prompt_shown' AND COALESCE(parameters ->> 'ios_rating_trigger', '') <> 'settings')")
    people = book.all(
        f"SELECT user_id, MAX({met}) AS met, MAX(name = 'rating_prompt_shown') AS shown FROM events"
        " WHERE name LIKE 'rating_prompt_%' AND at >= ? AND at < ? GROUP BY 1", book.start, book.end)
    waiting = {row["id"] for row in book.all(
        "SELECT COALESCE(user_id, 'profile ' || name) AS id FROM profiles WHERE rating_sent > ?1"
        " AND rating_received > ?1 AND rating_sent >= 0 AND rating_received >= 0 AND rating_tries < ?2",
        *(int(book.setting(name)) for name in ("rating.threshold", "rating.maxPrompts")))}
    due = {row["user_id"] for row in people if row["met"]} | waiting
    return share(len(due & {row["user_id"] for row in people if row["shown"]}), len(due))


def funnel(book):
    made = Dialogs(book)
    counts = dialog_counts([one for one in made.shown if one["is_now"]], [])
    shown, later, rated = counts["shown"], counts["later"]["part"], counts["stars"]["part"]
    steps = [("People asked", asked(book)), ("Maybe Later", counts["later"]),
             ("No answer", share(shown - later - rated, shown)), ("Stars", counts["stars"]),
             ("Feedback", counts["feedback"]), ("App Store", counts["store"])]
    rows = [{"step": step, "count": one["part"], "share": one} for step, one in steps]
    unasked = sum(one["is_now"] for one in made.unasked)
    if unasked:
        rows.append({"step": "Not asked", "count": unasked, "share": None})
    return ("step",), rows


def funnel_by(keys, is_both_periods=False):
    def rows(book):
        made, groups = Dialogs(book), {}
        for place, ones in enumerate((made.shown, made.unasked)):
            for one in ones:
                if one["is_now"] or is_both_periods:
                    groups.setdefault(tuple(one[key] for key in keys), ([], []))[place].append(one)
        if is_both_periods:
            for week in all_weeks(book):
                groups.setdefault((week,), ([], []))
        rows = [{**dict(zip(keys, key)), **dialog_counts(*group)} for key, group in groups.items()]
        return keys, [blank(row) if is_both_periods and not any(groups[row["week"],]) and is_unknown_week(
            book, row["week"]) else row for row in rows]
    return rows


def asking(book):
    """The rule of docs/ratings.md#ratings for every profile."""
    threshold, most = (int(book.setting(name)) for name in ("rating.threshold", "rating.maxPrompts"))
    states = {"The question is due": 0, "Too few messages yet": 0, "No more: low ratings used up": 0,
              "Never again: rated 4 or 5": 0, "Questions are switched off": 0}
    profiles = book.all("SELECT rating_sent AS sent, rating_received AS received, rating_tries AS tries FROM profiles")
    for one in profiles:
        if most == 0:
            state = "Questions are switched off"
        elif one["tries"] >= most:
            state = "No more: low ratings used up"
        elif min(one["sent"], one["received"]) < -900_000_000:
            state = "Never again: rated 4 or 5"
        else:
            enough = one["sent"] > threshold and one["received"] > threshold
            state = "The question is due" if enough else "Too few messages yet"
        states[state] += 1
    if not profiles:
        return ("state",), []
    return ("state",), [{"state": state, "count": count, "share": share(count, len(profiles))}
                        for state, count in states.items()]


def completion(book):
    own, foreign = held(book)
    rows = []
    for one in STARS:
        ratings = book.one(f"SELECT COUNT(*) {RATED} AND stars = ?", *period(book), one)
        if one > 3:
            done = book.one(
                "SELECT COUNT(*) FROM events, json_each(parameters) WHERE name = 'app_events' AND at >= ? AND at < ?"
                f" AND key LIKE 'rating\\_%\\_{one}\\_after\\_%' ESCAPE '\\'", *period(book))
        else:
            done = sum(text["stars"] == one and book.start <= text["at"] < book.end for text in own + foreign)
        rows.append({"stars": one, "ratings": ratings, "completed": share(min(done, ratings), ratings),
                     "without_rating": max(0, done - ratings)})
    return ("stars",), rows


def outbox(book):
    states = ("queued", "sending", "delivered", "parked", "rejected")
    found = {row["state"]: row["count"] for row in book.all(
        "SELECT state, COUNT(*) AS count FROM outbox GROUP BY 1")}
    return None, [{"count": found.get(state, 0)} for state in states if found]


def store_means(book):
    rows = []
    for place, source, bounds in (
            ("In the app, this period", RATED, period(book)), ("In the app, before", RATED, (book.before, book.before_end)),
            ("App Store, this period", REVIEWS, period(book)), ("App Store, before", REVIEWS, (book.before, book.before_end)),
            ("App Store, all that is held", REVIEWS, (0, EVER))):
        rows += book.all(f"SELECT '{place}' AS name, {BY_STARS} {source}", *bounds)
    return ("place",), counted(rows, "place")


def store_groups(key, column, reviews_column):
    def rows(book):
        ours = {row["name"]: row for row in book.all(
            f"SELECT {column} AS name, {BY_STARS} {RATED} GROUP BY 1", *period(book))}
        theirs = {STORES.get(row["name"], row["name"]): row for row in book.all(
            f"SELECT {reviews_column} AS name, {BY_STARS} {REVIEWS} GROUP BY 1", 0, EVER)}
        return (key,), [
            {key: name, "ratings": ours[name]["count"], "reviews": row["count"],
             "rating_mean": mean(ours[name]["total"], ours[name]["count"]),
             "review_mean": mean(row["total"], row["count"])} for name, row in theirs.items() if name in ours]
    return rows


def tables(book):
    made = {"stars": stars, "ratings-by-week": weeks, "ratings-by-version": group("app_version", "version"),
            "ratings-by-country": group("country", "country"), "rating-funnel": funnel,
            "rating-funnel-weeks": funnel_by(("week",), is_both_periods=True),
            "rating-funnel-versions": funnel_by(("version",)),
            "rating-funnel-thresholds": funnel_by(("messages", "max_prompts")), "asking": asking,
            "completion": completion, "outbox": outbox}
    if book.one("SELECT COUNT(*) FROM app_store_reviews"):
        made.update({"store-means": store_means, "store-versions": store_groups("version", "app_version", "version"),
                     "store-countries": store_groups("country", "country", "country")})
    return made


def texts(book):
    """Feedback and reviews by their instants and stars: (seconds in ISO, stars), newest first."""
    own, foreign = held(book)
    feedback = sorted(((iso(one["at"]), one["stars"]) for one in own + foreign), reverse=True)
    reviews = sorted(((iso(one["updated_at"]), one["stars"]) for one in book.all(
        "SELECT updated_at, stars FROM app_store_reviews")), reverse=True)
    return {"feedback": feedback, "reviews": reviews}
