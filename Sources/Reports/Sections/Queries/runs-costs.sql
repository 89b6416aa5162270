/*---
page: runs
place: ledger 2
id: run-costs
title: What they cost and left out
columns:
  started_at: {title: Started, unit: instant}
  job: {title: Job, unit: text}
  skipped: {title: Left out, unit: count}
  reads: {title: Billed reads, unit: count}
  bytes: {title: Bytes, unit: count}
  cost: {title: Estimated cost, unit: money}
empty: No run in this period.
counts: records
shown: 25
---*/
SELECT started_at, job, skipped, reads, bytes, round(cost, 6) AS cost, currency AS cost_currency,
    count(*) OVER () AS total_count
FROM listed_run ORDER BY started_at DESC, id DESC LIMIT 1000
