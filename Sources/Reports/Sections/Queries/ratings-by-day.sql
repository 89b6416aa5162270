/*---
page: ratings
place: weeks 1
id: ratings-by-day
title: Mean stars of the newest days
columns:
  day: {title: Day, unit: day}
  count: {title: Ratings, unit: count}
  mean: {title: Mean, unit: mean}
  stars_5: {title: 5 ★, unit: count}
  stars_4: {title: 4 ★, unit: count}
  stars_3: {title: 3 ★, unit: count}
  stars_2: {title: 2 ★, unit: count}
  stars_1: {title: 1 ★, unit: count}
chart:
  form: line
  series:
    - {column: mean, title: Mean stars, tone: main}
  unit: mean stars a day
  labels: day
  from: 1
  to: 5
definitions:
  Usual: What eight of ten such days have, by the same weekdays of six weeks. Days with fewer than 8
    ratings have no such range.
empty: None of these days is known.
counts: records
---*/
SELECT date AS day, ratings AS count, ratings AS mean_count,
    stars_1 + 2 * stars_2 + 3 * stars_3 + 4 * stars_4 + 5 * stars_5 AS mean_total,
    stars_5, stars_4, stars_3, stars_2, stars_1, ratings IS NULL AS is_gap
FROM (SELECT *, stars_1 + stars_2 + stars_3 + stars_4 + stars_5 AS ratings FROM newest_day)
    JOIN day USING (day)
ORDER BY day.day
