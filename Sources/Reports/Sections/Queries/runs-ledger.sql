/*---
page: runs
place: ledger 1
id: runs
title: Runs
columns:
  started_at: {title: Started, unit: instant}
  job: {title: Job, unit: text}
  trigger: {title: Trigger, unit: text}
  outcome: {title: Outcome, unit: level}
  runs: {title: Runs, unit: count}
  seconds: {title: Time, unit: seconds}
  fetched: {title: Fetched, unit: count}
empty: No run in this period.
counts: records
shown: 25
---*/
SELECT started_at, job, trigger,
    CASE WHEN outcome IN ('ok', 'fresh') THEN 'pass'
        WHEN outcome IN ('failed', 'interrupted') THEN 'error' WHEN outcome = 'partial' THEN 'notice'
        ELSE 'warn' END AS outcome,
    outcome AS outcome_words, runs, seconds, fetched, count(*) OVER () AS total_count
FROM listed_run ORDER BY started_at DESC, id DESC LIMIT 1000
