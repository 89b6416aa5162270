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
WITH side AS (
    SELECT platform, count(*) AS active, sum(stage >= 3) AS blocked, sum(stage >= 4) AS tapped,
        sum(stage >= 5) AS subscribed, sum(count(*)) OVER () AS all_active,
        sum(sum(stage >= 4)) OVER () AS all_tapped
    FROM person
    WHERE is_active AND (SELECT count(DISTINCT own.platform) FROM person AS own WHERE own.is_active) > 1
    GROUP BY platform
)
SELECT platform, active, blocked AS blocked_part, active AS blocked_whole,
    tapped AS tapped_part, active AS tapped_whole, all_tapped - tapped AS verdict_from_part,
    all_active - active AS verdict_from_whole, tapped AS verdict_to_part,
    active AS verdict_to_whole, subscribed AS subscribed_part, active AS subscribed_whole,
    (
        SELECT 'Blocked and tapped, of active: '
            || group_concat(format('%s %,d of %,d', platform, tapped, active), ', ')
            || ': {verdicts}.'
        FROM (SELECT * FROM side ORDER BY active DESC, platform)
    ) AS says
FROM side ORDER BY active DESC, platform
