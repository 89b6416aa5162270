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
SELECT ifnull(app_version, 'not told') AS version,
    count(*) AS active,
    sum(stage >= 3) AS blocked_part, count(*) AS blocked_whole,
    sum(stage >= 4) AS tapped_part, count(*) AS tapped_whole,
    sum(sum(stage >= 4)) OVER () - sum(stage >= 4) AS verdict_from_part,
    sum(count(*)) OVER () - count(*) AS verdict_from_whole,
    sum(stage >= 4) AS verdict_to_part, count(*) AS verdict_to_whole,
    sum(stage >= 5) AS subscribed_part, count(*) AS subscribed_whole
FROM person
WHERE is_active
GROUP BY app_version
ORDER BY active DESC, ifnull(app_version, '')
