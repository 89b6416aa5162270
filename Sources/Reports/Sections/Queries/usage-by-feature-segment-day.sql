/*---
page: usage
place: features 7
title: By feature, segment and day
columns:
  day: {title: Day, unit: day}
  feature: {title: Feature, unit: feature}
  segment: {title: Segment, unit: segment}
  taps: {title: Taps, unit: count}
  performed: {title: Performed, unit: count}
  blocked: {title: Blocked, unit: count}
  other: {title: Other, unit: count}
  popups: {title: Popups, unit: count}
empty: No feature was used in this period.
shown: 30
folded: true
---*/
SELECT date AS day, feature, segment, sum(taps) AS taps, sum(performed) AS performed,
    sum(blocked) AS blocked, sum(taps - performed - blocked) AS other, sum(popups) AS popups
FROM usage_day JOIN day USING (day)
WHERE usage_day.in_period
GROUP BY day, feature, segment
HAVING sum(taps + performed + blocked + popups + dismissed + bypassed + subscription_taps) > 0
ORDER BY usage_day.day DESC, instr('refresh filter search message conversation', feature),
    instr('lite_subscriber new_user free_user', ifnull(segment, '')) + (segment IS NULL) * 99
