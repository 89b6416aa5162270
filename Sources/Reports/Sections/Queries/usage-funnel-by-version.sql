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
  subscribed: {title: "New subs, of active", unit: rate}
definitions:
  Version: That of the first event of their first day in this period whose first event names one.
empty: Nobody was active as a free user.
shown: 12
folded: true
---*/
SELECT ifnull(app_version, 'not told') AS version,
    count(*) AS active,
    sum(saw_popup AND was_blocked) AS blocked_part, count(*) AS blocked_whole,
    sum(saw_popup AND was_blocked AND tapped_after_block) AS tapped_part,
    count(*) AS tapped_whole,
    sum(saw_popup AND was_blocked AND tapped_after_block AND subscribed_after_tap)
        AS subscribed_part, count(*) AS subscribed_whole
FROM person
WHERE is_active
GROUP BY app_version
ORDER BY active DESC, ifnull(app_version, '')
