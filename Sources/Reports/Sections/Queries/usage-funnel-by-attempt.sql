/*---
page: usage
place: funnel 5
everybody: true
id: funnel-by-attempt
title: By uses left
columns:
  left: {title: Popup with, unit: text}
  people: {title: People who saw it, unit: count}
  tapped: {title: Tapped to subscribe on it, unit: rate}
definitions:
  Popup with: usage_limit minus current_usage of the popup's event, for free users.
  Tapped to subscribe on it: Of the people who saw it, those who tapped with the same number left.
empty: No popup says how many uses were left.
shown: 12
folded: true
---*/
WITH by_person AS (
    SELECT uses_left, person, max(NOT is_tap) AS saw, max(is_tap) AS tapped
    FROM offer GROUP BY person, uses_left
)
SELECT CASE uses_left WHEN 0 THEN 'no use left: blocked' WHEN 1 THEN '1 use left'
        ELSE uses_left || ' uses left' END AS left,
    sum(saw) AS people, sum(saw AND tapped) AS tapped_part, sum(saw) AS tapped_whole
FROM by_person
GROUP BY uses_left
HAVING sum(saw) > 0
ORDER BY uses_left
