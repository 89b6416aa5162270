/*---
page: usage
place: features 5
title: Against the same weekdays before
columns:
  feature: {title: Feature, unit: feature}
  what: {title: What, unit: text}
  count: {title: Events, unit: count}
  change: {title: Change, unit: change}
empty: No feature was used in this period or the one before.
folded: true
---*/
WITH side AS (
    SELECT feature, in_period, in_whole, in_before, sum(taps) AS taps,
        sum(performed) AS performed, sum(blocked) AS blocked, sum(popups) AS popups,
        sum(dismissed) AS dismissed, sum(bypassed) AS bypassed
    FROM usage_day WHERE in_period OR in_before
    GROUP BY feature, in_period, in_whole, in_before
)
SELECT feature, key AS what,
    ifnull(sum(value) FILTER (WHERE in_period), 0) AS count,
    ifnull(sum(value) FILTER (WHERE in_whole), 0) AS change_now,
    ifnull(sum(value) FILTER (WHERE in_before), 0) AS change_previous
FROM side, json_each(json_object('Taps', taps, 'Performed', performed, 'Blocked', blocked,
    'Other', taps - performed - blocked, 'Popups', popups, 'Dismissed', dismissed,
    'Bypassed', bypassed))
GROUP BY feature, key
ORDER BY instr('refresh filter search message conversation', feature), min(json_each.id)
