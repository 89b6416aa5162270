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
)
SELECT feature, iif(uses = 6, '6 or more', CAST(uses AS TEXT)) AS uses,
    ifnull(free, 0) AS free_part,
    ifnull(sum(free) OVER (PARTITION BY feature), 0) AS free_whole,
    ifnull(subscribers, 0) AS subscribers_part,
    ifnull(sum(subscribers) OVER (PARTITION BY feature), 0) AS subscribers_whole
FROM spread ORDER BY instr('refresh filter search message conversation', feature), spread.uses
