/*---
page: limits
place: experiments
everybody: true
id: limits-live
title: Two limits live at once
columns:
  feature: {title: Feature, unit: feature}
  measure: {title: People who, unit: text}
  lower_limit: {title: Lower limit, unit: count}
  lower: {title: With it, unit: rate}
  higher_limit: {title: Higher limit, unit: count}
  higher: {title: With it, unit: rate}
  difference: {title: Difference, unit: points}
  verdict: {title: Verdict, unit: verdict}
  both: {title: Seen with both, unit: count}
  since: {title: From, unit: instant}
  until: {title: To, unit: instant}
definitions:
  Two limits: The two of each feature that most popups had, if people met both at the same time for a
    day or more. The table counts the people who saw a popup in that time.
  With it: People who saw a popup with this limit and none with the other. Of them, people who were
    blocked, or tapped to subscribe. In a ledger of 10,000,000 events or more, one in 16 ids is
    counted.
  Difference: The second share minus the first, in percentage points, with Newcombe's interval.
  Not proven: The range includes 0. There are too few people to tell.
empty: No two limits of a feature were live at once.
---*/
WITH kind AS (
    SELECT feature, usage_limit, min(at) AS first, max(at) AS last, row_number() OVER (
            PARTITION BY feature ORDER BY count(*) DESC, usage_limit) AS place
    FROM offer GROUP BY feature, usage_limit
), span AS (
    SELECT feature, min(usage_limit) AS lower, max(usage_limit) AS higher,
        max(first) AS start, min(last) AS finish
    FROM kind WHERE place <= 2
    GROUP BY feature HAVING count(*) = 2 AND min(last) - max(first) >= 86400000000
), seen AS MATERIALIZED (
    SELECT offer.*, usage_limit = lower AS is_lower, start, finish, lower, higher,
        -- The rest of less than a day belongs to the last one.
        min((at - start) / 86400000000, (finish - start) / 86400000000 - 1) AS day
    FROM span CROSS JOIN offer USING (feature)
    WHERE usage_limit IN (lower, higher) AND at BETWEEN start AND finish
), together AS (
    SELECT feature FROM (
        SELECT feature, start, finish FROM seen
        GROUP BY feature, day HAVING count(DISTINCT is_lower) = 2
    )
    GROUP BY feature HAVING 2 * count(*) > (finish - start) / 86400000000
), met AS (
    SELECT feature, start, finish, lower, higher, max(is_lower AND NOT is_tap) AS saw_lower,
        max(NOT is_lower AND NOT is_tap) AS saw_higher,
        max(is_lower AND uses_left = 0) AS blocked_lower,
        max(NOT is_lower AND uses_left = 0) AS blocked_higher,
        max(is_lower AND is_tap) AS tapped_lower, max(NOT is_lower AND is_tap) AS tapped_higher
    FROM seen WHERE feature IN (SELECT feature FROM together) GROUP BY feature, person
), side AS (
    SELECT feature, start, finish, lower, higher, sum(saw_lower AND saw_higher) AS both,
        sum(saw_lower AND NOT saw_higher) AS n1, sum(saw_higher AND NOT saw_lower) AS n2,
        sum(saw_lower AND NOT saw_higher AND blocked_lower) AS blocked1,
        sum(saw_higher AND NOT saw_lower AND blocked_higher) AS blocked2,
        sum(saw_lower AND NOT saw_higher AND tapped_lower) AS tapped1,
        sum(saw_higher AND NOT saw_lower AND tapped_higher) AS tapped2
    FROM met GROUP BY feature
), measure AS (
    SELECT 0 AS place, 'tapped to subscribe' AS measure, tapped1 AS k1, tapped2 AS k2, * FROM side
    UNION ALL
    SELECT 1, 'were blocked', blocked1, blocked2, * FROM side
)
SELECT feature, measure, lower AS lower_limit, k1 AS lower_part, n1 AS lower_whole,
    higher AS higher_limit, k2 AS higher_part, n2 AS higher_whole, k1 AS difference_from_part,
    n1 AS difference_from_whole, k2 AS difference_to_part, n2 AS difference_to_whole,
    k1 AS verdict_from_part, n1 AS verdict_from_whole, k2 AS verdict_to_part,
    n2 AS verdict_to_whole,
    both, start AS since, finish AS until
FROM measure ORDER BY instr('refresh filter search message conversation', feature), place