/*---
page: usage
place: features 1
title: By feature
columns:
  feature: {title: Feature, unit: feature}
  taps: {title: Taps, unit: count}
  change: {title: Change, unit: change}
  blocked: {title: "Blocked, of free taps", unit: ratio}
  taps_by_day: {title: Taps by day, unit: trend}
definitions:
  Change: Taps of whole days against the same weekdays earlier.
  "Blocked, of free taps": Blocks of people whom a limit can block, of their taps.
empty: No feature was used in this period.
---*/
SELECT feature,
    ifnull(sum(taps) FILTER (WHERE in_period), 0) AS taps,
    ifnull(sum(taps) FILTER (WHERE in_whole), 0) AS change_now,
    ifnull(sum(taps) FILTER (WHERE in_before), 0) AS change_previous,
    ifnull(sum(free_blocked) FILTER (WHERE in_period), 0) AS blocked_part,
    ifnull(sum(free_taps) FILTER (WHERE in_period), 0) AS blocked_whole,
    (SELECT json_group_array(CASE WHEN is_counted THEN taps END) FROM (
        SELECT is_counted, ifnull(sum(own.taps), 0) AS taps
        FROM day LEFT JOIN usage_day AS own
            ON own.day = day.day AND own.feature = used.feature AND own.in_period
        WHERE day.in_period GROUP BY day.day ORDER BY day.day)) AS taps_by_day
FROM usage_day AS used
WHERE in_period OR in_before
GROUP BY feature
ORDER BY instr('refresh filter search message conversation', feature)
