/*---
page: usage
place: features 3
everybody: true
id: uses-a-day
title: How often people use a feature on a day
columns:
  feature: {title: Feature, unit: feature}
  uses: {title: Uses that day, unit: text}
  free: {title: Free users, unit: ratio}
  subscribers: {title: Subscribers, unit: ratio}
definitions:
  Uses that day: Events performed of one person on one day of the period; 0 with taps alone. Each
    person counts once a day and feature.
  Days: One for each day of each person with a tap or a use of the feature.
  Free users: What the newest event of the day called them. The limit holds them; subscribers use the
    feature as often as they like.
empty: No feature was used in this period.
folded: true
---*/
WITH spread AS (
    SELECT feature, min(uses, 6) AS uses,
        sum(person_days) FILTER (WHERE segment = 'free_user') AS free,
        sum(person_days) FILTER (WHERE segment = 'lite_subscriber') AS subscribers
    FROM use_day GROUP BY 1, 2
), beyond AS (
    -- Days of subscribers, whom no limit holds, with more uses than the limit gives.
    SELECT feature, value AS uses, sum(person_days) AS days,
        ifnull(sum(person_days) FILTER (WHERE use_day.uses > value), 0) AS more
    FROM use_day JOIN setting_in_force ON key = feature || '.limit'
    WHERE segment = 'lite_subscriber' AND value IS NOT NULL
    GROUP BY feature ORDER BY instr('refresh filter search message conversation', feature)
)
SELECT feature, iif(uses = 6, '6 or more', CAST(uses AS TEXT)) AS uses,
    ifnull(free, 0) AS free_part,
    ifnull(sum(free) OVER (PARTITION BY feature), 0) AS free_whole,
    ifnull(subscribers, 0) AS subscribers_part,
    ifnull(sum(subscribers) OVER (PARTITION BY feature), 0) AS subscribers_whole,
    (
        SELECT 'Subscribers, whom no limit holds, go beyond the limit with ' || group_concat(
            format('%s (limit %d) on %,d of %,d days', feature, uses, more, days), ', ')
            || '. A limit stops free users on such days. What another one would do: the page '
            || 'Limits, What if.'
        FROM beyond HAVING count(*) > 0
    ) AS says
FROM spread ORDER BY instr('refresh filter search message conversation', feature), spread.uses
