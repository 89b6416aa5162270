"""The runs page, by docs/reports.md#runs; and #freshness."""
from book import HOUR, SECOND, iso
from freshness import in_order
from pages import change, rounded, share

# Runs of the period that are over; `locked` ones say nothing (docs/reports.md#freshness).
RUNS = "FROM sync_runs WHERE started_at >= ? AND started_at < ? AND outcome <> 'locked' AND ended_at IS NOT NULL"
PRICE = 0.06 / 100_000


def period(book):
    return book.start, book.end


def seconds(micros):
    return None if micros is None else round(micros / SECOND, 3)


def median(values):
    """Of an even number the longer of the two in the middle."""
    return sorted(values)[len(values) // 2] if values else None


def money(rows):
    """What the reads of runs cost by the price of their day, by the present one where none is kept."""
    amount = sum(row["billed_reads"] * PRICE if row["estimated_cost"] is None else row["estimated_cost"] for row in rows)
    return {"amount": rounded(amount, 6), "currency": "USD"}


def runs(book, start=None, end=None, more=""):
    return book.all(f"SELECT * , local_day(started_at) AS day {RUNS} {more}",
                    book.start if start is None else start, book.end if end is None else end)


def done(rows):
    return sum(row["outcome"] in ("ok", "partial", "fresh") for row in rows)


def reads(rows):
    return sum(row["billed_reads"] for row in rows)


def figures(book):
    now, whole, before = runs(book), runs(book, book.start, book.whole_end), runs(book, book.before, book.before_end)
    begins = book.one("SELECT MIN(started_at) FROM sync_runs")
    is_known = begins is not None and begins <= book.before + HOUR
    days = [[row for row in now if row["day"] == day] for day in book.days]
    return {"on-time": {"value": share(in_order(book, book.workspace), len(book.jobs))},
            "runs": {"value": len(now), "change": change(len(whole), len(before)) if is_known else None, "trend": [len(day) for day in days]},
            "success": {"value": share(done(now), len(now))},
            "reads": {"value": reads(now), "change": change(reads(whole), reads(before)) if is_known else None,
                      "trend": [reads(day) for day in days]},
            "cost": {"value": money(now)}}


def lengths(rows):
    return [row["ended_at"] - row["started_at"] for row in rows]


def by_day(book):
    rows = []
    for day in book.days if runs(book) else ():
        ones = [row for row in runs(book) if row["day"] == day]
        rows.append({"day": day, "reads": reads(ones), "success": share(done(ones), len(ones)),
                     "median_seconds": seconds(median(lengths(ones))), "cost": money(ones)})
    return ("day",), rows


def by_job(book):
    groups = {job: [] for job in book.jobs}
    for row in runs(book):
        groups.setdefault(row["job"], []).append(row)
    return groups


def effort(book):
    return ("job",), [
        {"job": job, "success": share(done(rows), len(rows)), "median_seconds": seconds(median(lengths(rows))),
         "longest_seconds": seconds(max(lengths(rows), default=None)), "documents": sum(row["fetched"] for row in rows)}
        for job, rows in by_job(book).items()]


def cost(book):
    return ("job",), [{"job": job, "reads": reads(rows), "bytes": sum(row["bytes"] for row in rows), "cost": money(rows)}
                      for job, rows in by_job(book).items()]


def skipped(book):
    rows = book.all(
        f"SELECT job, key AS reason, SUM(value) AS count FROM (SELECT job, skipped AS left_out {RUNS}), json_each(left_out)"
        " GROUP BY 1, 2", *period(book))
    whole = sum(row["count"] for row in rows)
    return ("reason", "job"), [{**row, "share": share(row["count"], whole)} for row in rows]


def warnings(book):
    """The same sentence of the same job once, with its count."""
    rows = book.all(
        f"SELECT job, value AS sentence, COUNT(*) AS count FROM (SELECT job, warnings {RUNS}), json_each(warnings)"
        " GROUP BY 1, 2", *period(book))
    rows += book.all(f"SELECT job, error AS sentence, COUNT(*) AS count {RUNS} AND error IS NOT NULL GROUP BY 1, 2",
                     *period(book))
    return ("job", "sentence"), rows


def ledger(book):
    return ("started_at", "job"), [
        {"started_at": iso(row["started_at"]), "job": row["job"], "fetched": row["fetched"],
         "seconds": seconds(row["ended_at"] - row["started_at"]),
         "skipped": book.one("SELECT COALESCE(SUM(value), 0) FROM json_each(?)", row["skipped"])} for row in runs(book)]


def ledger_cost(book):
    return ("started_at", "job"), [
        {"started_at": iso(row["started_at"]), "job": row["job"], "reads": row["billed_reads"], "bytes": row["bytes"],
         "cost": money([row])} for row in runs(book)]


TABLES = {"runs-by-day": by_day, "job-effort": effort, "job-cost": cost, "skipped": skipped, "warnings": warnings,
          "runs": ledger, "run-costs": ledger_cost}
