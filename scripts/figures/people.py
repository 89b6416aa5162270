"""The people of the synthetic app: who joins, who comes back on which day, and with which version."""
import random

DAY = 86_400_000_000
MINUTE = 60_000_000

# Monday to Sunday, as a share of an average day.
WEEKDAYS = (0.93, 0.92, 0.95, 0.97, 1.02, 1.12, 1.09)
# How much of a day falls into each hour (UTC), from midnight on.
HOURS = (3, 2, 1, 1, 1, 1, 2, 3, 4, 4, 4, 5, 6, 6, 5, 5, 6, 7, 9, 10, 10, 9, 7, 5)
COUNTRIES = (("India", 26), ("Brazil", 15), ("Germany", 9), ("Indonesia", 9), ("Mexico", 8), ("Egypt", 7),
             ("France", 6), ("Turkey", 6), ("Japan", 5), ("Chile", 4), ("Norway", 3), ("Kenya", 2))
LANGUAGES = {"India": "Hindi", "Brazil": "Portuguese", "Germany": "German", "Indonesia": "Indonesian",
             "Mexico": "Spanish", "Egypt": "Arabic", "France": "French", "Turkey": "Turkish",
             "Japan": "Japanese", "Chile": "Spanish", "Norway": "Norwegian", "Kenya": "Swahili"}
NAMES = ("Asha", "Bruno", "Clara", "Dewi", "Emre", "Farida", "Gaspard", "Hana", "Ines", "Jonas", "Kemal", "Lucia")
# A person who joins stays this long in the mean, and comes on so many of the days.
LIFETIME_DAYS = 25
HABITS = (0.08, 0.15, 0.25, 0.45)
SUBSCRIBER_SHARE = 0.07


def pick(source, weighted):
    """One of (value, weight) pairs."""
    left = source.random() * sum(weight for _, weight in weighted)
    for value, weight in weighted:
        left -= weight
        if left < 0:
            return value
    return weighted[-1][0]


class Person:
    """One user of the app; all that is random about them is drawn when they join."""

    def __init__(self, number, joined, source):
        self.number = number
        self.joined = joined
        self.source = random.Random(source.getrandbits(64))
        self.id = f"person{number:06d}" if self.source.random() > 0.005 else ""
        self.country = pick(self.source, COUNTRIES)
        self.gender = "Female" if self.source.random() < 0.4 else "Male"
        self.age = 18 + int(self.source.random() ** 2 * 45)
        self.name = NAMES[number % len(NAMES)]
        self.habit = HABITS[int(self.source.random() * len(HABITS))]
        self.leaves = joined + int(self.source.expovariate(1 / LIFETIME_DAYS) * DAY)
        self.update_lag = self.source.expovariate(1 / 1.5)
        self.subscribed_from = joined if self.source.random() < SUBSCRIBER_SHARE else None
        self.states = {}
        self.last_seen = joined

    def is_subscribed(self, at):
        return self.subscribed_from is not None and at >= self.subscribed_from

    def version(self, day, releases):
        """The newest release that has reached this person's phone."""
        reached = [version for version, released in releases if released + self.update_lag <= day]
        return reached[-1] if reached else releases[0][0]

    def visits(self, day, weekday):
        """Whether this person comes on a day after the one on which they joined."""
        is_there = self.joined < day * DAY < self.leaves
        return self.source.random() < self.habit * WEEKDAYS[weekday] and is_there


def moment(source, day):
    """An instant of a day, by the hours in which people come."""
    hour = pick(source, list(enumerate(HOURS)))
    return day * DAY + hour * 60 * MINUTE + int(source.random() * 60 * MINUTE)


class Population:
    """Everybody who has joined until the day that is asked for; days are asked for in their order."""

    def __init__(self, seed, new_a_day, first_day):
        self.source = random.Random(seed)
        self.new_a_day = new_a_day
        self.people = []
        for day in range(first_day - 4 * LIFETIME_DAYS, first_day):
            self._join(day)

    def _join(self, day):
        weekday = (day + 3) % 7
        wanted = self.new_a_day * WEEKDAYS[weekday]
        count = max(0, round(self.source.gauss(wanted, wanted ** 0.5)))
        first = len(self.people)
        for number in range(first, first + count):
            self.people.append(Person(number, moment(self.source, day), self.source))
        return self.people[first:]

    def of_day(self, day):
        """Those who come, each with the instant of their first sitting; unix days."""
        weekday = (day + 3) % 7
        back = [person for person in self.people if person.visits(day, weekday)]
        came = [(person, moment(person.source, day)) for person in back]
        return came + [(person, person.joined + MINUTE) for person in self._join(day)]
