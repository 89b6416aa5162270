/*---
page: usage
place: features 2
title: Against the same weekdays before
columns:
  feature: {title: Feature, unit: feature}
  what: {title: What, unit: text}
  count: {title: Events, unit: count}
  change: {title: Change, unit: change}
empty: No feature was used in this period or the one before.
folded: true
---*/
WITH side AS MATERIALIZED (
    SELECT feature, in_period, in_whole, in_before, sum(taps) AS taps,
        sum(performed) AS performed, sum(blocked) AS blocked, sum(popups) AS popups,
        sum(dismissed) AS dismissed, sum(bypassed) AS bypassed
    FROM usage_hour WHERE in_period OR in_before
    GROUP BY feature, in_period, in_whole, in_before
), number(feature, in_period, in_whole, in_before, place, what, events) AS (
    SELECT feature, in_period, in_whole, in_before, 1, 'Taps', taps FROM side
    UNION ALL
    SELECT feature, in_period, in_whole, in_before, 2, 'Performed', performed FROM side
    UNION ALL
    SELECT feature, in_period, in_whole, in_before, 3, 'Blocked', blocked FROM side
    UNION ALL
    SELECT feature, in_period, in_whole, in_before, 4, 'Other', taps - performed - blocked FROM side
    UNION ALL
    SELECT feature, in_period, in_whole, in_before, 5, 'Popups', popups FROM side
    UNION ALL
    SELECT feature, in_period, in_whole, in_before, 6, 'Dismissed', dismissed FROM side
    UNION ALL
    SELECT feature, in_period, in_whole, in_before, 7, 'Bypassed', bypassed FROM side
)
SELECT feature, what,
    ifnull(sum(events) FILTER (WHERE in_period), 0) AS count,
    ifnull(sum(events) FILTER (WHERE in_whole), 0) AS change_now,
    ifnull(sum(events) FILTER (WHERE in_before), 0) AS change_previous
FROM number
GROUP BY feature, place
ORDER BY instr('refresh filter search message conversation', feature), place
