"""What has to agree on the pages whatever the numbers are: parts add up to their whole, percentages are those of
their parts, the same count is the same wherever it stands; and a few counts that one line of SQL gives.

A path is `table.column`, its sum over the rows, or `figures.id.member`; `{column=words}` takes some rows.
"""
import json
import re

from pages import change, equal, mean, rounded
from people import rate

STARS = tuple(f"stars_{one}" for one in (1, 2, 3, 4, 5))
USES = ("taps", "performed", "blocked", "other", "popups", "bypassed")
STEPS = ("shown", "later.part", "stars.part", "feedback.part", "store.part", "unasked")
# By page, paths that have the same sum.
SAME = {
    "usage": [
        *(f"usage-by-day.{use} = usage-by-segment{{segment=All}}.{use} = usage-by-segment{{segment!=All}}.{use}"
          f" = usage-changes{{what={use.capitalize()}}}.count" for use in USES),
        *(f"usage-by-segment{{segment=All}}.{use} = usage-by-feature-segment-day.{use}" for use in USES[:-1]),
        *(f"figures.{use}.value = usage-by-segment{{segment=All}}.{use}" for use in USES[:3]),
        *(f"figures.{use}.value = figures.{use}.trend" for use in ("taps", "performed", "blocked", "subscription-taps")),
        "usage-by-day.dismissed = usage-changes{what=Dismissed}.count",
        "figures.taps.value = usage-by-feature.taps = usage-by-feature.taps_by_day = taps-by-hour",
        "figures.blocked.share.part = usage-by-feature.blocked.part",
        "figures.blocked.share.whole = usage-by-feature.blocked.whole",
        "figures.taps.change.difference = usage-by-feature.change.difference",
        "figures.taps.change.previous = usage-changes{what=Taps}.change.previous",
        "funnel{stage=Active as a free user}.people = funnel-by-country.active"],
    "ratings": [
        "figures.ratings.value = figures.mean-stars.value.of = stars.count = ratings-by-version.count"
        " = figures.ratings.trend = ratings-by-country.count = completion.ratings = store-means{place=In the app, this period}.count",
        *(f"stars{{stars={one[-1]}}}.count = ratings-by-version.{one} = ratings-by-country.{one}"
          f" = store-means{{place=In the app, this period}}.{one}" for one in STARS),
        "figures.ratings.value = figures.high-share.value.whole", "figures.mean-stars.value.mean = store-means"
        "{place=In the app, this period}.mean.mean",
        "figures.store-mean.value.of = store-means{place=App Store, all that is held}.count",
        "figures.store-mean.value.mean = store-means{place=App Store, all that is held}.mean.mean",
        "figures.prompts-shown.value = figures.prompts-rated.value.whole = rating-funnel-versions.shown",
        "figures.prompts-rated.value.part = rating-funnel{step=Stars}.count",
        "figures.prompts-asked.value.part = rating-funnel{step=People asked}.count",
        *(f"rating-funnel{{step={step}}}.count = rating-funnel-versions.{column}.part = rating-funnel-thresholds.{column}.part"
          for step, column in (("Maybe Later", "later"), ("Stars", "stars"), ("Feedback", "feedback"), ("App Store", "store"))),
        *(f"rating-funnel-versions.{step} = rating-funnel-thresholds.{step}" for step in STEPS),
        "rating-funnel{step=Stars}.share.whole = rating-funnel{step=Maybe Later}.share.whole = figures.prompts-shown.value"
        " = rating-funnel{step=No answer}.share.whole",
        "rating-funnel{step=App Store}.share.whole = rating-funnel-versions.store.whole",
        "rating-funnel{step=Feedback}.share.whole = rating-funnel-versions.feedback.whole",
        "asking.count = asking{state=The question is due}.share.whole",
        "stars{stars=5}.count = completion{stars=5}.ratings", "stars{stars=1}.count = completion{stars=1}.ratings",
        "figures.low-texts.value = figures.too-short.value.whole = figures.without-theme.value.whole"],
    "money": ["figures.new-subscribers.value = sales{when=The period}.new = figures.new-subscribers.trend",
              "figures.monthly.value.amount = base{tier=All with a price, in $}.monthly.amount",
              "figures.through-the-limit.value = sales{when=The period}.through"],
    "runs": [
        "figures.runs.value = figures.success.value.whole = jobs.success.whole = runs-by-day.success.whole"
        " = figures.runs.trend",
        "figures.success.value.part = jobs.success.part = runs-by-day.success.part",
        "figures.reads.value = jobs.reads = run-costs.reads = runs-by-day.reads = figures.reads.trend",
        "figures.cost.value.amount = jobs.cost.amount = run-costs.cost.amount = runs-by-day.cost.amount",
        "jobs.documents = runs.fetched", "skipped.count = run-costs.skipped"],
    "users": [
        "figures.total.value = last-seen-bands.users = genders.users = ages.users = countries.users = languages.users",
        "figures.seen-hour.value = last-seen-bands{last_seen=Within an hour}.users = last-seen{hours_ago=0}.users",
        "last-seen-bands{last_seen=1 to 24 hours ago}.users = last-seen{hours_ago!=0}.users",
        "tiers.accounts = tiers{tier=free}.share.whole", "tiers.profiles = tiers{tier=free}.share.whole"],
    "limits": [
        *(f"figures.blocked-attempts.value.{one} = what-if{{scenario=What happened}}.blocked.{one}" for one in ("part", "whole"))]}
OVER = "FROM sync_runs WHERE started_at >= :start AND started_at < :end AND outcome <> 'locked' AND ended_at IS NOT NULL"
SECONDS = "(ended_at - started_at) / 1e6"
OF_APP = "(SELECT remote_name FROM outbox WHERE kind = 'feedback' AND remote_name IS NOT NULL)"
ONLINE = "FROM online_counts WHERE at >= :start AND at < :end"
# By page, what one line of SQL counts, by the bounds of the period, of the one before, and of today.
COUNTED = {
    "money": {"read-costs{what=Reads of this period}.cost.amount":
                  f"SELECT SUM(IFNULL(estimated_cost, billed_reads * 6e-7)) {OVER}"},
    "usage": {"heaviest-users.taps": "SELECT COUNT(*) FROM tally WHERE is_now AND kind = 'button_tapped' AND user_id <> ''",
              "heaviest-users.blocks": "SELECT COUNT(*) FROM tally WHERE is_now AND kind GLOB 'blocked_*' AND user_id <> ''"
                                       " AND IFNULL(user_type, '') NOT IN ('lite_subscriber', 'new_user')",
              "heaviest-users.performed": "SELECT COUNT(*) FROM tally WHERE is_now AND kind = 'performed' AND user_id <> ''"},
    "ratings": {"figures.ratings.value": "SELECT COUNT(*) FROM events WHERE stars IS NOT NULL AND at >= :start AND at < :end",
                "ratings-by-week.count": "SELECT COUNT(*) FROM events WHERE stars IS NOT NULL AND at >= :before AND at < :end",
                "figures.feedback.value": "SELECT (SELECT COUNT(*) FROM ratings WHERE feedback IS NOT NULL) + COUNT(*)"
                                          f" FROM app_rating_feedback WHERE document_path NOT IN {OF_APP}",
                "figures.prompts-shown.value": "SELECT COUNT(*) FROM events WHERE name = 'rating_prompt_shown'"
                                               " AND at >= :start AND at < :end",
                "figures.store-mean.value.of": "SELECT COUNT(*) FROM app_store_reviews",
                "asking.count": "SELECT COUNT(*) FROM profiles", "outbox.count": "SELECT COUNT(*) FROM outbox"},
    "runs": {"runs.runs": f"SELECT COUNT(*) {OVER}", "runs.seconds": f"SELECT SUM({SECONDS}) {OVER}",
             "figures.open-incidents.value": "SELECT COUNT(*) FROM incidents WHERE ended_at IS NULL",
             "figures.reads.value": f"SELECT SUM(billed_reads) {OVER}", "run-costs.bytes": f"SELECT SUM(bytes) {OVER}",
             "figures.cost.value.amount": f"SELECT SUM(IFNULL(estimated_cost, billed_reads * 6e-7)) {OVER}",
             "warnings.count": f"SELECT SUM(json_array_length(warnings) + (error IS NOT NULL)) {OVER}",
             "newest-reads.reads": "SELECT SUM(billed_reads) FROM sync_runs WHERE started_at >= :midnight - 28 * 86400000000"
                                   " AND started_at < :midnight"},
    "users": {"figures.total.value": "SELECT COUNT(*) FROM OnlineUsers", "newest": "SELECT COUNT(*) FROM OnlineUsers",
              "newest.age": "SELECT SUM(user_age) FROM OnlineUsers WHERE user_age NOT GLOB '*[^0-9]*'",
              **{f"figures.seen-{name}.value": "SELECT COUNT(*) FROM OnlineUsers WHERE user_last_time_seen * 1000000"
                                               f" > :now - {hours} * 3600000000"
                 for name, hours in (("hour", 1), ("day", 24), ("week", 168), ("month", 720))},
              "figures.online-now.value": "SELECT online FROM online_counts ORDER BY at DESC LIMIT 1",
              "newest-online.online": "SELECT SUM(online) FROM (SELECT online, MAX(at) FROM online_counts WHERE"
                                      " at >= :midnight - 27 * 86400000000 AND at < :now GROUP BY local_day(at))",
              "online.loads": f"SELECT COUNT(*) {ONLINE}",
              **{f"online.{column}": f"SELECT SUM(one) FROM (SELECT {count} AS one, MAX(at) {ONLINE} GROUP BY local_day(at))"
                 for column, count in (("most", "(SELECT MAX(online) FROM online_counts AS other WHERE"
                                                " local_day(other.at) = local_day(online_counts.at))"), ("last", "online"))}},
    "limits": {"setting-changes": "SELECT COUNT(*) FROM settings_history AS one WHERE old_value IS NOT NULL OR changed_at <>"
                                  " (SELECT MIN(changed_at) FROM settings_history WHERE source = one.source)",
               "fetched-settings": "SELECT COUNT(*) FROM settings",
               "figures.profiles.value": "SELECT COUNT(*) FROM (SELECT name FROM profiles UNION SELECT 'default')",
               "quota-standings.total": "SELECT COUNT(*) FROM outbox WHERE kind = 'moment'",
               "quota-standings.today": "SELECT COUNT(*) FROM outbox WHERE kind = 'moment' AND created_at >= :midnight",
               **{path: f"SELECT raw_value + 0 FROM settings WHERE wire_name = '{name}'" for path, name in (
                   ("settings{setting=refresh.limit}.value", "freeRefreshLimit"),
                   ("quotas{who=Free}.per_day", "freeMomentsPerDay"), ("quotas{who=Free}.total", "freeMomentsTotal"),
                   ("settings{setting=moments.freeTotal}.value", "freeMomentsTotal"))}},
    "index": {"figures.online.value": "SELECT online FROM online_counts ORDER BY at DESC LIMIT 1"}}
# Sums of rounded amounts and seconds.
NEAR = 0.02
PATH = re.compile(r"([\w-]+)(?:\{(\w+)(!?=)([^}]*)\})?(?:\.([\w.-]+))?$")


def member(value, names):
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def total(page, path):
    """The sum at a path, or None where the page does not have it whole."""
    name, key, sign, words, column = PATH.match(path).groups()
    if name == "figures":
        figure, *names = column.split(".")
        found = [member(page.figures.get(figure), names)]
        if names == ["trend"] and page.name in ("money", "ratings") and found[0] and found[0][-1] is None:
            # Before its export today has no number here, and nothing to add.
            found = [found[0][:-1]]
    elif name not in page.tables:
        return None
    else:
        # `{column!=None}` leaves out rows without a value.
        rows = [row for row in page.tables[name] if key is None or (str(row[key]) == words) == (sign == "=")]
        if name == "taps-by-hour":
            found = [value or 0 for row in rows for value in row.values() if not isinstance(value, str)]
        elif column is None:
            return len(rows)
        else:
            found = [member(row, column.split(".")) for row in rows]
            found = [one for one in found if one is not None] if column == "age" else found
    found = [one for value in found for one in (value if isinstance(value, list) else [value])]
    # A share counts by its part.
    found = [one.get("part") if isinstance(one, dict) else one for one in found]
    return None if any(one is None for one in found) else sum(found)


def check(comparison, page, book):
    """Compares what should be the same on a page."""
    for line in SAME.get(page.name, ()):
        sums = [(path, total(page, path)) for path in line.split(" = ")]
        sums = [one for one in sums if one[1] is not None]
        for (path, value), (other, wanted) in zip(sums, sums[1:]):
            say(comparison, page, f"{path} is {value}, {other} {wanted}",
                equal(value, wanted) or "amount" in path and abs(value - wanted) < NEAR)
    bounds = {"start": book.start, "end": book.end, "before": book.before, "now": book.now,
              "midnight": book.midnight_of(book.now)}
    for path, sql in COUNTED.get(page.name, {}).items():
        value = total(page, path)
        if value is not None and not is_cut(page, path):
            row = book.rows.execute(sql, bounds).fetchone()
            wanted = (row[0] or 0) if row else value
            holds = equal(value, wanted) or isinstance(wanted, float) and abs(value - wanted) < NEAR
            say(comparison, page, f"{path} is {value}, should be {wanted}", holds)
    rules(comparison, page)
    for name, figure in page.figures.items():
        members(comparison, page, f"figures {name}", figure)
    for name, rows in page.tables.items():
        for row in rows:
            members(comparison, page, name, row)
            of_row(comparison, page, name, row)


def rules(comparison, page):
    """Tables that follow from others of their page: limits in force, and how long runs took."""
    if page.name == "limits":
        of_setting = {row["setting"]: row["value"] for row in page.tables["settings"]}
        quotas = {row["who"]: row for row in page.tables["quotas"]}
        for row in page.tables["standings"] + page.tables["standings-by-feature"]:
            feature, wait = row["feature"].lower(), row.get("time_left") or row.get("next_free")
            say(comparison, page, f"{feature} is limited by {row.get('limit')} and {wait}",
                row.get("limit", of_setting[f"{feature}.limit"]) == of_setting[f"{feature}.limit"]
                and (not wait or wait["of_seconds"] == of_setting[f"{feature}.cooldown"]))
        for row in page.tables["quota-standings"]:
            quota = quotas["Free" if row["tier"] == "free" else "Subscribed"]
            say(comparison, page, f"{row['profile']} has quotas {row['per_day']} and {row['total_limit']}",
                row["per_day"] == quota["per_day"] and row["total_limit"] in (quota["total"], None))
    if page.name == "runs" and not is_cut(page, "runs"):
        keys = {"jobs": lambda run: run["job"], "runs-by-day": lambda run: run["started_at"][:10]}
        for name in keys if page.frame["timeZone"] == "UTC" else ():
            for row in page.tables[name]:
                # Fresh runs are one row, with the seconds of the newest.
                folded = {run["job"] for run in page.tables["runs"] if run["runs"] > 1}
                if folded and (name == "runs-by-day" or row["job"] in folded):
                    continue
                seconds = sorted(run["seconds"] for run in page.tables["runs"] if keys[name](run) in row.values())
                wanted = (seconds[len(seconds) // 2], seconds[-1]) if seconds else (None, None)
                say(comparison, page, f"{name} took {row['median_seconds']}, should be {wanted[0]}",
                    row["median_seconds"] == wanted[0] and row.get("longest_seconds", wanted[1]) == wanted[1])
    if "last-seen" in page.tables:
        hours = [row["hours_ago"] for row in page.tables["last-seen"]]
        say(comparison, page, f"last-seen has the hours {hours}", hours == list(range(len(hours))))
    for name in ("asking", "skipped", "stars", "themes", "tiers"):
        wholes = {row["share"]["whole"] for row in page.tables.get(name, ())}
        say(comparison, page, f"shares of {name} are of {wholes}", len(wholes) <= 1)


def is_cut(page, path):
    """Whether a table has only the first of its rows."""
    name = PATH.match(path).group(1)
    return name != "figures" and page.totals.get(name, 0) > len(page.tables[name])


def say(comparison, page, words, holds):
    comparison.compared += 1
    if not holds:
        comparison.differences.append(f"{page.name}: {words}")


def members(comparison, page, where, row):
    """Percentages, changes and means of a row, by their parts."""
    for column, value in row.items():
        if not isinstance(value, dict):
            continue
        words = f"{where} {column} {json.dumps(value)}"
        if "percent" in value and "part" in value:
            say(comparison, page, words, 0 <= value["part"] <= value["whole"] and all(
                equal(value.get(one, wanted), wanted) for one, wanted in rate(value["part"], value["whole"]).items()))
        elif "previous" in value:
            wanted = change(value["previous"] + value["difference"], value["previous"])
            say(comparison, page, words, equal(value["percent"], wanted["percent"]))
        elif "mean" in value:
            say(comparison, page, words, 1 <= value["mean"] <= 5 if value["mean"] is not None else value["of"] == 0)
        elif "of_seconds" in value:
            say(comparison, page, words, 0 <= value["remaining_seconds"] <= value["of_seconds"])


def of_row(comparison, page, name, row):
    """What holds in each row that has these columns."""
    def holds(words, condition):
        say(comparison, page, f"{name} {json.dumps(row)[:160]}: {words}", condition)

    if row.get("other") is not None:
        holds("other is what is left", row["other"] == (row["taps"] or 0) - (row["performed"] or 0) - (row["blocked"] or 0))
    if "taps_by_day" in row and None not in row["taps_by_day"]:
        holds("the days are the taps", sum(row["taps_by_day"]) == row["taps"])
    if STARS[0] in row and row["count"] is not None:
        stars = sum(place * row[one] for place, one in enumerate(STARS, 1))
        holds("the stars are the ratings", row["count"] == sum(row[one] for one in STARS))
        holds("the mean is of the stars", all(
            equal(row["mean"][key], value) for key, value in mean(stars, row["count"]).items()))
    for count, of in (("ratings", "rating_mean"), ("reviews", "review_mean"), ("times", "stars")):
        if of in row and count in row and isinstance(row[of], dict):
            holds(f"{of} is of {count}", row[of].get("of", row[count]) == row[count])
    if isinstance(row.get("share"), dict):
        for count in ("count", "texts", "accounts", "profiles"):
            holds("the share is of the count", row.get(count, row["share"]["part"]) == row["share"]["part"])
    if row.get("later") and "feedback" in row:
        holds("all are of those shown", row["later"]["whole"] == row["stars"]["whole"] == row["shown"]
              and row["feedback"]["whole"] + row["store"]["whole"] == row["stars"]["part"])
    if "completed" in row:
        holds("each rating is completed once", row["completed"]["whole"] == row["ratings"])
    if "what" in row and "so_far" in row and row["change"]:
        holds("the change is of both", row["change"]["previous"] == row["week_before"]
              and row["change"]["difference"] == row["so_far"] - row["week_before"])
    if "available" in row:
        holds("each profile is in one state", row["profiles"] == sum(
            row[state] for state in ("available", "cooling_down", "at_limit", "bypassing")))
    if {"new", "estimate"} <= row.keys() and row["estimate"]:
        low, estimate, high = (row[one]["amount"] for one in ("at_least", "estimate", "at_most"))
        new = row["new"]
        spread = ((1.96 ** 2) * (new + 0.9604)) ** 0.5
        each = estimate / new if new else None
        holds("the range is of the estimate", each is None or all(
            abs(one - each * (new + 1.9208 + sign * spread)) < 0.05 for one, sign in ((low, -1), (high, 1))))
    if row.get("blocked_error"):
        rows = [one for one in page.tables["what-if"] if one["feature"] == row["feature"]]
        blocked = [100 * one["blocked"]["part"] / one["blocked"]["whole"] for one in rows[:2]]
        holds("the error is the replay's", equal(row["blocked_error"]["points"], rounded(blocked[1] - blocked[0], 1)))
    if "scenario" in row:
        happened = next(one for one in page.tables[name] if one["feature"] == row["feature"])
        holds("the figure is that of the table", row != happened or row["people_blocked"]
              == page.figures[f"blocked-people-{row['feature'].lower()}"]["value"])
        holds("the attempts are the same", row["blocked"]["whole"] == happened["blocked"]["whole"]
              and row["people_blocked"]["whole"] == happened["people_blocked"]["whole"]
              and row["taps_lost"]["whole"] == happened["taps_lost"]["whole"])
