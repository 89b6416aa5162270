#!/usr/bin/env bash
# LuaDBI reads 1772352000005 of SQLite as -1469493243, and writes each whole number as a real.
#
# Expected: an integer of SQLite comes back as it is, since Lua 5.3 has integers of 64 bits; the
# number 5 is stored as 5.
# Seen: LuaDBI asks SQLite for integers of 32 bits and gets the lowest ones, without an error. A
# time in milliseconds is a negative number, the largest of them is not the largest any more, and
# two ids that differ by 2 ^ 32 are one. A sum and the id of a row are cut as well. What
# Lua binds goes out as a double, integer or not: a TEXT column gets '5.0', the code '5' is not
# found by it, 7 / 2 is 3.5, and the id 9007199254740993 is stored as another. LuaSQL reads the
# same file right. So does LuaDBI when the query asks for CAST(at AS TEXT).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(
  cd "$folder"
  apt-get download -qq -o APT::Sandbox::User=root lua5.3=5.3.6-2 lua-dbi-common=0.7.2-4 \
    lua-dbi-sqlite3=0.7.2-4 lua-sql-sqlite3=2.6.0-2 libsqlite3-0=3.40.1-2+deb12u2
  for package in *.deb; do dpkg-deb --extract "$package" root; done
)
root=$folder/root
libraries=$(echo "$root"/usr/lib/*-linux-gnu)
cat >"$folder/try.lua" <<'LUA'
local DBI = require("DBI")
local file = arg[1] .. "/events.db"
local luasql = require("luasql.sqlite3").sqlite3():connect(file)
print(_VERSION .. ", LuaDBI " .. DBI._VERSION .. ", " .. require("luasql.sqlite3")._VERSION)
luasql:execute("CREATE TABLE events (id INTEGER PRIMARY KEY, at INTEGER, code TEXT, any)")
luasql:execute("INSERT INTO events VALUES (1, 1772352000005, '5', 7)")
luasql:execute("INSERT INTO events VALUES (2, 1767225600000, '5', 7)")
luasql:execute("INSERT INTO events VALUES (4294967297, 1772351999000, '5', 7)")
local dbi = assert(DBI.Connect("SQLite3", file))
dbi:autocommit(true)

local function by_luasql(sql)
  local cursor = luasql:execute(sql)
  local value = cursor:fetch()
  cursor:close()
  return value
end
local function by_dbi(sql, ...)
  local statement = assert(dbi:prepare(sql))
  assert(statement:execute(...))
  local value = statement:columns()[1] and statement:fetch()[1]
  statement:close()
  return value
end

for _, sql in ipairs({
  "SELECT at FROM events WHERE id = 1",
  "SELECT max(at) FROM events",
  "SELECT max(id) FROM events",
  "SELECT sum(any) * 200000000 FROM events",
  "SELECT CAST(at AS TEXT) FROM events WHERE id = 1",
}) do
  print(sql .. ": " .. by_dbi(sql) .. ", by LuaSQL " .. by_luasql(sql))
end
local statement, latest, best = dbi:prepare("SELECT id, at FROM events ORDER BY id"), nil, nil
statement:execute()
for row in statement:rows(true) do
  if not best or row.at > best then
    latest, best = row.id, row.at
  end
end
statement:close()
print("id of the latest event, found in Lua: " .. latest)
print("rows whose code is 5: " .. by_dbi("SELECT count(*) FROM events WHERE code = ?", "5"))
print("with 5 as a number: " .. by_dbi("SELECT count(*) FROM events WHERE code = ?", 5))
print("7 / 2: " .. by_dbi("SELECT any / ? FROM events", 2))
print("type of 5: " .. by_dbi("SELECT typeof(?)", 5))
by_dbi("UPDATE events SET code = ?, any = ? WHERE id = 1", 5, 9007199254740993)
print("stored code 5: " .. by_luasql("SELECT code FROM events WHERE id = 1"))
print("stored id 9007199254740993: " .. by_luasql("SELECT CAST(any AS INTEGER) FROM events"))
LUA
LD_LIBRARY_PATH=$libraries LUA_PATH="$root/usr/share/lua/5.3/?.lua" \
  LUA_CPATH="$libraries/lua/5.3/?.so" "$root/usr/bin/lua5.3" "$folder/try.lua" "$folder" \
  >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
Lua 5.3, LuaDBI 0.7, LuaSQL 2.6.0 (for Lua 5.3)
SELECT at FROM events WHERE id = 1: -1469493243, by LuaSQL 1772352000005
SELECT max(at) FROM events: -1469493243, by LuaSQL 1772352000005
SELECT max(id) FROM events: 1, by LuaSQL 4294967297
SELECT sum(any) * 200000000 FROM events: -94967296, by LuaSQL 4200000000
SELECT CAST(at AS TEXT) FROM events WHERE id = 1: 1772352000005, by LuaSQL 1772352000005
id of the latest event, found in Lua: 2
rows whose code is 5: 3
with 5 as a number: 0
7 / 2: 3.5
type of 5: real
stored code 5: 5.0
stored id 9007199254740993: 9007199254740992
EXPECTED
