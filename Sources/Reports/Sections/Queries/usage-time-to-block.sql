/*---
page: usage
place: funnel 4
everybody: true
id: time-to-block
title: From the first tap to the first block
columns:
  people: {title: People blocked later, unit: count}
  quarter: {title: A quarter within, unit: seconds}
  median: {title: Half within, unit: seconds}
  three_quarters: {title: Three quarters within, unit: seconds}
  at_first_tap: {title: Blocked at the first tap, unit: count}
definitions:
  Half within: For people whose first tap of the period was not blocked, in whole seconds. Between
    two people the time is interpolated.
empty: Nobody was blocked in this period.
folded: true
---*/
WITH blocked AS (
    SELECT (first_block - first_tap) / 1000000 AS seconds,
        second_tap IS NULL OR first_block < second_tap AS is_at_first_tap
    FROM person WHERE first_tap <= first_block
), delay AS (
    SELECT seconds, row_number() OVER (ORDER BY seconds) - 1 AS place, count(*) OVER () AS n
    FROM blocked WHERE NOT is_at_first_tap
), quartile AS (
    -- The share at the place of a quarter, and of the next person as far as it lies beyond.
    SELECT share, sum(seconds * max(0.0, 1 - abs(place - share * (n - 1)))) AS seconds
    FROM delay, (SELECT 0.25 AS share UNION ALL SELECT 0.5 UNION ALL SELECT 0.75)
    GROUP BY share
)
SELECT sum(NOT is_at_first_tap) AS people,
    (SELECT seconds FROM quartile WHERE share = 0.25) AS quarter,
    (SELECT seconds FROM quartile WHERE share = 0.5) AS median,
    (SELECT seconds FROM quartile WHERE share = 0.75) AS three_quarters,
    sum(is_at_first_tap) AS at_first_tap
FROM blocked
HAVING count(*) > 0
