"""What the index says on the mornings of the 74 days, held against what was true.

A report's findings are `findings.json` beside its pages: `findings`, each with `id`, `level` and `sentence`.
"""
import json
import pathlib
import re

import persons
from book import Book
from mornings import next_day
from pages import Page

# Worse than a note: what the first screen asks the reader to look at.
LOUD = ("error", "warn")
ABOUT = {
    "outage": r"outage|no events|people|active|taps|stopped",
    "lost-export": r"export",
    "bad-release": r"3\.3\.0",
    "lowered-limit": r"refresh.limit|refresh limit|blocked|popups?|subscription"}
# What follows from a fault for weeks is no false alarm: the same weekdays of before are its measure.
ECHO_DAYS = {"lowered-limit": 45, "outage": 1, "lost-export": 7, "bad-release": 14}
FALSE_ALARMS_A_MONTH = 1


def findings(folder):
    """The findings of a report, or None where the program does not write them yet."""
    path = pathlib.Path(folder, "findings.json")
    if not path.exists():
        return None
    return json.loads(path.read_text())["findings"]


def loud(found):
    """Findings about the app, not about the jobs of this workspace."""
    return [one for one in found if one["level"] in LOUD and one["section"] != "jobs"]


def explains(fault, one):
    return re.search(ABOUT[fault["kind"]], f"{one['id']} {one['sentence']}", re.IGNORECASE) is not None


def is_echo(faults, day, one):
    """Whether a finding on the morning after a day follows from a fault of the days before."""
    return any(fault["day"] <= day <= next_day(fault["day"], ECHO_DAYS[fault["kind"]]) and explains(fault, one)
               for fault in faults)


def wanted_mornings(truth):
    """The days after which a fault has to be known, and a quiet one; `by` is the morning after such a day."""
    known = {next_day(fault["by"], -1) for fault in truth["faults"]}
    quiet = [day for number, day in enumerate(truth["quiet"]) if number > 45][9:10]
    return sorted(known | set(quiet))


def judge(truth, by_morning):
    """(lines to print, failures): each fault found in time, and no more false alarms than one a month."""
    lines, failures = [], []
    for fault in truth["faults"]:
        if fault["kind"] == "lowered-limit":
            continue
        mornings = [day for day in by_morning if fault["day"] <= day < fault["by"]]
        hits = [(day, one) for day in mornings for one in loud(by_morning[day]) if explains(fault, one)]
        if hits:
            lines.append(f"{fault['kind']} of {fault['day']}: found after {hits[0][0]}: {hits[0][1]['sentence']}")
        else:
            failures.append(f"{fault['kind']} of {fault['day']}: not found by {fault['by']}")
    quiet = [day for day in by_morning if day in set(truth["quiet"])]
    alarms = [(day, one) for day in quiet for one in loud(by_morning[day]) if not is_echo(truth["faults"], day, one)]
    lines += [f"false alarm after {day}: {one['sentence']}" for day, one in alarms]
    if len({day for day, _ in alarms}) > max(1, FALSE_ALARMS_A_MONTH * len(quiet) / 30):
        failures.append(f"{len(alarms)} false alarms on {len(quiet)} quiet mornings")
    return lines, failures


# The lowered limit

def experiment(workspace, folder, fault):
    """The newest card by SQL: the id of its table, and the row of those who tapped to subscribe."""
    cards = persons.experiments(Book(workspace, Page(folder, "usage").frame))
    if not cards:
        raise ValueError(f"no setting changed until {fault['by']}")
    name = list(cards)[-1]
    return name, cards[name][0]


def experiment_words(folder, name):
    """What the page says about the changed setting, or None where it does not yet."""
    table = Page(folder, "limits").tables.get(name)
    return table[0]["verdict"] if table else None
