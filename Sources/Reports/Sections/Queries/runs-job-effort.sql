/*---
page: runs
place: jobs 2
id: job-effort
title: What they took and cost
columns:
  job: {title: Job, unit: text}
  success: {title: Succeeded, unit: ratio}
  median_seconds: {title: Median time, unit: seconds}
  documents: {title: Fetched, unit: count}
  reads: {title: Billed reads, unit: count}
  cost: {title: Estimated cost, unit: money}
definitions:
  Where they stand: By the schedules and the newest runs. The other columns are of this period.
  Starts made: Of the starts that the schedule asked for, those that were made before the next one. Counted since the job's file last changed.
  Median time: Of the runs that ended. Of an even number, the longer of the two in the middle.
empty: No run in this period.
counts: records
---*/
WITH timed AS (
    SELECT *, count(*) OVER other AS runs, count(seconds) OVER other AS ended,
        row_number() OVER (PARTITION BY job ORDER BY seconds) AS place
    FROM run WHERE outcome <> 'locked'
    WINDOW other AS (PARTITION BY job)
)
SELECT job, sum(outcome IN ('ok', 'partial', 'fresh')) AS success_part, count(*) AS success_whole,
    max(seconds) FILTER (WHERE place = runs - ended + ended / 2 + 1) AS median_seconds,
    sum(fetched) AS documents, sum(reads) AS reads, round(sum(cost), 6) AS cost,
    currency AS cost_currency
FROM timed GROUP BY job ORDER BY job
