/*---
page: users
section: Versions in use
after: retention
everybody: true
id: versions
title: People by version of the app
columns:
  version: {title: Version, unit: code}
  now: {title: Last day, unit: ratio}
  before: {title: Before the period, unit: ratio}
definitions:
  Last day: The people of the last whole day of the period, by the version of their first event on
    it.
  Before the period: The same for the last whole day before the period.
empty: The ledger has no whole day in this period.
shown: 8
---*/
WITH picked AS (
    SELECT max(day) FILTER (WHERE in_period AND day."end" <= period."end") AS last_day,
        max(day) FILTER (WHERE day."end" <= period.start) AS day_before
    FROM day, period WHERE coverage = 'whole'
), seen AS (
    -- The version of the row with the least time.
    SELECT day.day = last_day AS is_last, ifnull(app_version, 'unknown') AS version, min(at) AS first
    FROM picked JOIN day ON day.day IN (last_day, day_before)
        JOIN v_events ON at >= day.start AND at < day."end"
        CROSS JOIN period
    WHERE feature IS NOT NULL AND user_id <> ''
        AND (only_platform IS NULL OR platform IS NULL OR platform = only_platform)
    GROUP BY day.day, user_id
)
SELECT version, sum(is_last) AS now_part, (SELECT sum(is_last) FROM seen) AS now_whole,
    sum(NOT is_last) AS before_part, nullif((SELECT sum(NOT is_last) FROM seen), 0) AS before_whole,
    (
        SELECT format('Most people of the last day, %,d of %,d, have %s.', count(*),
            (SELECT sum(is_last) FROM seen), version)
        FROM seen WHERE is_last GROUP BY version ORDER BY count(*) DESC, version DESC LIMIT 1
    ) AS says
FROM seen WHERE (SELECT sum(is_last) FROM seen) > 0
GROUP BY version ORDER BY now_part DESC, version DESC
