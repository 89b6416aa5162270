/*---
page: usage
place: funnel 8
everybody: true
id: funnel-by-criteria
title: By what they filter by
columns:
  criterion: {title: Filtered by, unit: text}
  active: {title: Active, unit: count}
  blocked: {title: "Blocked, of active", unit: rate}
  tapped: {title: "Blocked and tapped, of active", unit: rate}
  subscribed: {title: New subs, unit: count}
empty: No event of this period names what people filter by.
shown: 12
folded: true
---*/
WITH criterion(place, word, title) AS (
    VALUES (1, 'gender', 'Gender'), (2, 'country', 'Country'), (3, 'language', 'Language'),
        (4, 'age', 'Age'), (5, 'nearby', 'Nearby'), (6, '', 'No criterion')
), filtered AS MATERIALIZED (
    -- People who did the same. Each use lies between two blanks: one without a criterion is both.
    SELECT words, stage, count(*) AS people
    FROM (
        SELECT person, group_concat(' ' || criteria || ' ') AS words FROM filter_use
        WHERE is_tap AND segment = 'free_user' GROUP BY person
    ) CROSS JOIN person USING (person)
    WHERE is_active GROUP BY words, stage
)
SELECT title AS criterion,
    sum(people) AS active,
    ifnull(sum(people) FILTER (WHERE stage >= 3), 0) AS blocked_part, sum(people) AS blocked_whole,
    ifnull(sum(people) FILTER (WHERE stage >= 4), 0) AS tapped_part,
    sum(people) AS tapped_whole,
    ifnull(sum(people) FILTER (WHERE stage >= 5), 0) AS subscribed
FROM criterion CROSS JOIN filtered ON instr(words, ' ' || word || ' ')
GROUP BY place
ORDER BY place
