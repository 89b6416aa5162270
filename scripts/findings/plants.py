"""Faults to plant into the days of an app, and which findings name them.

A kind makes a change of a day's events from its app, its first day, a size (half, plain or twice) and a source
of chance. `right` are the ids of findings that name it, `symptom` true words about what it does; any other new
error or warning is a misreading, and so is a note that `misleading` matches. Ids: docs/findings.md.
"""
import collections
import random
import re

from app import BAD_STARS, DAY, EPOCH, FEATURES, HOUR, LIMITS, PRICE, SECOND, Event, rating

HALF, PLAIN, TWICE = 0.5, 1, 2
SIZES = {"half": HALF, "plain": PLAIN, "twice": TWICE}
FALLS = {HALF: 0.25, PLAIN: 0.35, TWICE: 0.5}
FEATURE = {HALF: "message", PLAIN: "filter", TWICE: "refresh"}

Kind = collections.namedtuple("Kind", "plant right symptom misleading by")
KINDS = {}


def kind(name, right, symptom=r"-fell-", misleading=r"(?!)", by=1):
    """Names a plant; `by` is the day on which a plain one is due at the latest; None: nothing need be said."""
    def register(plant):
        KINDS[name] = Kind(plant, re.compile(right), re.compile(symptom), re.compile(misleading), by)
        return plant
    return register


def first_day(name, app, first):
    """The first day of a fault that is to begin on a day: that of a release is a release."""
    return next(day for _, day in app.releases if day >= first) if "release" in name else first


class Plant:
    """One fault: the days it changes, and how."""

    def __init__(self, name, app, first, size, seed):
        self.kind, self.app, self.size = KINDS[name], app, size
        self.first = first_day(name, app, first)
        self.source = random.Random(f"{name} {seed} {app.size} {size}")
        # A tenth at most is left of what is dead.
        self.left = self.source.uniform(0, 0.1)
        self.settings = []
        # A change of a review of the App Store.
        self.review = lambda review: review
        self.change = self.kind.plant(self)

    def events(self, number):
        """The events of a day that the export has; None where it never comes."""
        events = self.app.day(number)
        return events if number < self.first else self.change(number, events)

    def reviews(self, number):
        """The reviews of a day."""
        reviews = self.app.reviews(number)
        return reviews if number < self.first else list(map(self.review, reviews))

    def without(self, is_hit, left=None):
        """A change that takes away what is hit, but for a share that is left."""
        left = self.left if left is None else left
        return lambda number, events: [
            event for event in events if not is_hit(number, event) or self.source.random() < left]

    def only_on(self, days, change):
        return lambda number, events: change(number, events) if number - self.first in days else events


def segment(event):
    return event.more.get("user_type") or event.person.segment(event.at)


def hour(event):
    return event.at % DAY // HOUR


def is_rating(event):
    return event.name.startswith(("rating", "app_events"))


def is_new(plant, event):
    return event.person.joined >= (EPOCH + plant.first) * DAY


def of_share(share, counts, but=None):
    """The key, but one, of a cell that has about so large a share of all."""
    total = sum(counts.values())
    return min((key for key in sorted(counts) if key != but), key=lambda key: abs(counts[key] / total - share))


def people_by(plant, key):
    """People of the week before, by a key."""
    seen = {event.person for day in range(plant.first - 7, plant.first) for event in plant.app.day(day)}
    return collections.Counter(map(key, seen))


@kind("dead-country", r"dead-places|dead-country")
def dead_country(plant):
    country = of_share(0.1 * plant.size, people_by(plant, lambda person: person.country))
    return plant.without(lambda _, event: event.person.country == country)


@kind("dead-language", r"dead-places|dead-language")
def dead_language(plant):
    language = of_share(0.1 * plant.size, people_by(plant, lambda person: person.language))
    return plant.without(lambda _, event: event.person.language == language)


@kind("dead-version", r"dead-version")
def dead_version(plant):
    counts = people_by(plant, lambda person: plant.app.version(person, plant.first))
    version = of_share(0.1 * plant.size, counts, but=max(counts, key=counts.get))
    return plant.without(lambda _, event: event.version == version)


@kind("dead-feature", r"dead-features")
def dead_feature(plant):
    return plant.without(lambda _, event: event.name == FEATURE[plant.size] + "_performed")


@kind("dead-weekends", r"dead-features", by=14)
def dead_weekends(plant):
    return plant.without(lambda number, event: (EPOCH + number + 3) % 7 > 4
                         and event.name == FEATURE[plant.size] + "_performed")


@kind("dead-nights", r"dead-features", by=14)
def dead_nights(plant):
    return plant.without(lambda _, event: (hour(event) > 21 or hour(event) < 6)
                         and event.name == FEATURE[plant.size] + "_performed")


@kind("dead-subscription-taps", r"dead-(subscription-taps|sales)")
def dead_subscription_taps(plant):
    return plant.without(lambda _, event: event.name.endswith("subscription_button_tapped"))


@kind("dead-new-people", r"dead-new-people")
def dead_new_people(plant):
    return plant.without(lambda _, event: is_new(plant, event) and event.person.lot >= plant.left, 0)


@kind("dead-feedback", r"dead-feedback")
def dead_feedback(plant):
    return plant.without(lambda _, event: event.name == "rating_prompt_feedback")


def never_subscribes(plant, share):
    """From the first day on a share of those who would have subscribed stay free."""
    begins = (EPOCH + plant.first) * DAY
    return lambda _, events: [
        event._replace(more={**event.more, "user_type": "free_user"})
        if event.person.subscribes >= begins and event.person.lot < share and segment(event) == "lite_subscriber"
        and not is_rating(event) else event for event in events]


@kind("dead-sales", r"dead-(sales|new-subscribers)|week-new-subscribers-fell", by=7)
def dead_sales(plant):
    return never_subscribes(plant, 1 - plant.left)


@kind("week-sales", r"week-(subscription-taps|new-subscribers)-fell", by=7)
def week_sales(plant):
    fall, fewer = FALLS[plant.size], never_subscribes(plant, FALLS[plant.size])
    taps = plant.without(lambda _, event: event.name.endswith("subscription_button_tapped"), 1 - fall)
    return lambda number, events: taps(number, fewer(number, events))


@kind("week-new-subscribers", r"week-new-subscribers-fell", by=7)
def week_new_subscribers(plant):
    return never_subscribes(plant, FALLS[plant.size])


@kind("week-new-people", r"week-new-people-fell", by=7)
def week_new_people(plant):
    return plant.without(lambda _, event: is_new(plant, event) and event.person.lot < FALLS[plant.size], 0)


@kind("week-taps", r"week-(taps|people)-fell|usage-usage-fell", by=7)
def week_taps(plant):
    """Each attempt is there or not as a whole: its events follow its tap."""
    def change(_, events):
        kept, is_kept = [], {}
        for event in events:
            if event.name.endswith("button_tapped") and not event.name.endswith("subscription_button_tapped"):
                is_kept[event.person] = plant.source.random() >= FALLS[plant.size]
            if is_rating(event) or is_kept.get(event.person, True):
                kept.append(event)
        return kept
    return change


@kind("week-people", r"week-(taps|people)-fell|usage-usage-fell", by=7)
def week_people(plant):
    return by_person_day(plant, lambda number: FALLS[plant.size])


@kind("week-ratings", r"week-ratings-fell", by=7)
def week_ratings(plant):
    dropped = by_person_day(plant, lambda number: FALLS[plant.size])
    return lambda number, events: sorted(
        dropped(number, [event for event in events if is_rating(event)])
        + [event for event in events if not is_rating(event)], key=lambda event: event.at)


def by_person_day(plant, share):
    """Leaves out a share of the people of each day, another one every day."""
    def change(number, events):
        lots = {person: plant.source.random() for person in dict.fromkeys(event.person for event in events)}
        return [event for event in events if lots[event.person] >= share(number)]
    return change


@kind("drift", r"drift-\S+-fell|week-\S+-fell|usage-usage-fell", by=14)
def drift(plant):
    return by_person_day(plant, lambda number: 1 - (1 - 0.02 * plant.size) ** (number - plant.first + 1))


@kind("doubled", r"-doubled-", symptom=r"(?!)", misleading=r"-rose-|-flood-")
def doubled(plant):
    """Each event is logged once more, a little later and with an id of its own; of half the people, or twice more."""
    def change(_, events):
        again = []
        for copy in range(1, int(max(plant.size, 1)) + 1):
            again += [event._replace(at=event.at + copy * 40_000, more={**event.more, "event_id": f"{copy}x{event.at}"})
                      for event in events if event.person.lot < plant.size]
        return sorted(events + again, key=lambda event: event.at)
    return change


def taps_of(plant, person, number, count):
    """So many attempts of one person, spread over the day."""
    version, events = plant.app.version(person, number), []
    for place in range(count):
        at = (EPOCH + number) * DAY + int((place + plant.source.random()) * DAY / count)
        feature = plant.source.choice(FEATURES)
        common = {"current_usage": 0, "usage_limit": LIMITS[feature], "session_id": f"{person.id}-{place // 100}",
                  "user_type": "lite_subscriber"}
        events.append(Event(at, f"{feature}_button_tapped", person, version, common))
        events.append(Event(at + SECOND, f"{feature}_performed", person, version, common))
    return events


def steady(plant, number):
    """Somebody who stays, of the longest known ones."""
    back = {event.person for event in plant.app.day(number) if event.person.id
            and event.person.joined < (EPOCH + number - 14) * DAY}
    return sorted(back, key=lambda person: person.id)


@kind("bots", r"-flood-", symptom=r"(?!)", misleading=r"-rose-|-doubled-")
def bots(plant):
    people = plant.source.sample(steady(plant, plant.first), 3)

    def change(number, events):
        usual = sum(event.name.endswith("button_tapped") for event in events)
        taps = int(plant.size * max(300, usual * 0.1))
        return sorted(sum((taps_of(plant, person, number, taps) for person in people), events),
                      key=lambda event: event.at)
    return change


@kind("one-user", r"-flood-", symptom=r"(?!)", misleading=r"-rose-|-doubled-")
def one_user(plant):
    person = plant.source.choice(steady(plant, plant.first))
    share = {HALF: 0.12, PLAIN: 0.18, TWICE: 0.3}[plant.size]
    return lambda number, events: sorted(
        events + taps_of(plant, person, number, int(len(events) * share / (1 - share) / 2)), key=lambda event: event.at)


@kind("one-rater", r"one-rater", symptom=r"(?!)", misleading=r"-rose-")
def one_rater(plant):
    person = plant.source.choice(steady(plant, plant.first))

    def change(number, events):
        usual, begins = sum(event.name == "rating_prompt_stars" for event in events), (EPOCH + number) * DAY + 9 * HOUR
        count = round(plant.size * max(6, 0.7 * usual))
        version = plant.app.version(person, number)
        extra = [Event(begins + place * 90 * SECOND + after, name, person, version, more) for place in range(count)
                 for after, name, more in ((0, "app_events", {"rating_ChatHub_1": 1}),
                                           (SECOND, "rating_prompt_stars", {"rating_stars": 1}))]
        return sorted(events + extra, key=lambda event: event.at)
    return change


@kind("shift", r"hours-moved", symptom=r"(?!)")
def shift(plant):
    hours = {HALF: 2, PLAIN: 4, TWICE: 8}[plant.size] * plant.source.choice((-1, 1))
    return lambda _, events: [event._replace(at=event.at + hours * HOUR) for event in events]


PARTLY = r"partial-export|lost-export"


@kind("part-lines", PARTLY)
def part_lines(plant):
    share = {HALF: 0.3, PLAIN: 0.5, TWICE: 0.75}[plant.size]
    return plant.only_on((0,), plant.without(lambda *_: True, 1 - share))


@kind("part-country", PARTLY + "|dead-places")
def part_country(plant):
    missing = {HALF: ("Brazil",), PLAIN: ("India",), TWICE: ("India", "Brazil")}[plant.size]
    return plant.only_on((0,), plant.without(lambda _, event: event.person.country in missing, 0))


@kind("part-hours", PARTLY + "|outage")
def part_hours(plant):
    begins, hours = plant.source.randrange(8, 13), {HALF: 4, PLAIN: 8, TWICE: 11}[plant.size]
    return plant.only_on((0,), plant.without(lambda _, event: begins <= hour(event) < begins + hours, 0))


@kind("lost-export", r"lost-export")
def lost_export(plant):
    return plant.only_on((0,) if plant.size < TWICE else (0, 1), lambda *_: None)


@kind("outage", r"-outage-")
def outage(plant):
    begins, hours = plant.source.randrange(8, 13), {HALF: 5, PLAIN: 9, TWICE: 11}[plant.size]
    return plant.only_on((0,), plant.without(lambda _, event: begins <= hour(event) < begins + hours, 0.01))


@kind("country-outage", r"dead-places|region|country", symptom=r"-fell-|partial-export")
def country_outage(plant):
    places = {HALF: ("Brazil",), PLAIN: ("India",), TWICE: ("India", "Brazil")}[plant.size]
    return plant.only_on((0, 1), plant.without(lambda _, event: event.person.country in places and hour(event) > 2))


def worse(plant, version):
    """Ratings are given anew, a star lower; those of some of the people, of all, or nearly all with one star."""
    stars = BAD_STARS if plant.size < TWICE else (75, 15, 5, 3, 2)

    def change(_, events):
        kept = []
        for event in events:
            if not is_rating(event) or version not in (None, event.version) or event.person.lot >= plant.size * 1.2:
                kept.append(event)
            elif event.name == "rating_prompt_shown":
                kept += rating(plant.source, event.person, event.at, event.version, stars)
        return sorted(kept, key=lambda event: event.at)
    return change


@kind("bad-release", r"release-|stars-fell", symptom=r"stars|themes", by=7)
def bad_release(plant):
    return worse(plant, next(version for version, day in plant.app.releases if day == plant.first))


@kind("stars", r"stars-fell", symptom=r"themes", by=7)
def stars(plant):
    return worse(plant, None)


@kind("setting-effect", r"effect-|blocked|subscription-taps-rose", symptom=r"-fell-|-rose-", by=14)
def setting_effect(plant):
    """The refresh limit falls from 3 to 2: the third use is blocked, and more people tap to subscribe."""
    plant.settings = [("freeRefreshLimit", LIMITS["refresh"], 2)]
    eager = {HALF: 0.1, PLAIN: 0.2, TWICE: 0.4}[plant.size]

    def change(_, events):
        kept = []
        for event in events:
            is_refresh, usage = event.name.startswith("refresh_"), event.more.get("current_usage", 0)
            if not is_refresh or segment(event) != "free_user":
                kept.append(event)
            elif event.name == "refresh_performed" and usage == 3:
                limited = {**event.more, "current_usage": 2, "usage_limit": 2, "popup_trigger_reason": "limit_reached",
                           "subscription_price_displayed": PRICE}
                names = ["popup_shown", "blocked_limit_reached"]
                names += ["subscription_button_tapped"] if plant.source.random() < eager else []
                kept += [event._replace(name=f"refresh_{name}", more=limited) for name in names]
            else:
                kept.append(event._replace(more={**event.more, "current_usage": min(usage, 2), "usage_limit": 2}))
        return kept
    return change


@kind("setting-without", r"effect-", by=None)
def setting_without(plant):
    """A limit that hardly anybody reaches changes; nothing follows, and nothing need be said."""
    plant.settings = [("freeMomentsPerDay", 3, 2)]
    return lambda _, events: events
