"""The workspace of 76 invented days with what a ledger can lack: an export that never came, hours of an outage, a
changed limit; the people are those of scripts/findings, the night in which a clock goes back is among the days.
"""
import os
import pathlib
import sys

for folder in ("findings", "pages"):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / folder))
from app import App, date  # noqa: E402
from check_findings import WIRE, Workspace  # noqa: E402
from plants import PLAIN, Plant, hour  # noqa: E402

DAYS, LOWERED, OUTAGE, LOST = 77, 30, 52, 72
HOURS = (10, 19)
# People a day, and of the short run.
PEOPLE, FEWER = 260, 130


def gaps():
    """(day, first hour, last) of UTC of which the ledger lacks the lines."""
    return [(date(OUTAGE), *HOURS), (date(LOST), 0, 24)]


def fill(program, folder, seed, people):
    """The workspace on the morning after the last day, and an instant at which its last run is over.

    A process begins at the instant that it is given and goes on from there: on a slow machine the run had begun
    later than the report that came after it, and earlier than its relations.
    """
    app = App(seed, people, DAYS)
    plant = Plant("setting-effect", app, LOWERED, PLAIN, seed)
    workspace = Workspace(program, os.path.join(folder, "days"))
    for first in range(0, DAYS, 7):
        days = {number: events_of(plant, number) for number in range(first, min(first + 7, DAYS))}
        settings = [(0, (name, None, value)) for name, value in WIRE.items()] if first == 0 else []
        settings += [(LOWERED, one) for one in plant.settings if LOWERED in days]
        workspace.come(days, settings)
    return workspace.folder, f"{date(DAYS)}T06:31:00Z"


def events_of(plant, number):
    if number == LOST:
        return None
    events = plant.events(number)
    if number == OUTAGE:
        return [event for event in events if not HOURS[0] <= hour(event) < HOURS[1]]
    return events
