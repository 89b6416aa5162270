/*---
page: money
place: blocks 2
everybody: true
id: blocks-by
title: In 7 days, by feature and number of blocks
columns:
  of: {title: Blocked, unit: text}
  people: {title: People, unit: count}
  came: {title: Came back, unit: rate}
  subscribed: {title: Subscribed, unit: rate}
  left: {title: Left, unit: rate}
  still_open: {title: Open, unit: count}
definitions:
  By feature: The feature of the person's first block in the newest 102 days.
  By number: How often the person was blocked on the day of the first block.
  Sample: From 10,000,000 events in the ledger on, one in 16 people.
  Came back: As above, within 7 times 24 hours of that block. The other columns, too.
  Open: People whose 7 days are not over, or not all known. The shares leave them out.
empty: Nobody was blocked.
---*/
WITH hit AS (
    SELECT person, min(at) AS at, feature, (SELECT max(day) FROM day WHERE start <= min(at)) AS day
    FROM block GROUP BY person
), next AS MATERIALIZED (
    SELECT hit.*, (
            SELECT min(at) FROM attempt WHERE attempt.person = hit.person AND at > hit.at
        ) AS next_at, (
            SELECT count(*) FROM block WHERE block.person = hit.person AND at < "end"
        ) AS blocks
    FROM hit JOIN day USING (day)
), followed AS (
    SELECT next.feature, blocks, ifnull(whole_from <= next.day, 0) AS is_over,
        ifnull(subscribed_at >= at AND subscribed_at <= at + 7 * 86400000000
            AND subscribed_at < "end", 0) AS subscribed,
        ifnull(next_at <= at + 7 * 86400000000 AND next_at < "end", 0) AS came
    FROM next JOIN person USING (person)
        LEFT JOIN day AS last ON last.day = next.day + 7
), line AS (
    SELECT instr('refresh filter search message conversation', feature) AS place,
        upper(substr(feature, 1, 1)) || substr(feature, 2) AS name, followed.* FROM followed
    UNION ALL
    SELECT 100 + min(blocks, 3), CASE WHEN blocks = 1 THEN '1 block' WHEN blocks = 2 THEN '2 blocks'
        ELSE '3 blocks or more' END, followed.* FROM followed
)
SELECT name AS "of", count(*) AS people,
    sum(is_over AND came AND NOT subscribed) AS came_part, sum(is_over) AS came_whole,
    sum(is_over AND subscribed) AS subscribed_part, sum(is_over) AS subscribed_whole,
    sum(is_over AND NOT came AND NOT subscribed) AS left_part, sum(is_over) AS left_whole,
    count(*) - sum(is_over) AS still_open
FROM line GROUP BY place ORDER BY place
