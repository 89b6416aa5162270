/*---
page: money
place: blocks 2
everybody: true
id: blocks-by
title: Within 7 days, by feature and number of blocks
columns:
  of: {title: Blocked, unit: text}
  people: {title: First blocked, unit: count}
  came: {title: Came back, unit: rate}
  subscribed: {title: Subscribed, unit: rate}
  left: {title: Not seen again, unit: rate}
  still_open: {title: Too early to tell, unit: count}
definitions:
  By feature: The feature of the person's first block in the newest 102 days.
  By number: How often the person was blocked on the day of the first block.
  Sample: From 10,000,000 events in the ledger on, one in 16 people.
  Came back: As above, within 7 times 24 hours of that block. The other columns, too.
  Too early to tell: People whose 7 days are not over, or not all known. The shares leave them out.
empty: Nobody was blocked.
---*/
WITH hit AS (
    SELECT *, (SELECT day FROM day WHERE start <= at ORDER BY start DESC LIMIT 1) AS day
    FROM (SELECT person, min(at) AS at, feature FROM block GROUP BY person)
), next AS MATERIALIZED (
    SELECT hit.*, (
            SELECT min(at) FROM attempt WHERE attempt.person = hit.person AND at > hit.at
        ) AS next_at, (
            SELECT count(*) FROM block WHERE block.person = hit.person AND at < "end"
        ) AS blocks
    FROM hit CROSS JOIN day USING (day)
), followed AS (
    SELECT next.feature, blocks, ifnull(whole_from <= next.day, 0) AS is_over,
        ifnull(subscribed_at >= at AND subscribed_at <= at + 7 * 86400000000
            AND subscribed_at < "end", 0) AS subscribed,
        ifnull(next_at <= at + 7 * 86400000000 AND next_at < "end", 0) AS came
    FROM next JOIN person USING (person)
        LEFT JOIN day AS last ON last.day = next.day + 7
), alike AS MATERIALIZED (
    SELECT feature, min(blocks, 3) AS blocks, count(*) AS people, sum(is_over) AS whole,
        sum(is_over AND came AND NOT subscribed) AS came, sum(is_over AND subscribed) AS subscribed
    FROM followed GROUP BY feature, 2
), line AS (
    SELECT instr('refresh filter search message conversation', feature) AS place,
        upper(substr(feature, 1, 1)) || substr(feature, 2) AS name, alike.* FROM alike
    UNION ALL
    SELECT 100 + blocks, CASE blocks WHEN 1 THEN '1 block' WHEN 2 THEN '2 blocks'
        ELSE '3 blocks or more' END, alike.* FROM alike
)
SELECT name AS "of", sum(people) AS people,
    sum(came) AS came_part, sum(whole) AS came_whole,
    sum(subscribed) AS subscribed_part, sum(whole) AS subscribed_whole,
    sum(whole - came - subscribed) AS left_part, sum(whole) AS left_whole,
    sum(people - whole) AS still_open
FROM line GROUP BY place ORDER BY place
