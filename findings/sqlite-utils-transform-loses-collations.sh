#!/usr/bin/env bash
# sqlite-utils transform, made to change one column, drops NOCASE, triggers and computed columns.
#
# Expected: transform makes the change that it was asked for; what the table has besides stays, as
# its keys, checks, indexes and defaults do since 4.2.
# Seen: the new table is made from what sqlite-utils knows of the old one. Gone are, without a word
# and with exit status 0: COLLATE NOCASE of the columns, so that a search for "Ann@example.com" no
# longer finds "ann@example.com"; generated columns with their values; and all triggers, so that a
# log of changes ends, and a full-text index of sqlite-utils itself (create_triggers=True) finds
# nothing new. UNIQUE keeps its collation, so the key refuses what the search does not find. The
# documentation says only that triggers are not "upgraded". Make such a change with ALTER TABLE of
# SQLite, or compare .schema before and after.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check sqlite-utils==4.2.1
cat >"$folder/try.py" <<'PYTHON'
import importlib.metadata
import sqlite3
import subprocess
import sys

import sqlite_utils

tool, path = sys.argv[1:]
print("sqlite-utils", importlib.metadata.version("sqlite-utils"))
database = sqlite3.connect(path)
database.executescript("""
CREATE TABLE users (
  id INTEGER PRIMARY KEY, mail TEXT COLLATE NOCASE UNIQUE, note TEXT COLLATE NOCASE,
  days INTEGER CHECK (days >= 0), weeks INTEGER AS (days / 7) STORED
);
CREATE TABLE log (line TEXT);
CREATE TRIGGER users_log AFTER UPDATE ON users BEGIN
  INSERT INTO log VALUES (old.note || ' to ' || new.note);
END;
CREATE INDEX users_days ON users (days) WHERE days > 7;
INSERT INTO users (mail, note, days) VALUES ('ann@example.com', 'paid', 30);
""")
database.close()
helper = sqlite_utils.Database(path)
helper["users"].enable_fts(["note"], create_triggers=True)
helper.close()


def show(title):
    database = sqlite3.connect(path, isolation_level=None)
    names = [row[1] for row in database.execute("PRAGMA table_xinfo(users)")]
    kinds = """SELECT type || ' ' || name FROM sqlite_schema
      WHERE tbl_name = 'users' AND type <> 'table' AND sql <> '' ORDER BY 1"""
    print(f"{title}: columns {', '.join(names)}")
    print("  besides:", ", ".join(row[0] for row in database.execute(kinds)))
    for where in ("mail = 'Ann@example.com'", "note = 'Paid'"):
        found = database.execute(f"SELECT count(*) FROM users WHERE {where}").fetchone()[0]
        print(f"  found by {where}: {found}")
    database.execute("UPDATE users SET note = 'Refunded'")
    print("  logged:", database.execute("SELECT line FROM log").fetchall())
    search = "SELECT count(*) FROM users_fts WHERE users_fts MATCH 'refunded'"
    print("  found in the full-text index:", database.execute(search).fetchone()[0])
    database.execute("UPDATE users SET note = 'paid'")
    database.execute("DELETE FROM log")
    try:
        database.execute("INSERT INTO users (mail, days) VALUES ('ANN@EXAMPLE.COM', 1)")
    except sqlite3.IntegrityError as error:
        print("  inserted again:", error)


show("before")
change = subprocess.run([tool, "transform", path, "users", "--not-null", "days"])
print("exit status", change.returncode)
show("after")
PYTHON
"$folder/venv/bin/python" "$folder/try.py" "$folder/venv/bin/sqlite-utils" "$folder/users.sqlite" \
  >"$folder/seen" 2>&1
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
sqlite-utils 4.2.1
before: columns id, mail, note, days, weeks
  besides: index users_days, trigger users_ad, trigger users_ai, trigger users_au, trigger users_log
  found by mail = 'Ann@example.com': 1
  found by note = 'Paid': 1
  logged: [('paid to Refunded',)]
  found in the full-text index: 1
  inserted again: UNIQUE constraint failed: users.mail
exit status 0
after: columns id, mail, note, days
  besides: index users_days
  found by mail = 'Ann@example.com': 0
  found by note = 'Paid': 0
  logged: []
  found in the full-text index: 0
  inserted again: UNIQUE constraint failed: users.mail
EXPECTED
