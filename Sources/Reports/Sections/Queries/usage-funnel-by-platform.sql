/*---
page: usage
place: platforms 2
everybody: true
optional: true
id: funnel-by-platform
title: From active to subscriber, by platform
columns:
  platform: {title: Platform, unit: code}
  active: {title: Active, unit: count}
  blocked: {title: "Blocked, of active", unit: rate}
  tapped: {title: "Blocked and tapped, of active", unit: rate}
  verdict: {title: "Tapped, beside the others", unit: verdict, optional: true}
  subscribed: {title: "New subs, of active", unit: rate}
definitions:
  Platform: That of their first event in the period or in the newest 102 days.
  Beside the others: Whether the share that was blocked and tapped is higher or lower than that of
    the people of all other platforms together, by Newcombe's interval of the difference.
empty: No feature was used in this period.
folded: true
---*/
SELECT platform, count(*) AS active,
    sum(stage >= 3) AS blocked_part, count(*) AS blocked_whole,
    sum(stage >= 4) AS tapped_part, count(*) AS tapped_whole,
    sum(sum(stage >= 4)) OVER () - sum(stage >= 4) AS verdict_from_part,
    sum(count(*)) OVER () - count(*) AS verdict_from_whole,
    sum(stage >= 4) AS verdict_to_part, count(*) AS verdict_to_whole,
    sum(stage >= 5) AS subscribed_part, count(*) AS subscribed_whole
FROM person
WHERE is_active AND (SELECT count(DISTINCT own.platform) FROM person AS own WHERE own.is_active) > 1
GROUP BY platform ORDER BY active DESC, platform
