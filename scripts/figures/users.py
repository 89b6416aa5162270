"""The users page, by docs/reports.md#users."""
import persons
from book import SECOND, iso
from pages import share

HOUR = 3600
STEPS = (("Within an hour", 0, HOUR), ("Within a day", HOUR, 24 * HOUR), ("Within a week", 24 * HOUR, 168 * HOUR),
         ("Within 30 days", 168 * HOUR, 720 * HOUR), ("Earlier", 720 * HOUR, 1 << 40))
AGES = (("Under 18", 0, 17), ("18–24", 18, 24), ("25–34", 25, 34), ("35–44", 35, 44), ("45–54", 45, 54),
        ("55–64", 55, 64), ("65 and over", 65, 1 << 40))


def of_all(book, count):
    """A share of all rows; of a sample only the count."""
    return {"users": count} if is_sample(book) else {"users": count, "share": share(count, total(book))}


def is_sample(book):
    """Whether the last load ended at the most documents that it may fetch."""
    return book.has("online_counts") and bool(book.one("SELECT (SELECT is_sample FROM online_counts ORDER BY at DESC LIMIT 1)"))


def total(book):
    return book.one("SELECT COUNT(*) FROM OnlineUsers")


def _seen(book, least, most):
    """Users last seen at least and less than so many seconds before the report."""
    ago = f"{book.now} - user_last_time_seen * {SECOND}"
    return book.one(f"SELECT COUNT(*) FROM OnlineUsers WHERE MAX({ago}, 0) >= ? AND MAX({ago}, 0) < ?",
                    least * SECOND, most * SECOND)


def figures(book):
    whole = total(book)
    made = {"total": {"value": whole}}
    for name, hours in (("hour", 1), ("day", 24), ("week", 168), ("month", 720)):
        seen = _seen(book, 0, hours * HOUR)
        made[f"seen-{name}"] = {"value": seen if is_sample(book) else share(seen, whole)}
    made.update(persons.trend(book))
    loads = book.all("SELECT online FROM online_counts ORDER BY at DESC LIMIT 1")
    return {**made, "online-now": {"value": loads[0]["online"]}} if loads else made


def last_seen(book):
    return ("hours_ago",), [{"hours_ago": ago, "users": _seen(book, ago * HOUR, (ago + 1) * HOUR)}
                            for ago in range(24) if total(book)]


def bands(book):
    counts = [(name, _seen(book, least, most)) for name, least, most in STEPS]
    return ("last_seen",), [
        {"last_seen": name, **of_all(book, count)} for name, count in counts if total(book)]


def group(column, key):
    def rows(book):
        return (key,), [
            {key: row["name"], **of_all(book, row["users"])}
            for row in book.all(f"SELECT COALESCE(NULLIF({column}, ''), 'Not told') AS name, COUNT(*) AS users"
                                " FROM OnlineUsers GROUP BY 1")]
    return rows


def ages(book):
    number = "CAST(user_age AS INTEGER)"
    is_age = "user_age <> '' AND user_age NOT GLOB '*[^0-9]*'"
    counts = [(name, book.one(f"SELECT COUNT(*) FROM OnlineUsers WHERE {is_age} AND {number} BETWEEN ? AND ?", *bounds))
              for name, *bounds in AGES]
    counts.append(("Not told", total(book) - sum(count for _, count in counts)))
    return ("age",), [{"age": name, **of_all(book, count)}
                      for name, count in counts if total(book)]


def tiers(book):
    """Those of accounts once a claim names one, else of the workspace's profiles."""
    is_read = book.one("SELECT COUNT(*) FROM auth_users WHERE tier IS NOT NULL")
    source, key = ("auth_users", "accounts") if is_read else ("profiles", "profiles")
    found = {row["tier"]: row["count"] for row in book.all(
        f"SELECT COALESCE(tier, 'free') AS tier, COUNT(*) AS count FROM {source} GROUP BY 1")}
    whole = sum(found.values())
    return ("tier",), [{"tier": tier, key: found.get(tier, 0), "share": share(found.get(tier, 0), whole)}
                       for tier in ("free", "lite", "plus", "pro") if whole]


def newest(book):
    return ("user_id",), [
        {"user_id": row["user_id"], "age": int(row["user_age"]) if row["user_age"].isdigit() else None,
         "last_seen_at": iso(row["user_last_time_seen"] * SECOND)}
        for row in book.all("SELECT user_id, COALESCE(user_age, '') AS user_age, user_last_time_seen FROM OnlineUsers")]


def online(book):
    """docs/loads.md#online-now, by the day of the load."""
    rows = book.all("SELECT local_day(at) AS day, at, online FROM online_counts WHERE at >= ? AND at < ? ORDER BY at",
                    book.start, book.end)
    found = {}
    for row in rows:
        found.setdefault(row["day"], []).append(row["online"])
    return None, [{"loads": len(ones), "most": max(ones), "last": ones[-1]} for _, ones in sorted(found.items())]


def tables(book):
    is_loaded = book.one("SELECT COUNT(*) FROM online_counts WHERE at >= ? AND at < ?", book.start, book.end)
    return {**TABLES, **({"online": online} if is_loaded else {})}


TABLES = {"last-seen": last_seen, "last-seen-bands": bands, "genders": group("user_gender", "gender"), "ages": ages,
          "tiers": tiers, "countries": group("user_country", "country"),
          "languages": group("user_language", "language"), "newest": newest}
