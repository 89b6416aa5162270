"""Faults of kinds that no rule was made for: values that are blank, new, wrong or renamed, ids that change, limits
that hold for some. Docs: docs/shares.md."""
import copy
import functools

from app import DAY, EPOCH, LIMITS, MINUTE, PRICE, SECOND, App, Event
from plants import HALF, PLAIN, TWICE, is_new, is_rating, kind, of_share, people_by, segment

SHARES = {HALF: 0.2, PLAIN: 0.4, TWICE: 0.8}


def largest_version(plant):
    counts = people_by(plant, lambda person: plant.app.version(person, plant.first))
    return max(counts, key=counts.get)


def with_person(**changes):
    """A function from a person to the same one with other attributes, one copy for each."""
    @functools.lru_cache(None)
    def changed(person):
        other = copy.copy(person)
        for name, value in changes.items():
            setattr(other, name, value(person) if callable(value) else value)
        return other
    return changed


def changing(is_hit, change):
    return lambda number, events: [change(event) if is_hit(number, event) else event for event in events]


@kind("price-nothing", r"price", symptom=r"(?!)")
def price_nothing(plant):
    """Popups show no price, to some."""
    share = {HALF: 0.3, PLAIN: 0.6, TWICE: 1}[plant.size]
    return changing(lambda _, event: event.person.lot < share and "subscription_price_displayed" in event.more,
                    lambda event: event._replace(more={key: value for key, value in event.more.items()
                                                       if key != "subscription_price_displayed"}))


def lower_limit(plant, feature, limit, is_hit):
    """Free people have another limit: who is beyond it is blocked."""
    def change(_, events):
        kept = []
        for event in events:
            usage = event.more.get("current_usage", 0)
            if not event.name.startswith(feature) or segment(event) != "free_user" or not is_hit(event):
                kept.append(event)
            elif event.name == f"{feature}_performed" and usage > limit:
                limited = {**event.more, "current_usage": limit, "usage_limit": limit,
                           "popup_trigger_reason": "limit_reached", "subscription_price_displayed": PRICE}
                kept += [event._replace(name=f"{feature}_{name}", more=limited)
                         for name in ("popup_shown", "blocked_limit_reached")]
            else:
                kept.append(event._replace(more={**event.more, "current_usage": min(usage, limit),
                                                 "usage_limit": limit}))
        return kept
    return change


@kind("limit-flag", r"limit|blocked", symptom=r"-rose-|-fell-", by=7)
def limit_flag(plant):
    """A flag gives a part of the people a limit of 1."""
    share = {HALF: 0.25, PLAIN: 0.4, TWICE: 0.6}[plant.size]
    return lower_limit(plant, "refresh", 1, lambda event: event.person.lot < share)


@kind("limit-nothing", r"limit|blocked|dead-features", symptom=r"-rose-|-fell-")
def limit_nothing(plant):
    """One feature's limit is 0: every free tap is blocked."""
    return lower_limit(plant, {HALF: "search", PLAIN: "filter", TWICE: "refresh"}[plant.size], 0, lambda _: True)


@kind("renamed-country", r"renamed", symptom=r"(?!)", misleading=r"region|-rose-")
def renamed_country(plant):
    country = of_share(0.1 * plant.size, people_by(plant, lambda person: person.country))
    other = with_person(country=lambda person: person.country[:2].upper())
    return changing(lambda _, event: event.person.country == country,
                    lambda event: event._replace(person=other(event.person)))


@kind("blank-country", r"blank", symptom=r"dead-places", misleading=r"region|-rose-")
def blank_country(plant):
    """Events of one version, or of all, name no country."""
    version = None if plant.size == TWICE else largest_version(plant)
    other = with_person(country="")
    return changing(lambda _, event: version in (None, event.version) and (plant.size > HALF or event.person.lot < 0.5),
                    lambda event: event._replace(person=other(event.person)))


@kind("blank-version", r"blank", symptom=r"dead-version", misleading=r"-rose-")
def blank_version(plant):
    return changing(lambda _, event: event.person.lot < SHARES[plant.size], lambda event: event._replace(version=""))


@kind("wrong-type", r"type", symptom=r"blocked|popups", misleading=r"new-subscribers|-sales")
def wrong_type(plant):
    """One version calls free people subscribers."""
    version, share = largest_version(plant), {HALF: 0.3, PLAIN: 0.6, TWICE: 1}[plant.size]

    def change(_, events):
        kept = []
        for event in events:
            if event.version != version or is_rating(event) or segment(event) != "free_user" \
                    or event.person.lot >= share:
                kept.append(event)
            elif event.name.endswith(("button_tapped", "performed")) and "subscription" not in event.name:
                kept.append(event._replace(more={**event.more, "user_type": "lite_subscriber"}))
        return kept
    return change


@kind("ids-missing", r"without-user|ids|blank", symptom=r"-fell-", misleading=r"outage|partial|lost")
def ids_missing(plant):
    other = with_person(id="")
    return changing(lambda _, event: event.person.lot < SHARES[plant.size],
                    lambda event: event._replace(person=other(event.person)))


@kind("entitlements-lost", r"lost|free-again|subscribers|type", symptom=r"-rose-", by=7)
def entitlements_lost(plant):
    """Subscribers are free people again."""
    share = {HALF: 0.5, PLAIN: 0.75, TWICE: 1}[plant.size]
    return changing(lambda _, event: segment(event) == "lite_subscriber" and event.person.lot < share
                    and not is_rating(event) and "bypass" not in event.name,
                    lambda event: event._replace(more={**event.more, "user_type": "free_user"}))


@kind("clocks-behind", r"clocks|late", symptom=r"-fell-|partial-export")
def clocks_behind(plant):
    """The clocks of some people are a day behind."""
    share = {HALF: 0.15, PLAIN: 0.3, TWICE: 0.6}[plant.size]
    return lambda _, events: sorted(
        [event._replace(at=event.at - DAY) if event.person.lot < share else event for event in events],
        key=lambda event: event.at)


@kind("second-app", r"new-people|newcomers|new-version|new-values", symptom=r"-rose-")
def second_app(plant):
    """Another app's events come with ours: its versions and people are its own."""
    other = App(plant.app.seed + 5000, max(10, int(plant.app.size * 0.4 * plant.size)), plant.app.days)
    return lambda number, events: sorted(
        events + [event._replace(version="9." + event.version) for event in other.day(number)],
        key=lambda event: event.at)


@kind("new-ids", r"ids|new-people", symptom=r"(?!)", misleading=r"week-new-people-rose")
def new_ids(plant):
    """People have other ids since a day, as after a re-install."""
    other = with_person(id=lambda person: person.id and "r" + person.id)
    return changing(lambda _, event: event.person.lot < SHARES[plant.size] and not is_new(plant, event),
                    lambda event: event._replace(person=other(event.person)))


@kind("changing-bot", r"new-people|newcomers|ids", symptom=r"-rose-")
def changing_bot(plant):
    """A script taps with an id of its own each time."""
    def change(number, events):
        extra, begins = [], (EPOCH + number) * DAY
        people = len({event.person for event in events})
        version = plant.app.version(next(iter(plant.app.people)), number)
        for place in range(int(max(12, 0.4 * plant.size * people))):
            at = begins + plant.source.randrange(DAY - MINUTE)
            person = copy.copy(plant.app.people[0])
            person.id, person.country, person.joined = f"bot{number}x{place}", "Germany", at - MINUTE
            common = {"current_usage": 0, "usage_limit": LIMITS["refresh"], "session_id": f"b{place}",
                      "user_type": "new_user"}
            extra += [Event(at, "refresh_button_tapped", person, version, common),
                      Event(at + SECOND, "refresh_performed", person, version, common)]
        return sorted(events + extra, key=lambda event: event.at)
    return change


@kind("unenforced", r"blocked|limit|dead-features|enforced", symptom=r"-fell-|-rose-", by=7)
def unenforced(plant):
    """One version blocks nobody, or some only."""
    version, share = largest_version(plant), {HALF: 0.5, PLAIN: 1, TWICE: 1}[plant.size]
    names = ("_popup_shown", "_popup_dismissed", "_subscription_button_tapped")

    def change(_, events):
        kept = []
        for event in events:
            hit = event.version == version and event.person.lot < share
            if not hit or event.more.get("popup_trigger_reason") != "limit_reached":
                kept.append(event)
            elif event.name.endswith("_blocked_limit_reached"):
                kept.append(event._replace(name=event.name.replace("_blocked_limit_reached", "_performed")))
            elif not event.name.endswith(names):
                kept.append(event)
        return kept
    return change


@kind("alike-texts", r"alike|texts|themes", symptom=r"-rose-|stars", by=7)
def alike_texts(plant):
    """Many people send the same text."""
    def change(number, events):
        count = int(max(5, {HALF: 0.03, PLAIN: 0.06, TWICE: 0.12}[plant.size] * plant.app.size))
        people = list(dict.fromkeys(event.person for event in events if event.person.id))
        some = plant.source.sample(people, min(count, len(people)))
        extra = []
        for place, person in enumerate(some):
            at = (EPOCH + number) * DAY + (8 * 60 + 3 * place) * MINUTE
            extra += [Event(at, "rating_prompt_stars", person, "", {"rating_stars": 1}),
                      Event(at + SECOND, "rating_prompt_feedback", person, plant.app.version(person, number),
                            {"rating_stars": 1, "text": "Scam, they took my money twice"})]
        return sorted(events + extra, key=lambda event: event.at)
    return change


@kind("unreadable-ages", r"age|blank", symptom=r"(?!)")
def unreadable_ages(plant):
    """The app writes ages in a way that no load can read."""
    other = with_person(age="")
    return changing(lambda _, event: event.person.lot < SHARES[plant.size],
                    lambda event: event._replace(person=other(event.person)))
