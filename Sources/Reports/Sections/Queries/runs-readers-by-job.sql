/*---
page: runs
place: readers 2
id: readers-by-job
title: Beside the runs of this workspace
columns:
  job: {title: Job, unit: text}
  requests: {title: "Requests, by the log", unit: count}
  documents: {title: "Documents, by the log", unit: count}
  reads: {title: "Billed reads, by our runs", unit: count}
definitions:
  By the log: Requests with the tags app=firetally and job=NAME, which firestore.request_tags sends.
  By our runs: Runs that began between the first and the last request of the log.
empty: No audit log of this period was imported.
counts: records
optional: true
---*/
WITH log AS (
    SELECT at, job, documents FROM v_audit_reads, period WHERE at >= start AND at < "end"
),
span AS (SELECT min(at) AS first, max(at) AS last FROM log),
logged AS (
    SELECT job, count(*) AS requests, sum(documents) AS documents FROM log GROUP BY job
),
ledger AS (
    SELECT job, sum(reads) AS reads FROM run, span
    WHERE outcome <> 'locked' AND started_at BETWEEN first AND last
    GROUP BY job HAVING sum(reads) > 0
)
SELECT ifnull(job, 'everybody else') AS job, requests, documents, reads, job IS NULL AS is_last
FROM logged LEFT JOIN ledger USING (job)
UNION ALL
SELECT job, NULL, NULL, reads, 0 FROM ledger
WHERE NOT EXISTS (SELECT 1 FROM logged WHERE logged.job = ledger.job)
ORDER BY is_last, job
