/*---
page: runs
place: jobs 2
id: job-effort
title: What they took in this period
columns:
  job: {title: Job, unit: text}
  success: {title: Succeeded, unit: ratio}
  median_seconds: {title: Median time, unit: seconds}
  longest_seconds: {title: Longest, unit: seconds}
  documents: {title: Fetched, unit: count}
definitions:
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
    max(seconds) AS longest_seconds, sum(fetched) AS documents
FROM timed GROUP BY job ORDER BY job
