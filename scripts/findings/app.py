"""An invented app of a seed and a size, day by day: who comes, what they do, what GA4 exports of it.

People differ: some come daily and tap often, most seldom. Days vary by the weekday, by a noise of 5 to 10 %, and
grow by 0 to 3 % a week; a release comes every third week and reaches people at their own pace. A day is made
from the seed and its number alone, so a plant changes the days from its first one on and no earlier day.
"""
import collections
import datetime
import functools
import math
import random

FIRST = datetime.date(2026, 8, 17)
SECOND = 1_000_000
MINUTE, HOUR, DAY = 60 * SECOND, 3600 * SECOND, 86_400 * SECOND
EPOCH = (FIRST - datetime.date(1970, 1, 1)).days
BUNDLE = "com.peppty.ChatApp"
# Monday to Sunday, and midnight to midnight UTC, as shares.
WEEKDAYS = (0.93, 0.92, 0.95, 0.97, 1.02, 1.12, 1.09)
HOURS = (3, 2, 1, 1, 1, 1, 2, 3, 4, 4, 4, 5, 6, 6, 5, 5, 6, 7, 9, 10, 10, 9, 7, 5)
# Country, language, share of the people.
PLACES = (("India", "Hindi", 24), ("Brazil", "Portuguese", 15), ("United States", "English", 10),
          ("Germany", "German", 9), ("Indonesia", "Indonesian", 9), ("Mexico", "Spanish", 8), ("Egypt", "Arabic", 7),
          ("France", "French", 6), ("Turkey", "Turkish", 5), ("Japan", "Japanese", 3), ("Chile", "Spanish", 2),
          ("Kenya", "English", 2))
CODES = dict(zip((place[0] for place in PLACES), "in br us de id mx eg fr tr jp cl ke".split()))
FEATURES, SHARES = ("refresh", "filter", "search", "message"), (6, 3, 2, 2)
PRICE = "$4.99/month"
LIMITS = {"refresh": 3, "filter": 2, "search": 2, "message": 5}
HABITS = (0.08, 0.15, 0.25, 0.45)
LIFETIME = 25
# One to five stars: a U, and a bad one.
STARS, BAD_STARS = (12, 5, 8, 20, 55), (33, 12, 11, 15, 29)
TEXTS = ("Too expensive for what it does", "Muito caro, quero mais buscas", "Zu viele gleiche Profile",
         "The same people are online every day", "Please let me search more often", "Messages arrive late",
         "Pas assez de monde dans ma ville", "It used to be better", "Give more refreshes", "Many fake profiles")
CRASHES = ("Crashes when I open a chat since the update", "A nova versão fecha sozinha", "It freezes, please fix it",
           "Stürzt nach dem Update ständig ab", "Se cierra al abrir los mensajes")

# Who, when, what; `name` without the platform, such as refresh_performed; `more` are its own parameters.
Event = collections.namedtuple("Event", "at name person version more")


class Person:
    """Somebody who has joined; all that lasts is drawn then."""

    def __init__(self, source, key, joined):
        # A few are nobody: their events have no id.
        self.id, self.joined = key if source.random() > 0.004 else "", joined
        self.country, self.language, _ = source.choices(PLACES, [place[2] for place in PLACES])[0]
        if source.random() < 0.08:
            self.language = "English"
        self.habit = source.choice(HABITS)
        self.taps = min(12, source.lognormvariate(0.9, 0.7))
        self.leaves = joined + int(source.expovariate(1 / LIFETIME) * DAY)
        self.lag = source.expovariate(1 / 50 if source.random() < 0.4 else 1 / 3)
        self.hour = source.choices(range(24), HOURS)[0] if source.random() < 0.5 else None
        self.age = str(18 + joined // SECOND % 40)
        subscribes = source.random()
        self.subscribes = joined + int(source.expovariate(1 / 6) * DAY) if subscribes < 0.07 else math.inf
        # The same between 0 and 1 for whoever asks: which share of the people a plant touches.
        self.lot = source.random()
        self.platform = "android" if self.lot * 1000 % 1 < 0.35 else "ios"

    def segment(self, at):
        if at >= self.subscribes:
            return "lite_subscriber"
        return "new_user" if at - self.joined < 2 * HOUR else "free_user"


def date(number):
    return str(FIRST + datetime.timedelta(days=number))


class App:
    """Its people and days; days are counted from 0, `size` is the people of an average day at the beginning."""

    def __init__(self, seed, size, days):
        self.seed, self.size, self.days = seed, size, days
        source = random.Random(f"{seed} {size}")
        self.growth = 1 + source.uniform(0, 0.03)
        self.noise = source.uniform(0.05, 0.10)
        # A small app's people are as lively as a large one's; 5,000 a day tap less, to keep the files small.
        self.liveliness = 1 if size < 1000 else 0.5
        ends, number = [-80, -45, -24], source.randrange(0, 8)
        while number < days + 40:
            ends.append(number)
            number += source.randrange(19, 24)
        self.releases = [(f"3.{number}.0", day) for number, day in enumerate(ends)]
        coming = 1 / (1 + LIFETIME * sum(HABITS) / len(HABITS))
        self.people = []
        for day in range(-4 * LIFETIME, days):
            wanted = size * coming * self._strength(day) * math.exp(source.gauss(0, self.noise))
            for _ in range(max(0, round(source.gauss(wanted, wanted ** 0.5)))):
                joined = (EPOCH + day) * DAY + self._moment(source, None)
                self.people.append(Person(source, f"{seed}u{len(self.people):06x}", joined))

    def _strength(self, day):
        return WEEKDAYS[(EPOCH + day + 3) % 7] * self.growth ** (day / 7)

    @staticmethod
    def _moment(source, hour):
        hour = source.choices(range(24), HOURS)[0] if hour is None else (hour + round(source.gauss(0, 1.5))) % 24
        return hour * HOUR + source.randrange(HOUR)

    def version(self, person, day):
        joined = person.joined // DAY - EPOCH
        return [name for name, out in self.releases if out <= joined or out + person.lag <= day or out < -70][-1]

    @functools.lru_cache(20)
    def day(self, number):
        """Its events, by time."""
        source = random.Random(f"{self.seed} {self.size} {number}")
        begins, events = (EPOCH + number) * DAY, []
        strength = self._strength(number) / self.growth ** (number / 14) * math.exp(source.gauss(0, self.noise))
        for person in self.people:
            is_first = begins <= person.joined < begins + DAY
            if not is_first and not person.joined < begins < person.leaves:
                continue
            if is_first or source.random() < person.habit * strength:
                at = person.joined + MINUTE if is_first else begins + self._moment(source, person.hour)
                self._visit(source, events, person, at, self.version(person, number))
        events.sort(key=lambda event: event.at)
        return events

    def reviews(self, number):
        """What the App Store's customers gave on a day: moment, country, stars."""
        source = random.Random(f"{self.seed} {self.size} {number} reviews")
        count = int(source.gauss(0.02 * self.size, (0.02 * self.size) ** 0.5) + 0.5)
        return [((EPOCH + number) * DAY + source.randrange(DAY),
                 source.choices([place[0] for place in PLACES], [place[2] for place in PLACES])[0],
                 source.choices((1, 2, 3, 4, 5), STARS)[0]) for _ in range(max(0, count))]

    def _visit(self, source, events, person, at, version):
        session, used, feature = f"{person.id}-{at // SECOND:x}", {}, source.choices(FEATURES, SHARES)[0]
        count = 1 + int(source.expovariate(1 / (person.taps * self.liveliness)))
        for _ in range(count):
            if source.random() < 0.25:
                feature = source.choices(FEATURES, SHARES)[0]
            at += int((3 + 50 * source.random()) * SECOND)
            if not self._attempt(source, events, person, at, version, session, feature, used) and source.random() < 0.5:
                break
        if source.random() < 0.08:
            events += rating(source, person, at + MINUTE, version, STARS)

    def _attempt(self, source, events, person, at, version, session, feature, used):
        wanted = criteria(source) if feature == "filter" else {}

        def emit(kind, seconds, usage, **more):
            events.append(Event(at + seconds * SECOND, f"{feature}_{kind}", person, version, {
                "current_usage": usage, "usage_limit": LIMITS[feature], "session_id": session, **wanted, **more}))

        usage, segment = used.get(feature, 0), person.segment(at)
        is_free = segment == "free_user"
        is_blocked = is_free and usage >= LIMITS[feature]
        emit("button_tapped", 0, usage)
        if not is_free:
            emit(f"{'new_user' if segment == 'new_user' else segment}_bypass", 1, usage)
        elif is_blocked or source.random() < 0.5:
            reason = "limit_reached" if is_blocked else "available"
            emit("popup_shown", 1, usage, popup_trigger_reason=reason, subscription_price_displayed=PRICE)
            if is_blocked:
                emit("blocked_limit_reached", 1, usage, popup_trigger_reason=reason)
            if source.random() < (0.07 if is_blocked else 0.01):
                emit("subscription_button_tapped", 2, usage, popup_trigger_reason=reason,
                     subscription_price_displayed=PRICE)
            elif is_blocked:
                emit("popup_dismissed", 2, usage, popup_trigger_reason=reason)
        if is_blocked or source.random() < 0.12:
            return False
        used[feature] = usage + 1
        found = {"filter_result_count": int(source.expovariate(1 / 8))} if wanted else {}
        emit("performed", 3, usage + 1, **found)
        return True


def criteria(source):
    """What a filter looks for."""
    country = source.choice(PLACES)[0] if source.random() < 0.4 else ""
    return {"filter_gender": source.choice(("Female", "Male", "")), "filter_country": country}


def rating(source, person, at, version, stars):
    """The rating dialog: its question, the stars, perhaps a text (the event's `text`, which Firestore gets)."""
    given = source.choices((1, 2, 3, 4, 5), stars)[0]
    events = [Event(at, "rating_prompt_shown", person, version, {})]
    if source.random() < 0.7:
        events.append(Event(at + 9 * SECOND, "app_events", person, version, {f"rating_ChatHub_{given}": 1}))
        events.append(Event(at + 9 * SECOND, "rating_prompt_stars", person, version, {"rating_stars": given}))
        if given <= 3 and source.random() < 0.8:
            text = source.choice(CRASHES if stars is BAD_STARS and source.random() < 0.7 else TEXTS)
            events.append(Event(at + 30 * SECOND, "rating_prompt_feedback", person, version,
                                {"rating_stars": given, "text": text}))
    return events


def line(event):
    """One record of GA4's BigQuery export."""
    at, name, person, version, more = event
    own = {key: value for key, value in more.items() if key != "text"}
    if not name.startswith(("rating", "app_events")):
        own |= {"user_type": more.get("user_type") or person.segment(at),
                "first_account_created_at": person.joined // SECOND}
        name = f"{person.platform}_{name}"
    parameters = ",".join(
        f'{{"key":"{key if key.startswith("rating_ChatHub") else f"{person.platform}_{key}"}","value":'
        + (f'{{"int_value":{value}}}}}' if isinstance(value, int) else f'{{"string_value":"{value}"}}}}')
        for key, value in sorted(own.items()))
    who = f'"user_id":"{person.id}",' if person.id else ""
    return (f'{{"event_timestamp":{at},"event_name":"{name}",{who}"event_params":[{parameters}],'
            f'"platform":"{person.platform.upper()}","geo":{{"country":"{person.country}"}},"app_info":{{"version":"{version}"}}}}\n')
