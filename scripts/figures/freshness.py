"""Which jobs are in order, by docs/reports.md#freshness and the five fields of a schedule."""
import datetime
import pathlib
import re

from book import EPOCH, SECOND

BOUNDS = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 6))
MINUTE = datetime.timedelta(minutes=1)
FURTHEST = 8 * 24 * 60


def values(field, least, most):
    """The numbers of one field: lists, ranges and steps."""
    found = set()
    for part in field.split(","):
        span, _, step = part.partition("/")
        first, _, last = (least, "", most) if span == "*" else span.partition("-")
        last = (last or (most if step else first)) if span != "*" else most
        found.update(range(int(first), int(last) + 1, int(step or 1)))
    return found


def last_due(schedule, now):
    """The newest instant at or before `now` at which a job was due; of the last eight days."""
    fields = [values(field, *bounds) for field, bounds in zip(schedule.split(), BOUNDS)]
    at = now.replace(second=0, microsecond=0)
    for _ in range(FURTHEST):
        parts = (at.minute, at.hour, at.day, at.month, at.isoweekday() % 7)
        if all(part in field for part, field in zip(parts, fields)):
            return at
        at -= MINUTE
    return None


def schedules(workspace):
    """Job to schedule, or None on demand."""
    found = {}
    for path in pathlib.Path(workspace, "jobs").glob("*.yml"):
        match = re.search(r'^schedule:\s*"([^"]*)"', path.read_text(), re.MULTILINE)
        found[path.stem] = match.group(1) if match else None
    return found


def in_order(book, workspace):
    """How many jobs pass."""
    now = (EPOCH + datetime.timedelta(microseconds=book.now)).astimezone(book.zone)
    count = 0
    for job, schedule in schedules(workspace).items():
        ended = book.all(
            "SELECT started_at, outcome IN ('ok', 'partial', 'fresh') AS is_success FROM sync_runs WHERE job = ?"
            " AND outcome <> 'locked' AND refused_by IS NULL AND ended_at IS NOT NULL AND started_at <= ?"
            " ORDER BY started_at, id", job, book.now)
        successes = [row["started_at"] for row in ended if row["is_success"]]
        if schedule is None:
            count += not ended or ended[-1]["is_success"]
        elif ended and ended[-1]["is_success"]:
            due = (last_due(schedule, now) - EPOCH) // datetime.timedelta(microseconds=1)
            count += successes[-1] // SECOND >= due // SECOND
    return count
