/*---
page: usage
place: features 3
title: By feature and segment
columns:
  feature: {title: Feature, unit: feature}
  segment: {title: Segment, unit: text}
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
    SELECT * FROM usage_day WHERE in_period
), part AS (
    SELECT feature, CASE segment WHEN 'lite_subscriber' THEN 1 WHEN 'new_user' THEN 2
            WHEN 'free_user' THEN 3 ELSE 4 END AS place,
        CASE segment WHEN 'lite_subscriber' THEN 'Subscriber' WHEN 'new_user' THEN 'New user'
            WHEN 'free_user' THEN 'Free user' ELSE 'Not told' END AS segment,
        sum(taps) AS taps, sum(performed) AS performed, sum(blocked) AS blocked,
        sum(popups) AS popups, sum(bypassed) AS bypassed, 0 AS is_total
    FROM used GROUP BY feature, used.segment
    HAVING sum(taps + performed + blocked + popups + dismissed + bypassed + subscription_taps) > 0
    UNION ALL
    SELECT feature, 5, 'All', ifnull(sum(taps) FILTER (WHERE in_period), 0),
        ifnull(sum(performed) FILTER (WHERE in_period), 0),
        ifnull(sum(blocked) FILTER (WHERE in_period), 0),
        ifnull(sum(popups) FILTER (WHERE in_period), 0),
        ifnull(sum(bypassed) FILTER (WHERE in_period), 0), 1
    FROM usage_day WHERE in_period OR in_before GROUP BY feature
)
SELECT feature, segment, taps, performed, blocked, taps - performed - blocked AS other, popups,
    bypassed, is_total
FROM part
ORDER BY instr('refresh filter search message conversation', feature), place
