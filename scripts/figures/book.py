"""The database of a workspace, read only, with the days of the report's time zone as SQL functions."""
import datetime
import functools
import sqlite3
import zoneinfo

SECOND = 1_000_000
QUARTER, HOUR, ONE_DAY = 900 * SECOND, 3600 * SECOND, 86_400 * SECOND
UTC = datetime.timezone.utc
DAY, MICROSECOND = datetime.timedelta(days=1), datetime.timedelta(microseconds=1)
# At most one of so many of its usual lines came of a lost day, which usually has so many at least.
FEW, FEWEST_LINES = 10, 30
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=UTC)


def micros(text):
    """Microseconds since 1970 of an instant as the pages write it."""
    return (datetime.datetime.fromisoformat(text.replace("Z", "+00:00")) - EPOCH) // MICROSECOND


class Book:
    """One workspace as one report saw it, in microseconds: `start` and `end` bound the period.

    The days of it that are over, `start` to `whole_end`, are compared with `before` to `before_end`, the same
    weekdays earlier (docs/reports/days.md#comparisons). `gaps` are (day, first hour, last) of UTC of which it lacks the lines.
    """

    def __init__(self, workspace, frame, gaps=()):
        self.rows = sqlite3.connect(f"file:{workspace}/data/firetally.sqlite?mode=ro", uri=True)
        self.rows.row_factory = sqlite3.Row
        # Without the package tzdata Python knows no zone at all.
        self.zone = UTC if frame["timeZone"] == "UTC" else zoneinfo.ZoneInfo(frame["timeZone"])
        self.start, self.end = micros(frame["start"]), micros(frame["end"])
        self.now = micros(frame["writtenAt"])
        # Fewer hours are a silence of the app, of which nothing is missing: docs/reports/days.md#silent-hours.
        self.gaps = {str(self._local(at // QUARTER).date()) for day, first, last in gaps if last - first >= 20
                     for at in range(micros(f"{day}T00:00:00Z") + first * HOUR,
                                     micros(f"{day}T00:00:00Z") + last * HOUR, HOUR)}
        self.silent = {day: last - first for day, first, last in gaps if last - first < 20}
        self.gap_spans = [(micros(f"{day}T00:00:00Z") + first * HOUR, micros(f"{day}T00:00:00Z") + last * HOUR)
                          for day, first, last in gaps if last - first >= 20]
        self.told = micros(frame["previousStart"]), micros(frame.get("previousEnd", frame["start"]))
        local = functools.lru_cache(maxsize=None)(self._local)
        for name, form in (("day", "%Y-%m-%d"), ("hour", "%H:00"), ("weekday", "%a")):
            self.rows.create_function(
                f"local_{name}", 1, lambda at, form=form: local(at // QUARTER).strftime(form), deterministic=True)
        self.rows.create_function("local_week", 1, lambda at: str(monday(local(at // QUARTER).date())))
        self._bound()
        self._prepare()

    def midnight(self, day):
        """When a civil day begins."""
        return (datetime.datetime.combine(day, datetime.time(), self.zone) - EPOCH) // MICROSECOND

    def date_of(self, at):
        """The civil day of an instant."""
        return self._local(at // QUARTER).date()

    def midnight_of(self, at):
        """When the civil day of an instant began."""
        return self.midnight(self.date_of(at))

    def week_before(self, at):
        """The same time by the clock on the wall, a week earlier."""
        wall = self._local(at // QUARTER).replace(tzinfo=None) - 7 * DAY
        return (wall.replace(tzinfo=self.zone) - EPOCH) // MICROSECOND

    def _bound(self):
        """The days that are compared, by the manual and not by the page."""
        days = [datetime.date.fromisoformat(day) for day in self.days]
        whole = [day for day in days if self.midnight(day + DAY) <= self.end]
        if not whole:
            # Today alone, until the last full quarter of an hour.
            self.whole_end, self.compared_days = self.end // QUARTER * QUARTER, set()
            self.before, self.before_end = self.week_before(self.start), self.week_before(self.whole_end)
            return
        back = datetime.timedelta(weeks=-(-len(whole) // 7))
        self.compared_days = {str(day - shift) for day in whole for shift in (back, 0 * DAY)}
        self.whole_end = self.midnight(whole[-1] + DAY)
        self.before, self.before_end = self.midnight(whole[0] - back), self.midnight(whole[-1] - back + DAY)

    def _local(self, quarter):
        return (EPOCH + datetime.timedelta(microseconds=quarter * QUARTER)).astimezone(self.zone)

    def _prepare(self):
        """Temporary tables: the events of limited features of both periods, in the order of time."""
        self.rows.execute(
            "CREATE TEMP TABLE tally AS SELECT id, at, user_id, feature, kind, user_type, parameters,"
            " at >= ? AS is_now, at >= ? AND at < ? AS is_whole, at >= ? AND at < ? AS is_before FROM events"
            " WHERE feature IS NOT NULL AND kind IS NOT NULL AND at >= ? AND at < ?",
            (self.start, self.start, self.whole_end, self.before, self.before_end,
             min(self.before, self.end - 9 * ONE_DAY), self.end))
        self.rows.execute("CREATE INDEX temp.tally_people ON tally (user_id, feature, at, id)")

    @functools.cached_property
    def compares(self):
        """Whether the ledger of events knows all of both sides: docs/reports/days.md#coverage."""
        return all(self.knows(day) for day in self.compared_days)

    @functools.cached_property
    def begins(self):
        """The oldest event that came by import, else the oldest one; None of an empty ledger."""
        return self.one("SELECT COALESCE((SELECT MIN(at) FROM events WHERE source <> 'session'), MIN(at)) FROM events")

    def knows(self, day):
        """Whether the ledger has all of a day that is over."""
        return self.coverage(day) == "whole"

    @functools.lru_cache(maxsize=None)
    def coverage(self, day):
        """How much of a day that is over the ledger has: docs/reports/days.md#coverage."""
        date = datetime.date.fromisoformat(day)
        start, end = self.midnight(date), self.midnight(date + DAY)
        if self.begins is None or self.begins >= end:
            return "none"
        if day in self.gaps:
            lines = self._lines(date)
            return "none" if lines == 0 or lines * FEW <= self._usual_lines(date) else "in part"
        return "in part" if self.begins > start + HOUR else "whole"

    def data(self, day):
        """What the index says of a day: docs/reports/days.md#silent-hours."""
        hours = self.silent.get(day) if self.knows(day) else None
        return f"whole, {hours} hours silent" if hours else self.coverage(day)

    @functools.lru_cache(maxsize=None)
    def _lines(self, date):
        """Lines of a day that came by import."""
        return self.one("SELECT COUNT(*) FROM events WHERE source <> 'session' AND at >= ? AND at < ?",
                        self.midnight(date), self.midnight(date + DAY))

    def _usual_lines(self, date):
        """The median of six same weekdays before, of later ones as well without four; -1 without them."""
        def lines(weeks):
            days = [date + 7 * week * DAY for week in weeks]
            return [self._lines(day) for day in days
                    if self.midnight(day + DAY) <= self.now and str(day) not in self.gaps and self.knows(str(day))]
        usual = lines(range(-6, 0))
        if len(usual) < 4:
            usual += lines(range(1, 7))
        median = sorted(usual)[(len(usual) - 1) // 2] if len(usual) >= 4 else -1
        return median if median >= FEWEST_LINES else -1

    @functools.lru_cache(maxsize=None)
    def is_unknown(self, day):
        """Whether nothing is known of a day, so that it has no count: docs/reports/days.md#coverage."""
        date = datetime.date.fromisoformat(day)
        start, end = self.midnight(date), self.midnight(date + DAY)
        if end <= self.now:
            return self.coverage(day) == "none"
        # Of today nothing is known until a line of it came, where lines come by import.
        has_imports, has_come = (self.one(f"SELECT EXISTS (SELECT 1 FROM events WHERE at >= ? AND at < ? AND {what})",
                                          *span)
                                 for span, what in (((start - 101 * ONE_DAY, end), "source <> 'session'"),
                                                    ((start, end), "(source <> 'session' OR feature IS NOT NULL)")))
        return bool(has_imports and not has_come)

    def awaits(self, day):
        """Whether the day is today before its export, so that only the program's own events of it are known."""
        start = self.midnight(datetime.date.fromisoformat(day))
        if start != self.midnight_of(self.now):
            return False
        return bool(self.one("SELECT EXISTS (SELECT 1 FROM events WHERE source <> 'session' AND at >= ? AND at < ?)",
                             self.week_before(start), self.week_before(start) + ONE_DAY)
                    and not self.one("SELECT EXISTS (SELECT 1 FROM events WHERE source <> 'session' AND at >= ?"
                                     " AND at <= ?)", start, self.now)) or self.is_unknown(day)

    def has(self, table):
        return self.one("SELECT COUNT(*) FROM sqlite_master WHERE name = ?", table) > 0

    def all(self, sql, *values):
        return [dict(row) for row in self.rows.execute(sql, values)]

    def one(self, sql, *values):
        """The first value of the first row; None without a row."""
        row = self.rows.execute(sql, values).fetchone()
        return row[0] if row else None

    @functools.cached_property
    def days(self):
        """The civil days of the period, as text, oldest first."""
        first, last = self._local(self.start // QUARTER).date(), self._local((self.end - 1) // QUARTER).date()
        return [str(first + datetime.timedelta(days=number)) for number in range((last - first).days + 1)]

    def by_day(self, sql, *values):
        """The counts of a query of (day, count) for every day of the period."""
        counts = {row[0]: row[1] for row in self.rows.execute(sql, values)}
        def count(day):
            return None if self.is_unknown(day) else counts.get(day) or (None if self.awaits(day) else 0)
        return [count(day) for day in self.days]


def monday(day):
    return day - datetime.timedelta(days=day.weekday())
