/*---
page: usage
place: features 2
id: waits
title: First blocks, and blocks during the wait
columns:
  feature: {title: Feature, unit: feature}
  blocked: {title: Blocks of free users, unit: count, bars: true}
  in_wait: {title: During the wait, unit: ratio}
  people: {title: People blocked, unit: count}
  again: {title: Tried again during the wait, unit: ratio}
definitions:
  Blocks of free users: Blocked attempts of people whom a limit can block.
  During the wait: Events blocked_cooldown. The others are blocked_limit_reached; each starts a wait.
  Tried again: Of the people who were blocked, those with a block during a wait. People without an
    id are left out.
empty: Nobody was blocked in this period.
folded: true
---*/
WITH used AS (
    SELECT feature, sum(free_blocked) AS blocked, sum(free_blocked_in_wait) AS in_wait
    FROM usage_day WHERE in_period GROUP BY feature HAVING sum(free_blocked) > 0
), line AS (
    SELECT 0 AS is_total, feature, blocked, in_wait FROM used
    UNION ALL
    SELECT 1, 'all', sum(blocked), sum(in_wait) FROM used HAVING count(*) > 0
), hit AS MATERIALIZED (
    SELECT feature, user_id, max(kind = 'blocked_cooldown') AS is_again FROM v_events, period
    WHERE feature IS NOT NULL AND at >= start AND at < "end" AND user_id <> ''
        AND kind IN ('blocked_limit_reached', 'blocked_cooldown')
        AND user_type IS NOT 'lite_subscriber' AND user_type IS NOT 'new_user'
        AND (only_platform IS NULL OR platform IS NULL OR platform = only_platform)
    GROUP BY feature, user_id
), member AS (
    SELECT feature, count(*) AS people, sum(is_again) AS again FROM hit GROUP BY feature
    UNION ALL
    SELECT 'all', count(*), sum(is_again)
    FROM (SELECT max(is_again) AS is_again FROM hit GROUP BY user_id)
)
SELECT feature, is_total, blocked, in_wait AS in_wait_part, blocked AS in_wait_whole,
    ifnull(people, 0) AS people, ifnull(again, 0) AS again_part, ifnull(people, 0) AS again_whole,
    (
        SELECT format('Of %,d %s blocked %,d tried again during the wait; of %,d blocks %,d were such '
            || 'tries.', people, iif(people = 1, 'person who was', 'people who were'), again, blocked,
            in_wait)
        FROM line JOIN member USING (feature) WHERE is_total
    ) AS says
FROM line LEFT JOIN member USING (feature) ORDER BY is_total, instr('refresh filter search message conversation', feature)
