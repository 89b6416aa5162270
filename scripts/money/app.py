"""An invented app of 90 days whose truth is known: who is shown which price, who is blocked, who pays.

Everything that a person does is drawn from the shares of `TRUTH` when they join, each by chances of its own: the
price that they are shown, whether they tap and subscribe at it, whether they are blocked, whether they come back and
when, how long their free period is. So every share of the money page has a true value, and a person is one draw.
"""
import collections
import datetime
import json
import random

FIRST = datetime.date(2026, 6, 1)
SECOND = 1_000_000
HOUR, DAY = 3600 * SECOND, 86_400 * SECOND
START = (FIRST - datetime.date(1970, 1, 1)).days * DAY
DAYS = 90
PRICES = {"$2.99/week": 2.99, "$4.99/week": 4.99}
# Shares of people: by price those who tap and who subscribe; by block those who come back within a week.
TAPPED = {"$2.99/week": 0.10, "$4.99/week": 0.03}
SUBSCRIBED = {"$2.99/week": 0.08, "$4.99/week": 0.03}
# On busy days more are blocked and fewer come back, blocked or not, so who compares days unlike these is misled.
BLOCKED = {True: 0.8, False: 0.3}
RETURNS = {True: {True: 0.15, False: 0.55}, False: {True: 0.30, False: 0.70}}
# Of those who come back the share that waits three minutes for it; the others come on one of seven days after.
WAITS, WAIT = 0.4, 180 * SECOND
# Of the blocked those who subscribe a month later; of them those who tapped after the block, the others before it.
SELLS, TAPS_AFTER = 0.2, 0.6
GRACE = {7200: 0.04, 25_200: 0.10}
# Of the new people those who leave at once, whatever their free period.
LEAVES = 0.4
FEATURES = ("refresh", "filter", "search")
# By the limit of messages that people live under, those who tap, who subscribe and who come back the next day.
LIVED = {3: (0.20, 0.10, 0.30), 5: (0.08, 0.04, 0.50)}


def is_busy(day):
    """Of the days of the app, two of seven."""
    return day % 7 > 4


Event = collections.namedtuple("Event", "at feature kind person segment price limit")


class Person:
    """Somebody of an app: of the group `test` (prices), `wait` (blocks), `grace` (free periods) or `lived` (limits)."""

    def __init__(self, source, group, number, joined):
        self.id, self.group, self.joined = f"{group}{number:05}", group, joined
        self.feature, self.events = source.choice(FEATURES), []
        self.leaves = self.through = self.again = False
        self.limit = 3
        self.price = self.period = self.blocked = self.subscribed = self.tapped = self.returns = None
        getattr(self, f"_{group}")(source)
        self.events.sort(key=lambda event: event.at)

    def _add(self, at, kind, segment="free_user", price=None):
        self.events.append(Event(at, self.feature, kind, self.id, segment, price, self.limit))

    def _test(self, source):
        """Is shown one of two prices as a new user; taps before subscribing or not."""
        self.price = source.choice(list(PRICES))
        self._add(self.joined, "button_tapped", "new_user")
        self._add(self.joined + SECOND, "popup_shown", "new_user")
        self._add(self.joined + 2 * SECOND, "pricing_displayed", "new_user", self.price)
        self.tapped = source.random() < TAPPED[self.price]
        if self.tapped:
            self._add(self.joined + 3 * SECOND, "subscription_button_tapped", "new_user", self.price)
        self._may_subscribe(source, SUBSCRIBED[self.price], 0.5)

    def _wait(self, source):
        """Uses a feature once, or is blocked; may come back, within minutes with success, or on one of seven days."""
        self._add(self.joined, "button_tapped")
        busy = is_busy((self.joined - START) // DAY)
        self.blocked = source.random() < BLOCKED[busy]
        if self.blocked:
            for number in range(source.choice((1, 1, 2, 3))):
                self._add(self.joined + (1 + number) * SECOND, "blocked_limit_reached")
        else:
            self._add(self.joined + SECOND, "performed")
        if source.random() < RETURNS[self.blocked][busy]:
            self.returns = WAIT if source.random() < WAITS else source.randrange(1, 8) * DAY
            self._add(self.joined + self.returns, "performed")
        elif source.random() < 0.5:
            # Tries once more while the wait lasts, which is no coming back.
            self._add(self.joined + 60 * SECOND, "blocked_cooldown" if self.blocked else "button_tapped")
        if self.blocked and source.random() < SELLS:
            self.through = source.random() < TAPS_AFTER
            self._add(self.joined + (10 if self.through else -10) * SECOND, "subscription_button_tapped")
            self._may_subscribe(source, 1, 16, after=29)

    def _grace(self, source):
        """Leaves at once, or is a new user for 2 or 7 hours, then free, and may subscribe."""
        self.period = source.choice(list(GRACE))
        self._add(self.joined, "button_tapped", "new_user")
        self.leaves = source.random() < LEAVES
        if self.leaves:
            return
        self._add(self.joined + self.period * SECOND - 600 * SECOND, "button_tapped", "new_user")
        self._add(self.joined + self.period * SECOND + 600 * SECOND, "performed")
        self._may_subscribe(source, GRACE[self.period], 20)

    def _lived(self, source):
        """Sees the popup of one limit; may tap, come back the next day and subscribe later."""
        self.feature, self.limit = "message", source.choice(list(LIVED))
        taps, subscribes, returns = LIVED[self.limit]
        self._add(self.joined, "popup_shown")
        self.tapped = source.random() < taps
        if self.tapped:
            self._add(self.joined + 3 * SECOND, "subscription_button_tapped")
        self.again = source.random() < returns
        if self.again:
            self._add(self.joined + DAY, "button_tapped")
        self._may_subscribe(source, subscribes, 10, after=2)

    def _may_subscribe(self, source, share, within, after=0.4):
        if source.random() < share:
            self.subscribed = self.joined + int((after + within * source.random()) * DAY)
            self._add(self.subscribed, "performed", "lite_subscriber")


class App:
    """`size` people of each group join in the 90 days and the two after them, in the first 14 hours of a day."""

    def __init__(self, seed, size):
        source = random.Random(f"money {seed}")
        self.people = [
            Person(source, group, number,
                   START + source.randrange(DAYS + 2) * DAY + HOUR + source.randrange(13 * HOUR))
            for group in ("test", "wait", "grace", "lived") for number in range(size)]
        self.sales = sorted(one.subscribed for one in self.people if one.subscribed)

    def lines(self, until):
        """Records of GA4's export, by time."""
        events = sorted(event for one in self.people for event in one.events if event.at < until)
        return "".join(map(_line, events))


def _line(event):
    own = {"user_type": event.segment, "usage_limit": event.limit, "current_usage": 0}
    if event.price:
        own["subscription_price_displayed"] = event.price
    parameters = [{"key": f"ios_{key}", "value": {"int_value" if isinstance(value, int) else "string_value": value}}
                  for key, value in sorted(own.items())]
    return json.dumps({
        "event_timestamp": event.at, "event_name": f"ios_{event.feature}_{event.kind}", "user_id": event.person,
        "event_params": parameters}) + "\n"
