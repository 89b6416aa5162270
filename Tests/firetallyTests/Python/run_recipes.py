"""Runs the recipes of the manual, and holds what they read against SQLite's own values.

run_recipes.py MANUAL: in a workspace with exports of its tables, users.parquet, events.parquet,
events.ndjson.gz and feedback.csv. Prints 'ok NAME' for each recipe.
"""
import datetime
import re
import sqlite3
import sys

import duckdb
import polars


def blocks(manual, title):
    section = re.search(rf"^### {title}\n(.*?)(?=^##)", manual, re.M | re.S).group(1)
    return re.findall(r"```\w+\n(.*?)```", section, re.S)


def stored(query):
    return sqlite3.connect("data/firetally.sqlite").execute(query).fetchall()


def check(name, found, wanted):
    found = [tuple(row) for row in found]
    if found != wanted or [list(map(type, row)) for row in found] != [
        list(map(type, row)) for row in wanted
    ]:
        sys.exit(f"{name}: {found[:3]} instead of {wanted[:3]}")


with open(sys.argv[1]) as file:
    manual = file.read()

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def numbered(rows):
    """Rows with their times in microseconds since 1970, as SQLite has them."""
    return [
        tuple(
            (value - EPOCH) // datetime.timedelta(microseconds=1)
            if isinstance(value, datetime.datetime) else value
            for value in row)
        for row in rows]


events = stored("SELECT id, user_id, app_version, fingerprint, at FROM events ORDER BY id")
columns = ["id", "user_id", "app_version", "fingerprint", "at"]

statements = [part for part in blocks(manual, "DuckDB")[0].split(";") if part.strip()]
answers = [duckdb.sql(statement).fetchall() for statement in statements]
check("duckdb users", sorted(answers[0]), sorted(
    stored("SELECT user_country, count(*) FROM OnlineUsers GROUP BY 1")))
check("duckdb parquet", sorted(numbered(answers[1])), sorted(
    stored("SELECT user_id, max(at) FROM events GROUP BY 1")))
check("duckdb ndjson", sorted(answers[2]), sorted(
    stored("SELECT user_id, count(*) FROM events GROUP BY 1")))
check("duckdb csv", [(len(answers[3]),)], stored("SELECT count(*) FROM app_rating_feedback"))
print("ok DuckDB")

scope = {}
exec(blocks(manual, "Polars")[0].splitlines()[0], scope)
for line in re.split(r"\n(?=\w)", blocks(manual, "Polars")[0].strip())[1:]:
    exec(line, scope)
    if "events" in line:
        check(line, numbered(scope["events"].sort("id").select(columns).rows()), events)
runs = scope["runs"].sort("id").select("id", "job", "started_at", "ended_at_iso").rows()
check("polars runs", runs, stored("SELECT id, job, started_at, ended_at_iso FROM v_runs ORDER BY id"))
print("ok Polars")

block = blocks(manual, "pandas")[0]
parts = re.split(r"\n(?=\w)", block.strip())
scope = {}
for part in parts:
    exec(part, scope)
    if part.startswith("users = pandas.read_sql"):
        times = scope["users"]["user_last_time_seen_iso"]
        found = [(int(time.timestamp()),) for time in times.sort_values()]
        check("pandas times", found, stored(
            "SELECT user_last_time_seen FROM OnlineUsers ORDER BY 1"))
    elif part.startswith("users ="):
        ids = sorted(scope["users"]["user_id"].tolist())
        check("pandas parquet", [(one,) for one in ids], stored(
            "SELECT user_id FROM OnlineUsers ORDER BY 1"))
found = scope["events"].sort_values("id")[columns].to_dict("split")["data"]
check("pandas ndjson", found, events)
print("ok pandas")
