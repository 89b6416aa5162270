/*---
page: usage
place: popups 3
everybody: true
id: popup-outcomes
title: With uses left, and without
columns:
  outcome: {title: The popup said, unit: text}
  shown: {title: "Shown, to known people", unit: count}
  acted: {title: Action, unit: ratio}
  subscribed: {title: Subscribe, unit: ratio}
  by_hand: {title: Dismissed, unit: ratio}
  waited: {title: Waited it out, unit: ratio}
  untold: {title: Another end, unit: count}
  left: {title: No end, unit: ratio}
  median: {title: Open for, unit: seconds}
definitions:
  The popup said: What the limit allowed when it opened, by usage_limit and current_usage of the
    event. Popups of free users alone, whose events have a user id. Those of anonymous people are in
    the table above.
  Open for: The median time to the end, of popups that have one.
empty: No popup says how many uses were left.
folded: true
---*/
WITH told AS MATERIALIZED (
    SELECT person, at, feature, min(uses_left) AS uses_left
    FROM offer WHERE NOT is_tap GROUP BY person, at, feature
), shown AS MATERIALIZED (
    SELECT uses_left, ending, seconds, count(*) AS popups
    FROM popup CROSS JOIN told
        ON told.person = popup.person AND told.feature = popup.feature AND told.at = popup.at
    GROUP BY uses_left, ending, seconds
), line AS (
    SELECT CASE uses_left WHEN 0 THEN 0 WHEN 1 THEN 1 ELSE 2 END AS place, ending, seconds, popups
    FROM shown
), placed AS (
    -- The popups of one length stand at the places from `rank - popups + 1` to `rank`.
    SELECT place, seconds, sum(popups) AS popups,
        sum(sum(popups)) OVER (PARTITION BY place ORDER BY seconds) AS rank,
        sum(sum(popups)) OVER (PARTITION BY place) AS n
    FROM line WHERE ending IS NOT NULL AND seconds IS NOT NULL GROUP BY place, seconds
), half AS (
    SELECT place, avg(seconds) AS median FROM placed
    WHERE rank >= (n + 1) / 2 AND rank - popups < (n + 2) / 2 GROUP BY place
), counted AS (
    SELECT place, sum(popups) AS shown,
        ifnull(sum(popups) FILTER (WHERE ending IS NOT NULL), 0) AS ended,
        ifnull(sum(popups) FILTER (WHERE ending = 'action'), 0) AS acted,
        ifnull(sum(popups) FILTER (WHERE ending = 'subscribe'), 0) AS subscribed,
        ifnull(sum(popups) FILTER (WHERE ending = 'dismissed'), 0) AS by_hand,
        ifnull(sum(popups) FILTER (WHERE ending = 'expired'), 0) AS waited
    FROM line GROUP BY place
)
SELECT CASE place WHEN 0 THEN 'No use left: blocked' WHEN 1 THEN '1 use left'
        ELSE '2 uses left or more' END AS outcome,
    shown, acted AS acted_part, shown AS acted_whole, subscribed AS subscribed_part,
    shown AS subscribed_whole, by_hand AS by_hand_part, shown AS by_hand_whole,
    waited AS waited_part, shown AS waited_whole,
    ended - acted - subscribed - by_hand - waited AS untold, shown - ended AS left_part,
    shown AS left_whole, median
FROM counted LEFT JOIN half USING (place) ORDER BY place
