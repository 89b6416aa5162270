"""The numbers, days and hours in the sentences of a page, each beside SQL of its own.

`SAID` has the forms of sentences with a group for each number, and what the numbers should be. A number that stands
in no form must be one of the page's other numbers; else it is a difference.
"""
import datetime
import re

import details
import index
import limits
import persons
import ratings
import runs
import usage
import users
from book import DAY, EPOCH, QUARTER, SECOND
from freshness import in_order
from pages import mean, numbers, rounded

MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
DATES = re.compile(
    rf"\d{{4}}-\d\d-\d\d(T[\d:.]+Z)?|((Mon|Tue|Wed|Thu|Fri|Sat|Sun) )?\d+ ({MONTHS})( \d{{4}})?|\d\d:\d\d|\d+(\.\d+){{2,}}")
NUMBER = re.compile(r"(?<![\w.])[-+]?\d[\d,]*(?:\.\d+)?(?![\w])")
N, D = r"(\d[\d,]*(?:\.\d+)?)", rf"((?:\w{{3}} )?\d+ (?:{MONTHS})(?: \d{{4}})?)"


def day_words(at, book, form):
    """An instant's day as the pages write it."""
    local = (EPOCH + datetime.timedelta(microseconds=at)).astimezone(book.zone)
    words = f"{local:{form}}".replace(" 0", " ")
    return words.removeprefix("0") if form.startswith("%d") else words


def _newest(book):
    """(day, start, end) of the newest day of which something is known, and the same weekday before."""
    days = index.whole_days(book, index.COURSE + 7)
    place = max(number for number, one in enumerate(days) if book.coverage(one[0]) != "none")
    return days[place], days[place - 7]


def _stars(book, _):
    (_, *now), (_, *before) = _newest(book)
    return index.of_day(book, *now)["stars"]["of"], index.of_day(book, *before)["stars"]["mean"]


def _written(book, written):
    counts = sorted((row["texts"] for row in written.themes(book)[1]), reverse=True)[:3]
    return (len(written.now), *(count for count in counts if count), written.open)


def _span(name):
    """The least and the most of a column of the month, on days of which something is known."""
    def found(book, _):
        counts = [row[name] if name != "taps" else row["not_blocked"] + row["blocked"]
                  for row in index.month(book)[1] if row["people"] is not None]
        return min(counts), max(counts)
    return found


def _changed(book, _):
    row = book.all("SELECT old_value, new_value FROM settings_history WHERE old_value IS NOT NULL"
                   " AND wire_name LIKE 'free%Limit' AND changed_at < ? ORDER BY changed_at DESC LIMIT 1", book.end)[0]
    return int(row["old_value"]), int(row["new_value"])


def _changed_days(book, written):
    at = int(list(persons.experiments(book))[-1].removeprefix("experiment-")) * SECOND
    return (*_changed(book, written), min(14, (persons.known_until(book) - at) // (86_400 * SECOND)))


def _changed_at(book, written):
    at = int(list(persons.experiments(book))[-1].removeprefix("experiment-")) * SECOND
    return (*_changed(book, written), day_words(at, book, "%d %b %Y"), day_words(at, book, "%H:%M"))


def _judged(book, _):
    whole = persons.first_whole(book)
    return (f"{whole + 28 * DAY:%d %b}".removeprefix("0"), 4)


def _attempts(book, _):
    return (len([one for one in limits.attempts(book) if one["is_counted"]]),)


def _attempts_of(feature):
    return lambda book, _: (sum(one["feature"] == feature and one["is_counted"] for one in limits.attempts(book)),)


def _without_id(book, _):
    return (book.one("SELECT COUNT(*) FROM tally WHERE is_now AND kind = 'button_tapped' AND user_id = ''"),)


def _origin(book, _):
    own, foreign = ratings.held(book)
    return len(own), len(foreign)


def _week_means(book, _):
    means = [row["mean"]["mean"] for row in ratings.weeks(book)[1] if row["count"]]
    return means[0], means[-1]


def _rating_summary(book, _):
    count, total, low = book.all(
        f"SELECT COUNT(*) AS count, SUM(stars) AS total, SUM(stars < 4) AS low {ratings.RATED}",
        *ratings.period(book))[0].values()
    return count, mean(total, count)["mean"], low


def _performed(book, _):
    counts = [row["performed"] for row in usage.by_day(book)[1]
              if row["day"] not in book.gaps and row["performed"] is not None]
    return min(counts), max(counts), usage.sums(book)["blocked"]


def _busiest_day(book, _):
    counts = {day: count for day, count in zip(book.days, usage.trend(book, "taps")) if count is not None}
    day = max(counts, key=counts.get)
    now = usage.sums(book)
    at = book.midnight(datetime.date.fromisoformat(day))
    return now["people"], now["taps"], day_words(at, book, "%a %d %b %Y")


def _busiest_hour(book, _):
    return (max(count for row in usage.by_hour(book)[1] for name, count in row.items() if name != "hour" and count),)


def _other_ways(book, _):
    """Free people who tapped to subscribe, new subscribers, and those of both outside of the funnel."""
    stages = persons.stages(persons.everybody(book).values())
    tapped = book.one("SELECT COUNT(DISTINCT user_id) FROM tally WHERE is_now AND user_id <> ''"
                      " AND user_type = 'free_user' AND kind = 'subscription_button_tapped'")
    new = len(persons.new_subscribers(book))
    return tapped, tapped - stages[3], new, new - stages[4]


def _active(book, _):
    row = persons.active_people(book)[1][-1]
    return tuple(row[name] for name in ("daily", "weekly", "four_weekly") if row[name] is not None)


def _active_span(book, _):
    counts = [row["daily"] for row in persons.active_people(book)[1] if row["daily"] is not None]
    return min(counts), max(counts)


def _filtered(book, _):
    taps, people, _, _ = persons.demand(book)
    return len(set().union(*people.values())), sum(taps.values())


def _empty(book, _):
    _, _, results, _ = persons.demand(book)
    every = [one for ones in results.values() for one in ones]
    return sum(one == 0 for one in every), len(every)


def _accounts(book, _):
    people = persons.everybody_known(book)
    made = {row["uid"] for row in book.all("SELECT uid FROM auth_users WHERE created_at IS NOT NULL")}
    return len(people & made), len(people)


def _hours(book, _):
    counts = [row["users"] for row in users.last_seen(book)[1]]
    return max(counts), counts[0]


def _price(book, _):
    return (details.PRICE.search(details.price(book)).group(),)


def _seen(book, _):
    return users.total(book), users._seen(book, 0, 24 * users.HOUR)


def _jobs(book, _):
    return (len(book.jobs),) if in_order(book, book.workspace) == len(book.jobs) else (None,)


def _constant(*values):
    return lambda book, written: values


def _dialog(name):
    return lambda book, _: tuple(int(book.setting(one)) for one in name)


def _incomplete(back):
    """The first day that is not known whole, of the last 14 and of those before them."""
    def found(book, _):
        rows = persons.active_people(book)[1][-14:]
        first, last = (datetime.date.fromisoformat(rows[place]["day"]) for place in (0, -1))
        days = (first + number * DAY for number in range(-back, (last - first).days + 1))
        day = next(day for day in days if not book.knows(str(day)) and (day >= first or day > persons.first_whole(book)))
        return (day_words(book.midnight(day), book, "%d %b"),)
    return found


def _before(figure):
    def found(_, written):
        value = written.shares(written.before)[figure]
        return value["part"], value["whole"], value["percent"]
    return found


# (page or page/figure, form, what its groups should be); a form may stand anywhere in a sentence.
SAID = [
    ("index", rf"^{N} people were active yesterday", lambda book, _: (index.of_day(book, *_newest(book)[0][1:])["active"],)),
    ("index", rf"as on {D}", lambda book, _: (day_words(_newest(book)[1][1], book, "%a %d %b"),)),
    ("index runs", rf"[Aa]ll {N} jobs did their work", _jobs),
    ("index", rf"^Jobs {N} of {N}$", lambda book, _: (in_order(book, book.workspace), len(book.jobs))),
    ("index", rf"^of {N} ratings, {N} before$", _stars),
    ("index", rf"{N} texts with one to three stars in this period: .*?\({N}\)(?:.*?\({N}\))?(?:.*?\({N}\))?; {N} open", _written),
    ("index", rf" limit {N} → {N}: people who tapped to subscribe, {N} days", _changed_days),
    ("index", rf"^Between {N} and {N} taps a day", _span("taps")),
    ("index", rf"Days are judged from {D} on: it takes {N} earlier", _judged),
    ("index", rf"^(?:Taps of )?{N} days$", _constant(28)),
    ("limits", rf"^The {N} attempts of the period", _attempts),
    ("limits", rf"{N} attempts without a user id", _without_id),
    *(("limits", rf"^{feature.capitalize()}: {N} attempts$", _attempts_of(feature)) for feature in limits.FEATURES),
    ("limits", rf" limit {N} → {N}, {D}, (\d\d:\d\d)$", _changed_at),
    ("limits", rf"side of {N}; whatever", _constant(0)),
    ("limits", rf"in the last {N} days", _constant(persons.EXPERIMENTS_FROM)),
    ("users", rf"seen in the {N} minutes before a load", _constant(5)),
    ("users", rf"the {N} hours before this report", _constant(24)),
    ("ratings", rf"^{N} ratings with a mean of {N} stars; {N} of them", _rating_summary),
    ("ratings", rf"^of {N} ratings$", lambda book, written: _rating_summary(book, written)[:1]),
    ("ratings", rf"^{N} own, {N} foreign", _origin),
    *((f"ratings/{figure}", rf"^{N} of {N} \({N}%†?\) before$", _before(figure)) for figure in ("too-short", "without-theme")),
    ("ratings", rf"^of {N} reviews held$", lambda book, _: (book.one("SELECT COUNT(*) FROM app_store_reviews"),)),
    ("ratings", "^" + "; ".join([rf"{N} stars?: {N}"] * 5) + "[.]$",
     lambda book, _: tuple(number for row in ratings.stars(book)[1] for number in (row["stars"], row["count"]))),
    ("ratings", rf"^The weekly mean went from {N} to {N} stars", _week_means),
    ("ratings", rf"more than {N} messages .* at most {N} low ratings", _dialog(("rating.threshold", "rating.maxPrompts"))),
    ("runs usage", rf"{N} USD per {N} reads", lambda book, _: (rounded(runs.PRICE * 100_000, 2), 100_000)),
    ("runs", rf"^{N} billed reads in all", lambda book, _: (runs.reads(runs.runs(book)),)),
    ("runs", rf"the ledger begins {D}", lambda book, _: (
        day_words(book.one("SELECT MIN(started_at) FROM sync_runs"), book, "%d %b"),)),
    ("usage", rf"^{N} people made {N} taps; the busiest day was {D}", _busiest_day),
    ("usage", rf"^Between {N} and {N} performed a day, {N} blocked", _performed),
    ("usage", r"^Today so far, until (\d\d:\d\d)", lambda book, _: (day_words(book.end // QUARTER * QUARTER, book, "%H:%M"),)),
    ("usage", rf"the export of {D} has not come", lambda book, _: (day_words(book.end - 1, book, "%d %b"),)),
    ("usage", rf"^{N} people tapped to subscribe, {N} of them by another way .* has {N} new subscribers, {N} of", _other_ways),
    ("usage", rf"^The busiest hour is \w+ \d\d:\d\d with {N} taps", _busiest_hour),
    ("usage", rf"^First terms at \D*{N}", _price),
    ("limits", rf"{N} points (?:more|fewer) of the attempts", None),
    ("usage ratings runs", rf"^(?:People|Ratings|Billed reads).* of the newest {N} days$", lambda book, _: (
        len(index.newest_reads(book)[1]),)),
    ("users", rf"^The newest {N} users, {N} of them seen within a day", _seen),
    ("users", rf"^Only the newest {N} users", lambda book, _: (users.total(book),)),
    ("users", rf"^At most {N} users online at one load", lambda book, _: (
        max((row["most"] for row in users.online(book)[1]), default=0),)),
    ("users", rf"at most {N} users in one hour, {N} in the last", _hours),
    ("users", rf": {N} people on the last day that is over(?:, {N} in 7 days)?(?:, {N} in 28 days)?", _active),
    ("users", rf"^People active a day, from {N} to {N}", _active_span),
    ("users/people-a-day", rf"^mean of the last {N} days", _constant(7)),
    ("users/people-a-day", rf"^no trend: {D} is incomplete", _incomplete(0)),
    ("users/stickiness", rf"^no trend: {D} is incomplete", _incomplete(27)),
    ("users", rf"^{N} people tapped the filter {N} times", _filtered),
    ("users", rf"{N} of {N} that tell their result found nobody", _empty),
    ("users", rf"Lines are missing of {D} and {D}", lambda book, _: tuple(
        day_words(book.midnight(datetime.date.fromisoformat(day)), book, "%d %b") for day in sorted(book.gaps))),
    ("users", rf"^The accounts of {N} of {N} people", _accounts),
]


def texts(page):
    """(where, sentence) of what the page says in words about its numbers."""
    yield "summary", page.content["summary"]
    for figure in page.figures.values():
        for member in ("note", "changeNote"):
            yield f"{figure['id']} {member}", figure.get(member) or ""
    for section in page.content["sections"]:
        yield f"{section['id']} title", section["title"]
        yield f"{section['id']} lead", section.get("lead") or ""
        for block in section["blocks"]:
            if "table" in block:
                yield f"{block['table']['id']} title", block["table"]["title"]
            if block["kind"] == "chart":
                yield f"{block['table']['id']} alternative", block["alternative"]
            if block["kind"] == "text":
                yield f"{section['id']} text", block["text"]


def known(page):
    """All numbers of the page, whole and by one and two decimals, and the sums of the columns of tables."""
    found = {value for _, value in numbers([page.content["figures"], *page.tables.values()])}
    for rows in page.tables.values():
        found |= {float(len(rows))}
        # Taps of a day, which the table has by what became of them.
        found |= {row["not_blocked"] + row["blocked"] for row in rows if row.get("not_blocked") is not None}
        for column in rows[0] if rows else ():
            values = [row[column] for row in rows if isinstance(row.get(column), (int, float))]
            found |= {sum(values)} if values else set()
    return {rounded(abs(value), digits) for value in found for digits in (0, 1, 2)}


def check(comparison, page, book, written):
    """Compares every number in the page's sentences."""
    among = known(page)
    for where, sentence in texts(page):
        covered = []
        for of_page, form, wanted in SAID:
            places = (page.name, f"{page.name}/{where.split()[0]}")
            if not set(places) & set(of_page.split()) or not (match := re.search(form, sentence)):
                continue
            covered.append(match.span())
            groups = [one for one in match.groups() if one is not None]
            if wanted is not None:
                comparison.values((page.name, where), list(map(_read, groups)), list(map(_read, wanted(book, written)[:len(groups)])))
        rest = "".join(letter if not any(start <= place < end for start, end in covered) else " "
                       for place, letter in enumerate(sentence))
        for word in NUMBER.findall(DATES.sub(" ", rest)):
            comparison.compared += 1
            if abs(float(word.replace(",", ""))) not in among:
                comparison.differences.append(f"{page.name} {where}: {word} is nowhere else on the page: {sentence[:120]}")


def _read(word):
    """A group or what it should be: a number, or words of a day."""
    if isinstance(word, str):
        plain = word.replace(",", "")
        return float(plain) if re.fullmatch(r"[\d.]+", plain) else plain
    return word
