#!/usr/bin/env python3
"""Write 74 days of a synthetic app as it would export them, and the truth about them.

Into DIR: `exports/2026-08-20.ndjson` and so on, GA4's daily BigQuery exports; `documents.json`, what Firestore
holds (users, feedback, settings with the day of each change); `truth.json`: what went wrong, on which day, and
which days were quiet. The same seed writes the same bytes.
"""
import argparse
import datetime
import json
import os
import pathlib

from people import DAY, LANGUAGES, MINUTE, Population
from sittings import SECOND, Sitting, rate

SEED, NEW_A_DAY = 16, 45
FIRST = datetime.date(2026, 8, 20)
DAYS = 74
RELEASES = (("3.2.0", -400), ("3.2.1", 8), ("3.3.0", 60), ("3.3.1", 70))
BAD_RELEASE = "3.3.0"
LIMITS = {"refresh": 3, "filter": 2, "search": 2}
LOWERED, LOWERED_TO = 28, {"refresh": 1, "filter": 2, "search": 2}
OUTAGE, OUTAGE_HOURS = 47, (10, 19)
LOST = 55


def unix_day(number):
    return (FIRST - datetime.date(1970, 1, 1)).days + number


def name(number):
    return str(FIRST + datetime.timedelta(days=number))


class Limits:
    """The limits in force; without faults those of the first day stay."""

    def __init__(self, has_faults):
        self.changes_at = unix_day(LOWERED) * DAY if has_faults else None

    def at(self, feature, instant):
        is_lowered = self.changes_at is not None and instant >= self.changes_at
        return (LOWERED_TO if is_lowered else LIMITS)[feature]


class App:
    """Day after day of the app."""

    def __init__(self, seed, new_a_day, has_faults):
        self.has_faults = has_faults
        self.limits = Limits(has_faults)
        self.population = Population(seed, new_a_day, unix_day(0))
        self.waiting = []
        self.feedback = []

    def day(self, number):
        """All events of one day, by time; what a sitting does after midnight belongs to the next day."""
        releases = [(version, unix_day(day)) for version, day in RELEASES]
        events = self.waiting
        for person, begins in self.population.of_day(unix_day(number)):
            version = person.version(unix_day(number), releases)
            if begins < person.last_seen + 40 * MINUTE and person.joined < begins - MINUTE:
                begins = person.last_seen + 40 * MINUTE
            events += Sitting(person, begins, self.limits, version).run()
            if person.source.random() < 0.3:
                again = person.last_seen + int((35 + person.source.random() * 240) * MINUTE)
                events += Sitting(person, again, self.limits, version).run()
            is_bad = self.has_faults and version == BAD_RELEASE
            asked, feedback = rate(person, person.last_seen + MINUTE, version, is_bad)
            events += asked
            if feedback and not self._is_out(feedback[0]):
                self.feedback.append((*feedback, person, version))
        end = unix_day(number + 1) * DAY
        self.waiting = [event for event in events if event[0] >= end]
        return sorted((event for event in events if event[0] < end and not self._is_out(event[0])),
                      key=lambda event: event[0])

    def _is_out(self, at):
        """Whether the app's servers are down: nobody gets in, so nothing is recorded."""
        begins, ends = (unix_day(OUTAGE) * DAY + hour * 60 * MINUTE for hour in OUTAGE_HOURS)
        return self.has_faults and begins <= at < ends


def value(parameter):
    if isinstance(parameter, str):
        return {"string_value": parameter}
    return {"double_value": parameter} if isinstance(parameter, float) else {"int_value": str(parameter)}


def line(event):
    """One record of GA4's BigQuery export."""
    at, event_name, person, version, parameters = event
    members = {"event_timestamp": str(at), "event_name": event_name,
               "event_params": [{"key": key, "value": value(parameters[key])} for key in sorted(parameters)]}
    if person.id:
        members["user_id"] = person.id
    return json.dumps({**members, "geo": {"country": person.country}, "app_info": {"version": version}},
                      ensure_ascii=False, separators=(",", ":")) + "\n"


def documents(app):
    """What Firestore holds after the last day; settings with the day from which they are so."""
    newest = sorted((person for person in app.population.people if person.id), key=lambda one: -one.last_seen)
    users = [{"User_id": person.id, "User_name": person.name, "User_gender": person.gender,
              "User_country": person.country, "user_language": LANGUAGES[person.country] if person.number % 9 else "",
              "User_age": str(person.age), "last_time_seen": person.last_seen // SECOND}
             for person in newest[:320]]
    feedback = [{"userId": person.id, "gender": person.gender, "country": person.country, "appVersion": version,
                 "feedback": text, "timestamp": at // SECOND, "rating": float(stars)}
                for at, stars, text, person, version in sorted(app.feedback, key=lambda one: one[0])]
    settings = [{"from": name(0), **wire(LIMITS)}]
    if app.has_faults:
        settings.append({"from": name(LOWERED), **wire(LOWERED_TO)})
    return {"users": users, "feedback": feedback, "settings": settings}


def wire(limits):
    return {"freeRefreshLimit": limits["refresh"], "freeFilterLimit": limits["filter"],
            "freeSearchLimit": limits["search"], "newUserFreePeriodSeconds": 7200}


def truth(seed, counts, has_faults):
    """What a reader of the reports should have been told, and when at the latest."""
    faults = [
        {"kind": "lowered-limit", "day": name(LOWERED), "feature": "refresh",
         "from": LIMITS["refresh"], "to": LOWERED_TO["refresh"], "by": name(LOWERED + 15)},
        {"kind": "outage", "day": name(OUTAGE), "hours": list(OUTAGE_HOURS), "by": name(OUTAGE + 1)},
        {"kind": "lost-export", "day": name(LOST), "by": name(LOST + 1)},
        {"kind": "bad-release", "day": name(60), "version": BAD_RELEASE, "by": name(64), "until": name(DAYS - 1)}]
    if not has_faults:
        faults = []
    loud = {name(day + after) for day, after in ((LOWERED, 0), (OUTAGE, 0), (LOST, 0))} if faults else set()
    bad = {name(day) for day in range(60, DAYS)} if faults else set()
    quiet = [name(day) for day in range(DAYS) if name(day) not in loud | bad]
    return {"seed": seed, "first": name(0), "last": name(DAYS - 1), "timeZone": "UTC", "faults": faults,
            "quiet": quiet, "days": counts}


def write(folder, seed, new_a_day, has_faults):
    """Everything into a folder; returns the truth."""
    exports = pathlib.Path(folder, "exports")
    exports.mkdir(parents=True)
    app, counts = App(seed, new_a_day, has_faults), {}
    for number in range(DAYS):
        events = app.day(number)
        counts[name(number)] = {
            "events": len(events), "people": len({event[2].number for event in events}),
            "ratings": sum(event[1] == "rating_prompt_stars" for event in events)}
        if not has_faults or number != LOST:
            with open(exports / f"{name(number)}.ndjson", "w") as file:
                file.writelines(map(line, events))
    told = truth(seed, counts, has_faults)
    for file, content in (("documents.json", documents(app)), ("truth.json", told)):
        pathlib.Path(folder, file).write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")
    return told


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", help="a folder that does not exist yet")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--new-a-day", type=int, default=NEW_A_DAY, help="people who join on an average day")
    parser.add_argument("--without-faults", action="store_true", help="74 quiet days, for false alarms")
    arguments = parser.parse_args()
    if os.path.exists(arguments.folder):
        parser.error(f"{arguments.folder} exists already")
    write(arguments.folder, arguments.seed, arguments.new_a_day, not arguments.without_faults)


if __name__ == "__main__":
    main()
