/*---
page: runs
place: skipped 1
after: days
id: skipped
section: Left out
lead: Documents and lines that a job fetched and did not store. Each run counts them again.
title: By reason
columns:
  reason: {title: Reason, unit: code}
  job: {title: Job, unit: text}
  count: {title: Left out, unit: count, bars: true}
  share: {title: Share, unit: ratio}
definitions:
  Reason: A field that cannot be read is a fault in the document, and the run says so. Most others
    are rules of the load, and no fault.
empty: Nothing was left out in this period.
counts: records
shown: 30
---*/
WITH skipped AS (
    SELECT key AS reason, job, sum(value) AS count
    FROM v_runs, period, json_each(skipped)
    WHERE started_at >= start AND started_at < "end" AND started_at <= now + 300000000
    GROUP BY reason, job
)
SELECT reason, job, count, count AS share_part, sum(count) OVER () AS share_whole,
    (
        SELECT format('%,d left out, for %,d %s.', sum(count), count(DISTINCT reason),
            iif(count(DISTINCT reason) = 1, 'reason', 'reasons'))
        FROM skipped
    ) AS says
FROM skipped ORDER BY count DESC, job, reason
