/*---
page: usage
place: funnel 2
everybody: true
optional: true
id: funnel-before
title: The same stages, earlier
columns:
  stage: {title: Stage, unit: text}
  people: {title: On whole days, unit: count}
  people_before: {title: Earlier, unit: count}
  share: {title: Of the stage before, unit: ratio}
  share_before: {title: Earlier, unit: ratio}
  verdict: {title: Than earlier, unit: verdict}
definitions:
  On whole days: People of the days that are over; where today is alone, of its hours so far.
  Than earlier: Whether the share is proven higher or lower than on the days of the comparison, by
    Newcombe's interval of the difference.
empty: The days before are not known.
folded: true
---*/
WITH reached AS MATERIALIZED (
    SELECT stage_in_whole AS whole, stage_in_before AS before, count(*) AS persons
    FROM person GROUP BY 1, 2
), line AS (
    SELECT place, stage, sum(persons * (whole >= place)) AS people,
        sum(persons * (before >= place)) AS people_before
    FROM (
        SELECT 1 AS place, 'Active as a free user' AS stage
        UNION ALL VALUES (2, 'Saw a popup'), (3, 'Was blocked'), (4, 'Tapped to subscribe'),
            (5, 'New subscriber')
    ) JOIN reached JOIN period ON is_compared
    -- It is NULL where people are not followed as far back.
    WHERE before IS NOT NULL AND EXISTS (SELECT 1 FROM person WHERE is_active)
    GROUP BY place
)
SELECT stage, people, people_before, people AS share_part, whole AS share_whole,
    people_before AS share_before_part, whole_before AS share_before_whole,
    people_before AS verdict_from_part, whole_before AS verdict_from_whole,
    people AS verdict_to_part, whole AS verdict_to_whole,
    (
        SELECT format('New subscribers: %,d of %,d active people, earlier %,d of %,d.',
            min(people), max(people), min(people_before), max(people_before))
        FROM line
    ) AS says
FROM (
    SELECT *, lag(people) OVER other AS whole, lag(people_before) OVER other AS whole_before
    FROM line WINDOW other AS (ORDER BY place)
) ORDER BY place
