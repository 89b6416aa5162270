/*---
page: ratings
place: weeks 1
title: Mean stars by week
columns:
  week: {title: Week of, unit: day}
  count: {title: Ratings, unit: count, bars: true}
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
  unit: mean stars
  labels: week
  from: 1
  to: 5
  table: true
empty: No rating in this period or the one before it.
---*/
WITH week AS (
    SELECT day, date(date, '-' || (weekday - 1) || ' days') AS monday
    FROM day, period WHERE day."end" > ifnull(before_start, period.start) AND day.start < period."end"
), given AS (
    SELECT rating.* FROM rating, period WHERE at >= ifnull(before_start, period.start)
)
SELECT monday AS week, count(stars) AS count, ifnull(sum(stars), 0) AS mean_total,
    count(stars) AS mean_count, ifnull(sum(stars = 5), 0) AS stars_5,
    ifnull(sum(stars = 4), 0) AS stars_4, ifnull(sum(stars = 3), 0) AS stars_3,
    ifnull(sum(stars = 2), 0) AS stars_2, ifnull(sum(stars = 1), 0) AS stars_1
FROM week LEFT JOIN given USING (day)
WHERE EXISTS (SELECT 1 FROM given)
GROUP BY monday
ORDER BY monday
