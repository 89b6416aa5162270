/*---
page: usage
place: features 2
id: waits
title: First blocks, and blocks during the wait
columns:
  feature: {title: Feature, unit: feature}
  blocked: {title: Blocks of free users, unit: count, bars: true}
  first: {title: "First, at the limit", unit: ratio}
  in_wait: {title: During the wait, unit: ratio}
definitions:
  Blocks of free users: Blocked attempts of people whom a limit can block.
  First: Events blocked_limit_reached; each starts a wait.
  During the wait: Events blocked_cooldown of people who tried again before it was over.
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
)
SELECT feature, is_total, blocked, blocked - in_wait AS first_part, blocked AS first_whole,
    in_wait AS in_wait_part, blocked AS in_wait_whole,
    (
        SELECT format('Of %,d blocks %,d were the first at a limit, and %,d were tries during the '
            || 'wait.', blocked, blocked - in_wait, in_wait)
        FROM line WHERE is_total
    ) AS says
FROM line ORDER BY is_total, instr('refresh filter search message conversation', feature)
