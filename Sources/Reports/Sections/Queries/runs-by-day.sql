/*---
page: runs
place: days 1
title: Billed reads by day
columns:
  day: {title: Day, unit: day}
  reads: {title: Billed reads, unit: count}
  success: {title: Runs that succeeded, unit: ratio}
  median_seconds: {title: Median time, unit: seconds}
  cost: {title: Estimated cost, unit: money}
chart:
  form: columns
  series:
    - {column: reads, title: Billed reads, tone: main}
  unit: billed reads a day
  week_unit: billed reads a week
  labels: day
definitions:
  Day: Those before the oldest run of the ledger are hatched. Nobody knows what was read on them.
  Median time: Of the runs that ended. Of an even number, the longer of the two in the middle.
empty: No run in this period.
counts: records
---*/
WITH timed AS (
    SELECT run.*, day.day, count(*) OVER other AS runs, count(seconds) OVER other AS ended,
        row_number() OVER (PARTITION BY day.day ORDER BY seconds) AS place
    FROM day JOIN run ON started_at >= day.start AND started_at < day."end"
    WHERE outcome <> 'locked'
    WINDOW other AS (PARTITION BY day.day)
)
SELECT date AS day, iif(is_before, NULL, ifnull(sum(reads), 0)) AS reads,
    count(*) FILTER (WHERE outcome IN ('ok', 'partial', 'fresh')) AS success_part,
    count(id) AS success_whole,
    max(seconds) FILTER (WHERE place = runs - ended + ended / 2 + 1) AS median_seconds,
    iif(is_before, NULL, round(ifnull(sum(cost), 0), 6)) AS cost,
    (SELECT currency FROM run LIMIT 1) AS cost_currency, is_before AS is_gap
FROM (SELECT *, day."end" <= (SELECT min(started_at) FROM v_runs) AS is_before FROM day) AS day
LEFT JOIN timed USING (day)
WHERE in_period AND EXISTS (SELECT 1 FROM timed)
GROUP BY day.day ORDER BY day.day
