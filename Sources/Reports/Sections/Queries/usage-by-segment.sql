/*---
page: usage
place: features 6
title: By feature and segment
columns:
  feature: {title: Feature, unit: feature}
  segment: {title: Segment, unit: segment}
  taps: {title: Taps, unit: count}
  performed: {title: Performed, unit: count}
  blocked: {title: Blocked, unit: count}
  other: {title: Other, unit: count}
  popups: {title: Popups, unit: count}
  bypassed: {title: Bypassed, unit: count}
empty: No feature was used in this period.
folded: true
---*/
WITH used AS (
    SELECT 0 AS is_total, * FROM usage_day WHERE in_period
    UNION ALL
    SELECT 1, * FROM usage_day WHERE in_period OR in_before
)
SELECT feature, iif(is_total, 'all', segment) AS segment, is_total,
    ifnull(sum(taps) FILTER (WHERE in_period), 0) AS taps,
    ifnull(sum(performed) FILTER (WHERE in_period), 0) AS performed,
    ifnull(sum(blocked) FILTER (WHERE in_period), 0) AS blocked,
    ifnull(sum(taps - performed - blocked) FILTER (WHERE in_period), 0) AS other,
    ifnull(sum(popups) FILTER (WHERE in_period), 0) AS popups,
    ifnull(sum(bypassed) FILTER (WHERE in_period), 0) AS bypassed
FROM used GROUP BY feature, is_total, 2
HAVING is_total
    OR sum(taps + performed + blocked + popups + dismissed + bypassed + subscription_taps) > 0
ORDER BY instr('refresh filter search message conversation', feature), is_total,
    ifnull(instr('lite_subscriber new_user free_user', used.segment), 99)
