"""What people do in the synthetic app, under the limits that hold at that moment.

Each attempt is decided by the model of the limits that `bench/python/replay.py` measures against, so the
events are those that the app's rules allow.
"""
import pathlib
import sys

from people import DAY, MINUTE, LANGUAGES, pick

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench" / "python"))
from replay import COOLDOWN, FREE_PERIOD, decide  # noqa: E402

SECOND = 1_000_000
FEATURES = (("refresh", 6), ("filter", 3), ("search", 2))
STEPS = {"button_tapped": "button_tapped", "popup_shown": "popup_shown", "popup_dismissed": "popup_dismissed",
         "subscription_button_tapped": "subscription_tapped", "blocked_limit_reached": "blocked",
         "blocked_cooldown": "blocked", "new_user_bypass": "bypassed", "lite_subscriber_bypass": "bypassed",
         "performed": "performed", "limit_reset": "allowance_restored", "cooldown_completed": "allowance_restored"}
# How many of the popups that are seen lead to a tap on the subscription button.
TAPS_AT_LIMIT = 0.06
TAPS_BEFORE = 0.006
BUYS = 0.3
# One to five stars: a healthy release, and the bad one.
HEALTHY_STARS = ((1, 4), (2, 5), (3, 10), (4, 30), (5, 51))
BAD_STARS = ((1, 26), (2, 18), (3, 12), (4, 20), (5, 24))
ASKED, ANSWERS, LATER = 0.11, 0.65, 0.25
FEEDBACK_SHARE = 0.8
COMPLAINTS = ("Too expensive for what it does", "Muito caro, quero mais buscas", "Zu viele gleiche Profile",
              "The same people are online every day", "Please let me search more often",
              "Pas assez de monde dans ma ville", "Messages arrive late on my phone")
CRASHES = ("Crashes when I open a chat since the update", "A nova versão fecha sozinha",
           "Stürzt nach dem Update ständig ab", "App freezes after the update, please fix it",
           "Se cierra al abrir los mensajes")


class Sitting:
    """One person's taps, one after another, until they put the phone away."""

    def __init__(self, person, begins, limits, version):
        self.person, self.at, self.limits, self.version = person, begins, limits, version
        self.source = person.source
        self.session = f"{person.number:x}-{begins // SECOND:x}"
        self.count = 0
        self.events = []

    def emit(self, feature, kind, at, usage, **more):
        self.count += 1
        person = self.person
        subscribed = person.is_subscribed(at)
        parameters = {
            "user_type": self.user_type(at), "subscription_status": "lite" if subscribed else "free",
            "first_account_created_at": person.joined / SECOND, "current_usage": usage,
            "usage_limit": self.limits.at(feature, at), "conversion_funnel_step": STEPS[kind],
            "session_id": self.session, "session_event_number": self.count, **more}
        self.events.append((at, f"ios_{feature}_{kind}", person, self.version,
                            {f"ios_{name}": value for name, value in parameters.items()}))

    def user_type(self, at):
        if self.person.is_subscribed(at):
            return "lite_subscriber"
        return "new_user" if 0 <= at - self.person.joined < FREE_PERIOD else "free_user"

    def run(self):
        """A few taps; a block ends the sitting, or makes the person wait."""
        left = 1
        while self.source.random() < 0.58 and left < 9:
            left += 1
        feature = pick(self.source, FEATURES)
        while left:
            left -= 1
            if self.source.random() < 0.25:
                feature = pick(self.source, FEATURES)
            proceeds = self.attempt(feature)
            self.at += int((2 + self.source.random() * 40) * SECOND)
            if not proceeds:
                mood = self.source.random()
                if mood < 0.5:
                    break
                if mood < 0.75:
                    self.at += COOLDOWN
        self.person.last_seen = self.at
        return self.events

    def attempt(self, feature):
        state = self.person.states.setdefault(feature, [0, None])
        usage, started = state
        succeeds = self.source.random() < 0.8
        kind = self.user_type(self.at)
        proceeds, shows, left, after, decided = decide(
            state, self.at, "use", succeeds, kind, True, self.limits.at(feature, self.at))
        more = self.criteria() if feature == "filter" else {}
        if "limit_reset" in decided:
            usage = 0
            ended = min(self.at, started + COOLDOWN)
            for name in ("limit_reset", "cooldown_completed"):
                self.emit(feature, name, ended, 0, **more)
        reason = "available" if proceeds else "cooldown_active" if "blocked_cooldown" in decided else "limit_reached"
        waiting = -(-left // SECOND) if "blocked_limit_reached" not in decided else 0
        self.emit(feature, "button_tapped", self.at, usage, remaining_cooldown_seconds=waiting, **more)
        for name in decided:
            if name in ("limit_reset", "cooldown_completed", "performed"):
                continue
            told = {} if name.endswith("bypass") else {"popup_trigger_reason": reason}
            self.emit(feature, name, self.at, usage, remaining_cooldown_seconds=-(-left // SECOND), **told, **more)
        if shows:
            self.look(feature, proceeds, reason, usage, "performed" in decided, more)
        if "performed" in decided:
            self.at += SECOND
            found = {"filter_result_count": self.results(more)} if feature == "filter" else {}
            self.emit(feature, "performed", self.at, after, **more, **found)
        return proceeds

    def look(self, feature, proceeds, reason, usage, performs, more):
        """What a person does with an open popup; none of it changes the limit."""
        seconds = 1 + int(self.source.random() * 6)
        chance = self.source.random()
        taps = chance < (TAPS_BEFORE if proceeds else TAPS_AT_LIMIT)
        dismisses = not performs and self.source.random() < 0.6
        self.at += seconds * SECOND
        if taps:
            self.emit(feature, "subscription_button_tapped", self.at, usage, popup_trigger_reason=reason, **more)
            if self.source.random() < BUYS and self.person.subscribed_from is None:
                self.person.subscribed_from = self.at + DAY // 4
        elif dismisses:
            self.emit(feature, "popup_dismissed", self.at, usage, popup_trigger_reason=reason,
                      dismiss_reason="dismissed", popup_seconds=seconds, **more)

    def criteria(self):
        """The filter of one attempt, as docs/events.md names it."""
        words, criteria = [], {"filter_gender": "", "filter_country": "", "filter_language": ""}
        if self.source.random() < 0.7:
            criteria["filter_gender"] = "Female" if self.source.random() < 0.65 else "Male"
            words.append("gender " + criteria["filter_gender"])
        if self.source.random() < 0.45:
            criteria["filter_country"] = pick(self.source, list((name, 1) for name in LANGUAGES))
            words.append("country " + criteria["filter_country"])
        if self.source.random() < 0.2:
            criteria["filter_language"] = LANGUAGES[self.person.country]
            words.append("language " + criteria["filter_language"])
        if self.source.random() < 0.3:
            words.append("age 18-30")
        return {"filter_criteria": ", ".join(words), "filter_count": len(words), **criteria}

    def results(self, criteria):
        """How many users a filter finds: fewer, the more it asks for."""
        return int(self.source.random() * 60 * 0.4 ** criteria["filter_count"] * 2)


def rate(person, at, version, is_bad):
    """The rating dialog of one day, if any: its events, and the feedback text with its second."""
    source = person.source
    if source.random() >= ASKED:
        return [], None
    common = {"ios_rating_threshold": 10, "ios_rating_max_prompts": 2}
    events = [(at, "rating_prompt_shown", person, version, {**common, "ios_rating_trigger": "due"})]
    answer, at = source.random(), at + 12 * SECOND
    stars = pick(source, BAD_STARS if is_bad else HEALTHY_STARS)
    if answer >= ANSWERS:
        if answer < ANSWERS + LATER:
            events.append((at, "rating_prompt_later", person, version, common))
        return events, None
    common["ios_rating_stars"] = stars
    events += [(at, "app_events", person, version, {f"rating_ChatHub_{stars}": 1}),
               (at, "rating_prompt_stars", person, version, common)]
    if stars > 3:
        events.append((at, "rating_prompt_store", person, version, common))
        if source.random() < 0.5:
            events.append((at + 9 * SECOND, "app_events", person, version, {f"rating_ChatHub_{stars}_after_0": 1}))
        return events, None
    if source.random() >= FEEDBACK_SHARE:
        return events, None
    events.append((at + 20 * SECOND, "rating_prompt_feedback", person, version, common))
    texts = CRASHES if is_bad and source.random() < 0.8 else COMPLAINTS
    return events, (at + 20 * SECOND, stars, texts[int(source.random() * len(texts))])
