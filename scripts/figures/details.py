"""What stands beside the figures of a page: instants, days, settings, prices, drawn popups, what a decision found.

`CHECKS` yields (where, what the page has, what it should have); `COLUMNS` are the members that it compares, by page and
table, so that they are not listed as left out.
"""
import datetime
import json
import re

import limits


from book import DAY, EPOCH, FEATURES, SECOND, iso, micros
from freshness import schedules
from pages import rounded

PRICE = re.compile(r"[\d.]+")
Z2 = 1.959963984540054 ** 2
# Characters of a feedback, and what the dialog answers to one to five stars.
FEEDBACK = (10, 500)
ANSWERS = ("Not meeting your expectations. Help us improve!", "Could be much better. Tell us how!",
           "It's okay, but needs improvement", "Great! Rate us on App Store", "Awesome! Share your love on App Store")
COLUMNS = {
    ("index", "jobs"): ("last_success_at",), ("runs", "jobs"): ("last_success_at", "schedule"),
    ("runs", "warnings"): ("newest_at",), ("limits", "settings"): ("read_at",),
    ("limits", "fetched-settings"): ("read_at", "value"), ("limits", "setting-changes"): ("changed_at", "old", "new"),
    ("limits", "quota-standings"): ("until",), ("ratings", "repeated-texts"): ("newest", "versions"),
    ("usage", "income"): ("at_least", "estimate", "at_most"), ("usage", "read-costs"): ("what",),
    ("users", "online"): ("on",), ("usage", "heaviest-users"): ("name",), ("users", "newest"): ("name", "city"),
    **{("limits", f"decision-{feature}"): ("inputs", "finding") for feature in FEATURES},
    ("search", "sections"): ("section", "words"), ("ratings", "rating-funnel"): ("base",)}


def words_of(at, book, form):
    local = (EPOCH + datetime.timedelta(microseconds=at)).astimezone(book.zone)
    return f"{local:{form}}".replace(" 0", " ")


def figure_words(sentence):
    """The numbers of a sentence, or of a list of them."""
    sentence = " ".join(sentence) if isinstance(sentence, list) else sentence
    return re.findall(r"\d+(?:\.\d+)*", sentence.replace(",", ""))


# All pages

NEWEST = {
    "usage": "SELECT MAX(at) FROM events", "limits": "SELECT MAX(fetched_at) FROM settings",
    "popups": "SELECT MAX(fetched_at) FROM settings", "runs": "SELECT MAX(started_at) FROM sync_runs",
    "users": "SELECT MAX(started_at) FROM sync_runs WHERE kind = 'sync-users' AND outcome IN ('ok', 'partial')",
    "ratings": "SELECT MAX(at) FROM (SELECT MAX(at) AS at FROM events WHERE stars IS NOT NULL UNION ALL"
               " SELECT MAX(timestamp) * 1000000 FROM app_rating_feedback UNION ALL SELECT MAX(at) FROM ratings)"}


def frame(page, book, _):
    """When the newest of the data is of."""
    parts = [page.name] if page.name in NEWEST else ["usage", "limits", "ratings", "users"]
    yield "dataTime", micros(page.content["dataTime"]["at"]), max(book.one(NEWEST[one]) or 0 for one in parts)


def findings(page, book, folder):
    """A partial run's words are those that it kept; those of the index and of findings.json are the pages' own."""
    lead = page.content["sections"][0].get("lead") or ""
    for form, levels in ((r"(\d+) notes? to read", ("notice",)), (r"^(\d+) matters?, worst first", ("error", "warn", "notice"))):
        if page.name == "index" and (match := re.search(form, lead)):
            ones = [one for _, block in page.others if block["kind"] == "findings" for one in block["findings"]]
            yield "attention lead", int(match.group(1)), sum(one["level"] in levels for one in ones)
    listed = {one["id"]: one for one in json.loads((folder / "findings.json").read_text())["findings"]}
    for one in page.content["findings"]:
        if page.name != "index" or one["id"] in listed:
            other = listed.get(one["id"])
            yield f"{one['id']} sentence", one["sentence"], other and other["sentence"]
        if match := re.match(r"The last run of (\S+) was partial: ", one["sentence"]):
            row = book.all("SELECT warnings FROM sync_runs WHERE job = ? AND ended_at IS NOT NULL"
                           " AND outcome <> 'locked' ORDER BY started_at DESC, id DESC LIMIT 1", match.group(1))[0]
            wanted = " ".join(json.loads(row["warnings"]))
            yield f"{one['id']} warnings", one["sentence"][match.end():], wanted


# Jobs

def jobs(page, book, _):
    plans = schedules(book.workspace)
    for row in page.tables.get("jobs", ()):
        newest = book.one("SELECT MAX(started_at) FROM sync_runs WHERE job = ? AND outcome IN ('ok', 'partial', 'fresh')",
                          row["job"])
        yield f"jobs {row['job']} last_success_at", row["last_success_at"], iso(newest)
        if "schedule" in row:
            yield f"jobs {row['job']} schedule", row["schedule"], plans[row["job"]] or "on demand"


def warnings(page, book, _):
    for row in page.tables.get("warnings", ()):
        newest = book.one(
            "SELECT MAX(started_at) FROM sync_runs WHERE job = ?1 AND started_at >= ?2 AND started_at < ?3 AND (error = ?4"
            " OR EXISTS (SELECT 1 FROM json_each(warnings) WHERE value = ?4))", row["job"], book.start, book.end,
            row["sentence"])
        yield f"warnings {row['job']} newest_at", row["newest_at"], iso(newest)


# Settings and decisions

def settings(page, book, _):
    rows = {(row["source"], row["wire_name"]): row for row in book.all("SELECT * FROM settings")}
    for row in page.tables["fetched-settings"]:
        found = rows[row["source"], row["field"]]
        yield f"fetched-settings {row['field']} value", row["value"], found["raw_value"]
        yield f"fetched-settings {row['field']} read_at", row["read_at"], iso(found["fetched_at"])
    newest = {}
    for (source, _), row in rows.items():
        newest[source] = max(newest.get(source, 0), row["fetched_at"])
    for row in page.tables["settings"]:
        yield f"settings {row['setting']} read_at", row["read_at"], iso(newest.get(row["source"]))
    changes = sorted(((iso(row["changed_at"]), row["wire_name"], row["old_value"], row["new_value"])
                      for row in book.all("SELECT * FROM settings_history")), key=str)
    yield "setting-changes", sorted(
        ((row["changed_at"], row["field"], row["old"], row["new"]) for row in page.tables["setting-changes"]), key=str), changes


def replayed(page, book, _):
    """By how many points the replay blocks more or fewer than the ledger has."""
    feature = None
    for block in next(one for one in page.content["sections"] if one["id"] == "what-if")["blocks"]:
        feature = block["table"]["id"].removeprefix("what-if-") if "table" in block else feature
        if block["kind"] == "text" and (match := re.search(r"([\d.]+) points (more|fewer)", block["text"])):
            happened, as_it_is = (row["blocked"] for row in limits.what_if(feature, is_warm=True)(book)[1][:2])
            points = 100 * (as_it_is["part"] / as_it_is["whole"] - happened["part"] / happened["whole"])
            yield f"what-if-{feature} text", float(match.group(1)), rounded(abs(points), 1)
            yield f"what-if-{feature} text", match.group(2), "more" if points > 0 else "fewer"


def quotas(page, book, _):
    """A day's quota, once the service has said that it is reached, until midnight."""
    today = book.one("SELECT local_day(?)", book.now)
    reached = {row["profile"] for row in book.all("SELECT profile FROM moment_marks WHERE daily_limit_day = ?", today)}
    midnight = iso(book.midnight(datetime.date.fromisoformat(today) + DAY))
    for row in page.tables["quota-standings"]:
        yield f"quota-standings {row['profile']} until", row["until"], midnight if row["profile"] in reached else None


def decisions(page, book, _):
    """What rules found of the default profile: its uses, the limit, the free period; of others no number."""
    standing = {row["feature"].lower(): row for row in limits.standings(book) if row["profile"] == "default"}
    period = str(int(book.setting("newUserFreePeriodSeconds")))
    for feature in limits.limited(book):
        used, most = str(standing[feature]["used"]), str(standing[feature]["limit"])
        forms = {"new-user": [[period], []], "under-limit": [[used, most], [used, most]], "at-limit": [[used, most], [used, most]]}
        for row in page.tables.get(f"decision-{feature}", ()):
            if standing[feature]["time_left"] is None:
                wanted = forms.get(row["rule"], [[], []])
                found = [figure_words(row[column] or "") for column in ("inputs", "finding")]
                is_asked = row["inputs"] is not None
                yield f"decision-{feature} {row['rule']}", found, wanted if is_asked else [[], []]


# Prices and people

def price(book):
    rows = book.all("SELECT price FROM profiles WHERE name = 'default' AND price IS NOT NULL")
    return rows[0]["price"] if rows else "$2.99/week"


def income(page, book, _):
    """A range of a Poisson count's score interval, times the price."""
    for row in page.tables.get("income", ()):
        count, whole = row["new_subscribers"], price(book)
        each = float(PRICE.search(whole).group())
        sign = whole[:PRICE.search(whole).start()]
        reach = (Z2 * (count + Z2 / 4)) ** 0.5
        for name, value in (("at_least", count + Z2 / 2 - reach), ("estimate", count), ("at_most", count + Z2 / 2 + reach)):
            yield f"income {name}", row[name], {"amount": rounded(value * each, 2), "currency": sign.strip()}
    for row in page.tables.get("read-costs", ()):
        if figure_words(row["what"]):
            active = book.one("SELECT COUNT(DISTINCT NULLIF(user_id, '')) FROM tally WHERE is_now")
            yield "read-costs what", figure_words(row["what"]), [str(active)]


def online(page, book, _):
    days = [row["day"] for row in book.all("SELECT DISTINCT local_day(at) AS day FROM online_counts"
                                           " WHERE at >= ? AND at < ? ORDER BY 1", book.start, book.end)]
    yield "online on", [row["on"] for row in page.tables.get("online", ())], [
        words_of(book.midnight(datetime.date.fromisoformat(day)), book, "%a %d %b %Y") for day in days]


def names(page, book, _):
    """As the users wrote them, but for what no page shows."""
    rows = {row["user_id"]: row for row in book.all("SELECT user_id, user_name, user_city FROM OnlineUsers")}
    plain = re.compile(r"[\w ]*$")
    for table, columns in (("newest", ("name", "city")), ("heaviest-users", ("name",))):
        for row in page.tables.get(table, ()):
            for column in columns:
                wanted = rows.get(row["user_id"], {}).get(f"user_{column}") or None
                if wanted is not None and plain.match(wanted):
                    yield f"{table} {row['user_id']} {column}", row[column], wanted


# Texts

def texts(page, book, _):
    """Versions and ids of feedback and reviews; what a text says is the reader's."""
    own = book.all("SELECT at, stars, app_version AS version, user_id, feedback FROM ratings WHERE feedback IS NOT NULL")
    foreign = book.all(
        "SELECT timestamp * 1000000 AS at, stars, app_version AS version, user_id, feedback FROM app_rating_feedback"
        " WHERE document_path NOT IN (SELECT remote_name FROM outbox WHERE kind = 'feedback' AND remote_name IS NOT NULL)")
    reviews = book.all("SELECT updated_at AS at, stars, version, author AS user_id, text AS feedback FROM app_store_reviews")
    known = {(iso(row["at"]), row["stars"], row["version"], row["user_id"], row["feedback"]) for row in own + foreign + reviews}
    for where, block in page.others:
        if block["kind"] != "feedback":
            continue
        for entry in block["entries"]:
            key = tuple(entry.get(name) for name in ("at", "stars", "appVersion", "userId", "text"))
            near = [one for one in known if one[:3] == key[:3] and key[3] in (None, "", one[3])]
            yield f"{where} {entry['at']}", bool(near), True
            if key[4] is not None and key[4].isascii():
                yield f"{where} {entry['at']} text", any(one[4] == key[4] for one in near), True


def repeated(page, book, written):
    groups = written.repeated_details()
    for row in page.tables.get("repeated-texts", ()):
        newest, versions = groups.get(row["text"], (None, None))
        yield f"repeated-texts {row['text'][:30]} newest", row["newest"], newest
        yield f"repeated-texts {row['text'][:30]} versions", row["versions"], versions


def base(page, book, _):
    for row in page.tables.get("rating-funnel", ()):
        wanted = {"Feedback": ["1", "3"], "App Store": ["4", "5"]}.get(row["step"], [])
        yield f"rating-funnel {row['step']} base", figure_words(row.get("base") or ""), wanted


# Popups

def popups(page, book, _):
    """Numbers in the words of drawn popups: limits, waits, quotas, the price."""
    own = price(book)
    day, premium, total = (int(book.setting(f"moments.{name}")) for name in ("freePerDay", "premiumPerDay", "freeTotal"))
    quota = {"free": [day, total], "premium": [premium], "header": [premium], "benefits": [premium], "text": [premium]}
    for where, block in page.others:
        for number, popup in enumerate(block.get("popups", ())):
            at = f"{where} {popup['state']}"
            if "price" in popup:
                yield f"{at} price", popup["price"], own
            if block["id"] in limits.GALLERIES:
                yield from _limit_popup(at, block["id"].removesuffix("-popup"), popup, book)
            elif popup["popup"] == "paywall":
                for name, wanted in quota.items():
                    if found := figure_words(popup.get(name) or ""):
                        yield f"{at} {name}", found, list(map(str, wanted))
                for name in ("banner", "server_message"):
                    if found := figure_words(popup.get(name) or ""):
                        yield f"{at} {name}", found, [str(total if popup["state"] != "day" else day)]
            elif popup["popup"] == "rating":
                yield from _rating_popup(at, popup)
            elif popup["popup"] == "none" and popup["state"] == "new-user":
                period = int(book.setting("newUserFreePeriodSeconds"))
                yield f"{at} reason", figure_words(popup["reason"]), [str(period // 2), str(period)]


def _limit_popup(at, feature, popup, book):
    most, wait = limits.limit(book, feature), limits.cooldown(book, feature) // SECOND
    used = next(row["used"] for row in limits.standings(book)
                if row["profile"] == "default" and row["feature"].lower() == feature)
    lefts = {"now": most - used, "full": most, "one-left": 1}
    if popup["state"] in lefts and popup.get("left"):
        yield f"{at} left", figure_words(popup["left"]), [str(lefts[popup["state"]])]
    waits = {"wait-begins": wait, "waiting": wait // 2, "wait-ends": 2}
    if popup["state"] in waits:
        minutes, seconds = divmod(waits[popup["state"]], 60)
        yield f"{at} time_left", popup["time_left"], f"Time remaining: {minutes}:{seconds:02}"
        yield f"{at} text", figure_words(popup["text"]), [str(most)]


def _rating_popup(at, popup):
    length, (fewest, most) = len((popup["typed"] or "").strip()), FEEDBACK
    if popup["counter"]:
        yield f"{at} counter", popup["counter"], f"{length}/{most}"
    yield f"{at} stars", popup["stars"], ANSWERS.index(popup["text"]) + 1 if popup["text"] in ANSWERS else None
    if lit := re.match(r"(\d)-star", popup["state"]):
        yield f"{at} caption", [*figure_words(popup["caption"]), popup["stars"]], [lit.group(1), int(lit.group(1))]
    if found := figure_words(popup["problem"] or ""):
        wanted = [["1", "3", str(fewest), str(most)], [str(length), str(fewest)], [str(length), str(most)]]
        yield f"{at} problem", found in wanted, True


def search(page, book, folder):
    """The numbers of each section's words are in that section."""
    for row in page.tables["sections"]:
        report = json.loads((folder / f"{row['section']['report']}.json").read_text())
        section = next(one for one in report["sections"] if one["id"] == row["section"]["section"])
        yield f"sections {section['id']} title", row["section"]["title"], section["title"]
        have = set(figure_words(json.dumps(section, ensure_ascii=False))) | set(
            figure_words(" ".join(re.findall(r"\d\d", json.dumps(section)))))
        cut = figure_words(row["words"].rstrip("…"))
        strangers = [word for word in cut if word not in have and not any(one.endswith(word) for one in have)]
        yield f"sections {section['id']} words", strangers, []


CHECKS = {
    "index": (jobs, texts), "runs": (jobs, warnings), "limits": (settings, quotas, decisions, replayed),
    "ratings": (texts, base), "usage": (income, names), "users": (online, names), "popups": (popups,)}


def check(comparison, page, book, folder, written):
    """Compares all that this module knows of a page."""
    made = [one(page, book, None) for one in CHECKS.get(page.name, ())] + [frame(page, book, None), findings(page, book, folder)]
    made += [search(page, book, folder)] if page.name == "search" else []
    made += [repeated(page, book, written)] if page.name == "ratings" else []
    for ones in made:
        for where, found, wanted in ones:
            comparison.values((page.name, where), [found], [wanted])
