/*---
page: usage
place: funnel 1
everybody: true
id: funnel
title: From stage to stage
columns:
  stage: {title: Stage, unit: text}
  people: {title: People, unit: count, bars: true}
  of_previous: {title: Of the stage before, unit: rate}
  of_active: {title: Of active, unit: rate}
  lost: {title: Lost before it, unit: count}
definitions:
  Of active: The whole way to this stage. In the last row it is the conversion of the period.
  People: Each person counts once. Every stage is a part of the stage before it.
empty: Nobody can be followed in this period.
---*/
WITH reached AS (
    SELECT stage AS stages, count(*) AS people FROM person WHERE is_active GROUP BY stage
), counted AS (
    SELECT place, stage, ifnull(sum(people) FILTER (WHERE stages >= place), 0) AS people
    FROM (
        SELECT 1 AS place, 'Active as a free user' AS stage
        UNION ALL VALUES (2, 'Saw a popup'), (3, 'Was blocked'), (4, 'Tapped to subscribe'),
            (5, 'New subscriber')
    ) JOIN reached GROUP BY place
)
SELECT stage, people, CASE WHEN before IS NOT NULL THEN people END AS of_previous_part,
    before AS of_previous_whole, CASE WHEN before IS NOT NULL THEN people END AS of_active_part,
    active AS of_active_whole, before - people AS lost
FROM (
    SELECT *, lag(people) OVER (ORDER BY place) AS before,
        first_value(people) OVER (ORDER BY place) AS active
    FROM counted
)
ORDER BY place
