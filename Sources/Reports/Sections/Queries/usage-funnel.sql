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
  change: {title: Change, unit: change, optional: true}
  verdict: {title: Than earlier, unit: verdict, optional: true}
definitions:
  Of active: The whole way to this stage. In the last row it is the conversion of the period.
  People: Each person counts once. Every stage is a part of the stage before it.
  Change: The people of the days that are over, and those of the days that the page compares them with.
  Than earlier: Whether the share of the stage before is higher or lower on the days that are over than on those, by
    Newcombe's interval of the difference.
empty: Nobody can be followed in this period.
---*/
WITH reached AS (
    SELECT stage AS now, stage_in_whole AS whole, stage_in_before AS before, count(*) AS people
    FROM person GROUP BY 1, 2, 3
), side AS (
    -- People are followed on 102 days alone.
    SELECT before_start >= min(day.start) AS is_followed
    FROM period JOIN (SELECT day.start FROM day JOIN period ON day.start < period."end"
        ORDER BY day.start DESC LIMIT 102) AS day
), counted AS (
    SELECT place, stage, ifnull(sum(people) FILTER (WHERE now >= place), 0) AS people,
        iif(is_followed, ifnull(sum(people) FILTER (WHERE whole >= place), 0), NULL) AS whole,
        iif(is_followed, ifnull(sum(people) FILTER (WHERE before >= place), 0), NULL) AS before
    FROM (
        SELECT 1 AS place, 'Active as a free user' AS stage
        UNION ALL VALUES (2, 'Saw a popup'), (3, 'Was blocked'), (4, 'Tapped to subscribe'),
            (5, 'New subscriber')
    ) JOIN reached JOIN side
    WHERE EXISTS (SELECT 1 FROM person WHERE is_active) GROUP BY place
), line AS (
    SELECT *, lag(people) OVER other AS from_people, lag(whole) OVER other AS from_whole,
        lag(before) OVER other AS from_before, first_value(people) OVER other AS active
    FROM counted WINDOW other AS (ORDER BY place)
)
SELECT stage, people, whole AS change_now, before AS change_previous,
    iif(place > 1, people, NULL) AS of_previous_part, from_people AS of_previous_whole,
    iif(is_compared AND place > 1, before, NULL) AS verdict_from_part,
    iif(is_compared, from_before, NULL) AS verdict_from_whole,
    iif(place > 1, whole, NULL) AS verdict_to_part, from_whole AS verdict_to_whole,
    iif(place > 1, people, NULL) AS of_active_part, iif(place > 1, active, NULL) AS of_active_whole,
    from_people - people AS lost
FROM line, period
ORDER BY place
