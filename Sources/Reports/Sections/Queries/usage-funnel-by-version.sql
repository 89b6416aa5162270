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
    sum(saw_popup AND was_blocked) AS blocked_part, count(*) AS blocked_whole,
    sum(has_tapped) AS tapped_part,
    count(*) AS tapped_whole,
    sum(sum(has_tapped)) OVER () - sum(has_tapped) AS verdict_from_part,
    sum(count(*)) OVER () - count(*) AS verdict_from_whole,
    sum(has_tapped) AS verdict_to_part, count(*) AS verdict_to_whole,
    sum(has_tapped AND subscribed_after_tap) AS subscribed_part, count(*) AS subscribed_whole
FROM (
    SELECT *, saw_popup AND was_blocked AND tapped_after_block AS has_tapped
    FROM person WHERE is_active
)
GROUP BY app_version
ORDER BY active DESC, ifnull(app_version, '')
