/*---
page: runs
place: staleness 2
id: staleness
counts: records
title: Other ages at which users are fetched again
columns:
  job: {title: Job, unit: code}
  age: {title: Fetched when older than, unit: seconds}
  note: {title: Setting, unit: text}
  loads: {title: Loads, unit: count, bars: true}
  reads: {title: Billed reads, unit: count}
  mean_age: {title: Mean age of the copy, unit: seconds}
  oldest: {title: Oldest copy, unit: seconds}
definitions:
  Loads: The runs of the period that would have fetched the users under this setting, at the times
    at which they began. A run that a person asked for, or that had no copy, fetches under each.
  Billed reads: These loads times the mean reads of the loads that happened.
  Mean age of the copy: Over the time from the first load to the last one.
empty: No job loaded users in this period.
---*/
WITH RECURSIVE try AS MATERIALIZED (
    SELECT run.id, run.job, run.started_at AS at, run.reads,
        run."trigger" <> 'fresh' AND run.outcome <> 'fresh' AS has_loaded
    FROM run CROSS JOIN v_runs ON v_runs.id = run.id
    WHERE v_runs.kind = 'sync-users' AND run.outcome IN ('ok', 'partial', 'fresh')
), load AS (
    SELECT job, 1.0 * sum(reads) / count(*) AS reads FROM try WHERE has_loaded GROUP BY job
), in_force AS (
    SELECT value AS age FROM setting_in_force WHERE key = 'onlineUsersStaleSeconds'
), setting AS (
    SELECT age, 'in force' AS note FROM in_force
    UNION ALL
    SELECT column1, NULL FROM (VALUES (900), (1800), (3600)) WHERE column1 <> (SELECT age FROM in_force)
), step(job, age, id, at) AS (
    SELECT job, age, id, at FROM setting CROSS JOIN (
        SELECT job, min(id) AS id, min(at) AS at FROM try GROUP BY job)
    UNION ALL
    SELECT run.job, step.age, run.id, run.started_at FROM step CROSS JOIN run ON run.id = (
        SELECT next.id FROM run AS next
        WHERE next.id > step.id AND next.job = step.job
            AND next.outcome IN ('ok', 'partial', 'fresh')
            AND (next."trigger" IN ('manual', 'filter', 'forced', 'first-load')
                OR next.started_at > step.at + 1000000 * step.age)
        ORDER BY next.id LIMIT 1)
), gap AS MATERIALIZED (
    SELECT job, age, (lead(at) OVER (PARTITION BY job, age ORDER BY id) - at) / 1e6 AS seconds
    FROM step
), total AS MATERIALIZED (
    SELECT job, age, note, count(*) AS loads,
        CAST(round(count(*) * load.reads) AS INTEGER) AS reads,
        round(sum(seconds * seconds) / 2 / nullif(sum(seconds), 0), 1) AS mean_age,
        round(max(seconds), 1) AS oldest
    FROM gap JOIN load USING (job) JOIN setting USING (age)
    GROUP BY job, age
)
SELECT job, age, note, loads, reads, mean_age, oldest, (
        SELECT CASE WHEN count(mean_age) < count(*) THEN 'Too few loads to tell what the setting does'
            WHEN max(mean_age) <= 1.1 * min(mean_age) THEN 'The setting hardly decides how old a copy is'
            ELSE 'The setting decides how old a copy is' END || '. ' || group_concat(
                format('At %d %s%s: %,d billed reads%s', iif(age % 60, age, age / 60),
                    iif(age % 60, 's', 'min'), ifnull(' (' || note || ')', ''), reads,
                    iif(mean_age IS NULL, '',
                        format(', about %.0f min old on average', mean_age / 60))), '. ')
            || (
                SELECT format('. The job looked %,d %s.', count(*), iif(count(*) = 1, 'time', 'times'))
                FROM try)
        FROM (SELECT * FROM total ORDER BY age) HAVING count(DISTINCT job) = 1
    ) AS says
FROM total ORDER BY job, age
