"""Runs the manual's recipes of programs beside Firetally, in the folder of a workspace with users.

run_programs.py datasette docs/export.md
run_programs.py litestream docs/backup.md FIRETALLY

FIRETALLY is the program. Prints 'ok NAME'.
"""
import json
import os
import re
import shlex
import sqlite3
import subprocess
import sys

DATABASE = "data/firetally.sqlite"


def blocks(manual, title):
    with open(manual) as file:
        text = file.read()
    section = re.search(rf"^### {title}\n(.*?)(?=^##)", text, re.M | re.S).group(1)
    return re.findall(r"```\w+\n(.*?)```", section, re.S)


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{shlex.join(command)}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def rows(database, query):
    connection = sqlite3.connect(database)
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


def check(name, found, wanted):
    if found != wanted:
        sys.exit(f"{name}: {str(found)[:500]} instead of {str(wanted)[:500]}")


USERS = "SELECT id, user_id, user_name FROM OnlineUsers ORDER BY id"


def datasette(manual):
    command, metadata = blocks(manual, "Datasette")
    with open("metadata.yml", "w") as file:
        file.write(metadata)
    serve = shlex.split(command)
    query = "/firetally/OnlineUsers.json?_shape=array&_size=max&_sort=id"
    found = json.loads(run(serve + ["--get", query]))
    check("datasette users", [(row["id"], row["user_id"], row["user_name"]) for row in found],
          rows(DATABASE, USERS))
    page = run(serve + ["--get", "/firetally/OnlineUsers"])
    for words in re.findall(r"^ +(?:description|user_last_time_seen): (.*[a-z].*)$", metadata, re.M):
        if words not in page:
            sys.exit(f"datasette shows no '{words}'")


def litestream(manual, firetally):
    configuration, restore = blocks(manual, "Litestream")
    here = os.getcwd()
    copy, file = f"file://{here}/replica", f"{here}/restored.sqlite"
    with open("litestream.yml", "w") as out:
        out.write(configuration.replace("/srv/chathub", here).replace("s3://bucket/firetally", copy))
    before = rows(DATABASE, USERS)
    # The log is copied while a job writes to it, VACUUM included.
    job = f"{shlex.quote(firetally)} -C {shlex.quote(here)} run maintain --force"
    log = subprocess.run(
        ["litestream", "replicate", "-config", "litestream.yml", "-exec",
         f"sh -c {shlex.quote(job + '; sleep 3')}"], capture_output=True, text=True)
    if log.returncode != 0 or "level=ERROR" in log.stdout + log.stderr or "deprecat" in (
            log.stdout + log.stderr):
        sys.exit(f"litestream: {log.returncode}\n{log.stdout}{log.stderr}")
    runs = rows(DATABASE, "SELECT count(*) FROM sync_runs WHERE job = 'maintain'")
    check("litestream's job", runs[0][0] > 0, True)
    tables = {name for (name,) in rows(DATABASE, "SELECT name FROM sqlite_schema")}
    check("litestream's tables", {name for name in tables if name.startswith("_litestream")},
          {"_litestream_seq", "_litestream_lock"})
    for line in restore.strip().splitlines():
        words = shlex.split(
            line.replace("s3://bucket/firetally", copy).replace("/tmp/firetally.sqlite", file)
            .replace("/srv/chathub", here))
        if words[0] == "firetally":
            words = [firetally] + words[1:] + ["--yes"]
        else:
            run(words)
            check("the copy", rows(file, USERS), before)
            continue
        run(words)
    check("what Firetally took", rows(DATABASE, USERS), before)
    check("its runs", rows(DATABASE, "SELECT count(*) FROM sync_runs WHERE job = 'maintain'"), runs)


{"datasette": datasette, "litestream": litestream}[sys.argv[1]](*sys.argv[2:])
print("ok", sys.argv[1])
