/*---
page: usage
place: popups 2
everybody: true
id: popup-times
title: Median time that popups were open
columns:
  feature: {title: Feature, unit: feature}
  ended: {title: Ended, unit: count}
  median: {title: All ends, unit: seconds}
  acted: {title: To the action, unit: seconds}
  subscribed: {title: To the subscription tap, unit: seconds}
  by_hand: {title: Until dismissed, unit: seconds}
  waited: {title: Until the wait ended, unit: seconds}
definitions:
  Time: The median of the time from the popup to its end; of popup_dismissed its popup_seconds, where
    it tells them.
empty: No popup of this period has an end.
folded: true
---*/
WITH ended AS MATERIALIZED (
    SELECT feature, ending, seconds, count(*) AS popups FROM popup
    WHERE ending IS NOT NULL GROUP BY feature, ending, seconds
), line AS (
    SELECT 0 AS is_total, feature, 'all' AS ending, seconds, popups FROM ended
    UNION ALL
    SELECT 0, feature, ending, seconds, popups FROM ended
    UNION ALL
    SELECT 1, 'all', 'all', seconds, popups FROM ended
    UNION ALL
    SELECT 1, 'all', ending, seconds, popups FROM ended
), placed AS (
    -- The popups of one length stand at the places from `place - popups + 1` to `place`.
    SELECT is_total, feature, ending, seconds, sum(popups) AS popups,
        sum(sum(popups)) OVER (PARTITION BY is_total, feature, ending ORDER BY seconds) AS place,
        sum(sum(popups)) OVER (PARTITION BY is_total, feature, ending) AS n
    FROM line GROUP BY is_total, feature, ending, seconds
), half AS (
    SELECT is_total, feature, ending, n, avg(seconds) AS median FROM placed
    WHERE place >= (n + 1) / 2 AND place - popups < (n + 2) / 2
    GROUP BY is_total, feature, ending
)
SELECT feature, is_total, max(n) FILTER (WHERE ending = 'all') AS ended,
    max(median) FILTER (WHERE ending = 'all') AS median,
    max(median) FILTER (WHERE ending = 'action') AS acted,
    max(median) FILTER (WHERE ending = 'subscribe') AS subscribed,
    max(median) FILTER (WHERE ending = 'dismissed') AS by_hand,
    max(median) FILTER (WHERE ending = 'expired') AS waited,
    (
        SELECT 'Half of all popups end within ' || group_concat(format(CASE ending
                WHEN 'all' THEN '%g s'
                WHEN 'subscribe' THEN 'those with a subscription tap within %g s'
                ELSE 'those dismissed within %g s' END, median), ', half of ') || '.'
        FROM (
            SELECT * FROM half WHERE is_total AND ending IN ('all', 'subscribe', 'dismissed')
            ORDER BY instr('all subscribe dismissed', ending)
        )
    ) AS says
FROM half GROUP BY is_total, feature ORDER BY is_total, ended DESC, feature
