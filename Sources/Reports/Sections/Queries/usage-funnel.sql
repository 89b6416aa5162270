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
  lost: {title: Ended before, unit: count}
definitions:
  People: Each once; every stage is a part of the one before it.
empty: Nobody can be followed in this period.
---*/
WITH stage(place, stage, people) AS (
    SELECT 1, 'Active as a free user', count(*) FROM person WHERE is_active
    UNION ALL
    SELECT 2, 'Saw a popup', count(*) FROM person WHERE is_active AND saw_popup
    UNION ALL
    SELECT 3, 'Was blocked', count(*) FROM person WHERE is_active AND saw_popup AND was_blocked
    UNION ALL
    SELECT 4, 'Tapped to subscribe', count(*) FROM person
    WHERE is_active AND saw_popup AND was_blocked AND tapped_after_block
    UNION ALL
    SELECT 5, 'New subscriber', count(*) FROM person
    WHERE is_active AND saw_popup AND was_blocked AND tapped_after_block AND subscribed_after_tap
)
SELECT stage, people, CASE WHEN before IS NOT NULL THEN people END AS of_previous_part,
    before AS of_previous_whole, before - people AS lost
FROM (SELECT *, lag(people) OVER (ORDER BY place) AS before FROM stage)
WHERE EXISTS (SELECT 1 FROM person WHERE is_active)
ORDER BY place
