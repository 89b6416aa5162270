/*---
page: usage
place: funnel 6
everybody: true
id: funnel-by-version
title: By app version
columns:
  version: {title: Version, unit: text}
  active: {title: Active, unit: count}
  blocked: {title: "Blocked, of active", unit: rate}
  tapped: {title: "Blocked and tapped, of active", unit: rate}
  verdict: {title: "Tapped, beside the others", unit: verdict, optional: true}
  subscribed: {title: "New subs, of active", unit: rate}
definitions:
  Version: That of the first event of their first day in this period whose first event names one.
  Beside the others: Whether the share that was blocked and tapped is higher or lower than that of
    the people of all other versions together, by Newcombe's interval of the difference.
empty: Nobody was active as a free user.
shown: 12
folded: true
---*/
WITH side AS (
    SELECT ifnull(app_version, 'not told') AS version, count(*) AS active,
        sum(stage >= 3) AS blocked, sum(stage >= 4) AS tapped, sum(stage >= 5) AS subscribed,
        sum(count(*)) OVER () AS all_active, sum(sum(stage >= 4)) OVER () AS all_tapped
    FROM person
    WHERE is_active GROUP BY app_version
)
SELECT version, active, blocked AS blocked_part, active AS blocked_whole,
    tapped AS tapped_part, active AS tapped_whole, all_tapped - tapped AS verdict_from_part,
    all_active - active AS verdict_from_whole, tapped AS verdict_to_part,
    active AS verdict_to_whole, subscribed AS subscribed_part, active AS subscribed_whole,
    (
        SELECT 'Blocked and tapped, of active: '
            || group_concat(format('%s %,d of %,d', version, tapped, active), ', ')
            || ': {verdicts}.'
        FROM (SELECT * FROM side ORDER BY active DESC, version LIMIT 3) HAVING count(*) > 1
    ) AS says
FROM side ORDER BY active DESC, version = 'not told' DESC, version
