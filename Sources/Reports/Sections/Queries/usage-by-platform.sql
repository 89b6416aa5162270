/*---
page: usage
place: platforms 1
section: Platforms
after: features
title: By platform
lead: This report counts all platforms together; each has a row.
columns:
  platform: {title: Platform, unit: code}
  taps: {title: Taps, unit: count, bars: true}
  performed: {title: Performed, unit: count}
  blocked: {title: "Blocked, of free taps", unit: ratio}
  popups: {title: Popups, unit: count}
  subscription_taps: {title: Subscription taps, unit: count}
  people: {title: People, unit: count}
definitions:
  People: By the platform of their first event in the period or in the newest 102 days.
empty: No feature was used in this period.
optional: true
---*/
WITH met AS MATERIALIZED (
    SELECT platform, count(*) AS people FROM person WHERE in_period GROUP BY platform
)
SELECT platform, sum(taps) AS taps, sum(performed) AS performed,
    sum(free_blocked) AS blocked_part, sum(free_taps) AS blocked_whole,
    sum(popups) AS popups, sum(subscription_taps) AS subscription_taps,
    ifnull((SELECT people FROM met WHERE met.platform = usage_day.platform), 0) AS people
FROM usage_day
WHERE in_period
    AND (SELECT count(DISTINCT own.platform) FROM usage_day AS own WHERE own.in_period) > 1
GROUP BY platform ORDER BY taps DESC, platform
