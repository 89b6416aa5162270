/*---
page: runs
place: jobs 3
id: job-cost
title: What they cost in this period
columns:
  job: {title: Job, unit: text}
  reads: {title: Billed reads, unit: count}
  bytes: {title: Bytes, unit: count}
  cost: {title: Estimated cost, unit: money}
empty: No run in this period.
counts: records
---*/
SELECT job, sum(reads) AS reads, sum(bytes) AS bytes, round(sum(cost), 6) AS cost,
    currency AS cost_currency
FROM run WHERE outcome <> 'locked' GROUP BY job ORDER BY job
