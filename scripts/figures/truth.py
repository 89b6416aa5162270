"""What the index says on the mornings of the 74 days, held against what was true.

A report's findings are `findings.json` beside its pages: `findings`, each with `id`, `level` and `sentence`.
"""
import json
import pathlib
import re

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
ECHO_DAYS = {"lowered-limit": 45, "outage": 1, "lost-export": 2, "bad-release": 14}
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
    """The days after which a fault has to be known, and some quiet ones; `by` is the morning after such a day."""
    known = {next_day(fault["by"], -1) for fault in truth["faults"]}
    quiet = [day for number, day in enumerate(truth["quiet"]) if number > 45][::9]
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


# The lowered limit: people who tapped the subscription button, of active free people, 14 days before and after.

def wilson(part, whole):
    """95 % interval of a share."""
    z, share = 1.959963984540054, part / whole
    middle, width = share + z * z / (2 * whole), z * ((share * (1 - share) + z * z / (4 * whole)) / whole) ** 0.5
    return (middle - width) / (1 + z * z / whole), (middle + width) / (1 + z * z / whole)


def newcombe(before, after):
    """95 % interval of the difference of two shares, each (part, whole)."""
    (one, two), ((low_1, high_1), (low_2, high_2)) = ((p / w for p, w in (before, after)),
                                                      (wilson(*before), wilson(*after)))
    difference = two - one
    return (difference - ((two - low_2) ** 2 + (high_1 - one) ** 2) ** 0.5,
            difference + ((high_2 - two) ** 2 + (one - low_1) ** 2) ** 0.5)


def experiment(workspace, folder, fault):
    """(before, after, interval, verdict) by SQL over the ledger of that report."""
    book = Book(workspace, Page(folder, "usage").frame)
    shares = []
    for first in (next_day(fault["day"], -14), fault["day"]):
        shares.append(tuple(book.rows.execute(
            "SELECT COUNT(DISTINCT CASE WHEN kind = 'subscription_button_tapped' THEN user_id END),"
            " COUNT(DISTINCT user_id) FROM events WHERE feature = ? AND user_type = 'free_user' AND user_id <> ''"
            " AND local_day(at) >= ? AND local_day(at) < ?",
            (fault["feature"], first, next_day(first, 14))).fetchone()))
    interval = newcombe(*shares)
    verdict = "higher" if interval[0] > 0 else "lower" if interval[1] < 0 else "not proven"
    return *shares, interval, verdict


def experiment_words(folder):
    """What the pages say about the changed setting, or None where they do not yet."""
    for name in ("usage", "limits", "index"):
        for words in re.findall(r'"(?:verdict|words)"\s*:\s*"([^"]*)"', pathlib.Path(folder, f"{name}.json").read_text()):
            if re.search(r"higher|lower|not proven", words, re.IGNORECASE):
                return words
    return None
