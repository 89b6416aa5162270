"""More faults to plant: narrower ones than those of plants.py, and some of which nothing need be said."""
from app import DAY, PRICE, SECOND
from plants import HALF, PLAIN, TWICE, is_new, is_rating, kind, people_by


def places(plant):
    return {HALF: ("Brazil",), PLAIN: ("India",), TWICE: ("India", "Brazil")}[plant.size]


@kind("country-actions", r"dead-features", symptom=r"-fell-|dead-places")
def country_actions(plant):
    """Refreshes fail in one country."""
    where = places(plant)
    return plant.without(
        lambda _, event: event.person.country in where and event.name == "refresh_performed")


@kind("release-actions", r"dead-features", symptom=r"-fell-|dead-versions", by=7)
def release_actions(plant):
    """Refreshes fail in the newest version, from its first day on."""
    version = next(name for name, day in plant.app.releases if day == plant.first)
    share = {HALF: 0.5, PLAIN: 1, TWICE: 1}[plant.size]
    return plant.without(
        lambda _, event: event.version == version and event.name == "refresh_performed"
        and event.person.lot < share)


@kind("country-half", r"(week|share)-\S*(country|places)\S*-fell", symptom=r"-fell-", by=7)
def country_half(plant):
    """Half of the people of a country stay away."""
    where = places(plant)

    def change(number, events):
        people = dict.fromkeys(event.person for event in events)
        away = {person for person in people if plant.source.random() < 0.5 and person.country in where}
        return [event for event in events if event.person not in away]
    return change


@kind("country-stars", r"stars-fell|release-", symptom=r"themes", by=14)
def country_stars(plant):
    """Everybody in one country with the version that most have gives one star; twice: with any version."""
    where = places(plant)
    counts = people_by(plant, lambda person: plant.app.version(person, plant.first))
    version = max(counts, key=counts.get)

    def change(_, events):
        return [one_star(event) if event.person.country in where and is_rating(event)
                and (plant.size >= TWICE or event.version == version) else event for event in events]
    return change


def one_star(event):
    more = {("rating_ChatHub_1" if key.startswith("rating_ChatHub") else key):
            (1 if key == "rating_stars" else value) for key, value in event.more.items()}
    return event._replace(more=more)


@kind("language-twice", r"week-\S*-rose|usage-rose", symptom=r"-rose-", by=None)
def language_twice(plant):
    """One language uses a feature twice as much."""
    language = {HALF: "Spanish", PLAIN: "Portuguese", TWICE: "Hindi"}[plant.size]
    return lambda _, events: sorted(events + [
        event._replace(at=event.at + 7 * SECOND, more={**event.more, "event_id": f"2x{event.at}"})
        for event in events if event.person.language == language and event.name.startswith("search_")],
        key=lambda event: event.at)


@kind("workday-newcomers", r"week-new-people-fell|dead-new-people", by=14)
def workday_newcomers(plant):
    """Half of those who would join on Monday to Friday do not."""
    share = {HALF: 0.35, PLAIN: 0.5, TWICE: 0.75}[plant.size]

    def is_lost(event):
        joined = event.person.joined // DAY
        return (joined + 3) % 7 < 5 and event.person.lot < share
    return plant.without(lambda _, event: is_new(plant, event) and is_lost(event), 0)


@kind("clock-ahead", r"clocks-ahead", symptom=r"-fell-|-outage-|-export-")
def clock_ahead(plant):
    """The clocks of some people are a day ahead."""
    share = {HALF: 0.1, PLAIN: 0.3, TWICE: 1}[plant.size]
    return lambda _, events: sorted(
        [event._replace(at=event.at + DAY) if event.person.lot < share else event for event in events],
        key=lambda event: event.at)


@kind("same-lines", r"(?!)", symptom=r"(?!)", by=None)
def same_lines(plant):
    """Each line comes twice, word for word: nothing is told of it."""
    return lambda _, events: [event for event in events for _ in range(2)]


@kind("popups-fail", r"dead-features", symptom=r"-fell-|-rose-")
def popups_fail(plant):
    """No popup is shown, and no button of one is tapped."""
    names = ("popup_shown", "popup_dismissed", "subscription_button_tapped")
    return plant.without(lambda _, event: event.name.endswith(names))


@kind("blocks-double", r"blocked", symptom=r"-rose-|-fell-")
def blocks_double(plant):
    """Taps are blocked at random, as by a wrong counter."""
    share = {HALF: 0.15, PLAIN: 0.3, TWICE: 0.6}[plant.size]

    def change(_, events):
        kept = []
        for event in events:
            free = event.name.endswith("_performed") and event.person.segment(event.at) == "free_user"
            if free and plant.source.random() < share:
                feature = event.name.removesuffix("_performed")
                more = {**event.more, "popup_trigger_reason": "limit_reached", "subscription_price_displayed": PRICE}
                kept += [event._replace(name=f"{feature}_{name}", more=more)
                         for name in ("popup_shown", "blocked_limit_reached")]
            else:
                kept.append(event)
        return kept
    return change
