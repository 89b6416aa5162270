/*---
page: runs
place: warnings 1
after: skipped
id: warnings
section: Errors and warnings
lead: Messages of the jobs, newest first, with the number of times. Runs that another job blocked
  come last.
title: In this period
columns:
  newest_at: {title: Newest, unit: instant}
  job: {title: Job, unit: text}
  level: {title: Level, unit: level}
  sentence: {title: What, unit: text}
  count: {title: Times, unit: count}
empty: No error and no warning in this period.
counts: records
shown: 30
---*/
WITH run AS (
    -- A cause is older than the runs that it blocked, but must be read first.
    SELECT row_number() OVER (ORDER BY refused_by IS 'need', started_at DESC, id DESC) AS place,
        started_at, job, iif(outcome IN ('failed', 'interrupted'), 'error', 'warn') AS level, error,
        warnings
    FROM v_runs, period
    WHERE started_at >= start AND started_at < "end" AND started_at <= now + 300000000
), said AS (
    SELECT place, -1 AS part, started_at, job, level, error AS sentence FROM run
    WHERE error IS NOT NULL
    UNION ALL
    SELECT place, key, started_at, job, 'warn', value FROM run, json_each(warnings)
)
-- The time is that of the row with the least place.
SELECT started_at AS newest_at, job, level, iif(level = 'warn', 'Warning', 'Error') AS level_words,
    sentence, count(*) AS count, min(1000000 * place + part) AS first,
    count(*) OVER () AS total_count,
    (
        SELECT format('%,d in %,d different sentences.', count(*),
            count(DISTINCT job || ' ' || level || ' ' || sentence))
        FROM said
    ) AS says
FROM said GROUP BY job, level, sentence ORDER BY first LIMIT 10000
