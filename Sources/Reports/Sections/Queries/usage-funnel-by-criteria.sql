/*---
page: usage
place: funnel 6
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
), used AS (
    SELECT DISTINCT person, criteria FROM filter_use WHERE is_tap AND segment = 'free_user'
), filtered AS (
    SELECT DISTINCT place, title, person
    FROM used JOIN criterion ON CASE word WHEN '' THEN criteria = ''
        ELSE instr(' ' || criteria || ' ', ' ' || word || ' ') END
)
SELECT title AS criterion,
    count(*) AS active,
    sum(saw_popup AND was_blocked) AS blocked_part, count(*) AS blocked_whole,
    sum(saw_popup AND was_blocked AND tapped_after_block) AS tapped_part,
    count(*) AS tapped_whole,
    sum(saw_popup AND was_blocked AND tapped_after_block AND subscribed_after_tap) AS subscribed
FROM filtered JOIN person USING (person)
WHERE is_active
GROUP BY place
ORDER BY place
