"""Faults in two parts of an app at once, at some hours, in a store, and in what people find: docs/shares.md."""
from more_plants import one_star, places
from plants import HALF, PLAIN, TWICE, hour, is_rating, kind
from unnamed_plants import changing, largest_version


@kind("store-stars", r"store-stars-fell", symptom=r"(?!)", by=14)
def store_stars(plant):
    """The App Store's customers in one country, or everywhere, give one star."""
    where, share = places(plant), {HALF: 0.6, PLAIN: 0.9, TWICE: 1}[plant.size]
    plant.review = lambda review: (
        (*review[:2], 1) if review[1] in where and plant.source.random() < share else review)
    return lambda _, events: events


@kind("platform-stars", r"stars-fell", symptom=r"themes", by=14)
def platform_stars(plant):
    """One platform gives one star, in some countries or everywhere."""
    where = places(plant)
    return changing(
        lambda _, event: event.person.platform == "android" and is_rating(event)
        and (plant.size >= TWICE or event.person.country in where or plant.size == PLAIN and event.person.lot < 0.5),
        one_star)


@kind("platform-actions", r"dead-features|share-failed", symptom=r"-fell-|dead-places", by=7)
def platform_actions(plant):
    """Taps lead to nothing on one platform in one country."""
    where = places(plant)
    return plant.without(
        lambda _, event: event.person.country in where and event.person.platform == "ios"
        and event.name.endswith("_performed"))


@kind("hours-fail", r"dead-features|share-failed", symptom=r"-fell-")
def hours_fail(plant):
    """A feature fails at some hours of each day."""
    feature = {HALF: "search", PLAIN: "filter", TWICE: "refresh"}[plant.size]
    return plant.without(lambda _, event: event.name == f"{feature}_performed" and 12 <= hour(event) < 18)


@kind("empty-filters", r"empty-filters", symptom=r"-fell-|-rose-")
def empty_filters(plant):
    """Filters find nobody, for some or for all."""
    share = {HALF: 0.3, PLAIN: 0.6, TWICE: 1}[plant.size]
    return changing(
        lambda _, event: event.person.lot < share and "filter_result_count" in event.more,
        lambda event: event._replace(more={**event.more, "filter_result_count": 0}))


@kind("dead-platform", r"dead-(places|platform)|share-places-fell", symptom=r"-fell-|share-failed")
def dead_platform(plant):
    """One platform's events do not come."""
    return plant.without(lambda _, event: event.person.platform == "android",
                         left={HALF: 0.5, PLAIN: 0.2, TWICE: 0}[plant.size])


@kind("logged-twice", r"doubled|usage-rose|twice", symptom=r"-rose-", by=7)
def logged_twice(plant):
    """One version logs each action twice."""
    version, share = largest_version(plant), {HALF: 0.4, PLAIN: 0.8, TWICE: 1}[plant.size]

    def change(_, events):
        kept = []
        for event in events:
            kept.append(event)
            if event.version == version and event.person.lot < share and event.name.endswith("_performed"):
                kept.append(event._replace(at=event.at + 1000))
        return sorted(kept, key=lambda event: event.at)
    return change


@kind("endless-trial", r"type|new-people", symptom=r"blocked|-fell-", by=7)
def endless_trial(plant):
    """Who is free is new for ever, with one version: nobody is blocked there."""
    version, share = largest_version(plant), {HALF: 0.4, PLAIN: 0.8, TWICE: 1}[plant.size]
    limited = ("_popup_shown", "_blocked_limit_reached", "_subscription_button_tapped", "_popup_dismissed")

    def change(_, events):
        kept = []
        for event in events:
            is_hit = event.version == version and not is_rating(event) and event.person.lot < share \
                and event.person.segment(event.at) == "free_user"
            if not is_hit:
                kept.append(event)
            elif not event.name.endswith(limited):
                kept.append(event._replace(more={**event.more, "user_type": "new_user"}))
        return kept
    return change
