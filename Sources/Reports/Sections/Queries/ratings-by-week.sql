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
    SELECT day, is_known, date(date, '-' || (weekday - 1) || ' days') AS monday
    FROM day, period
    WHERE day."end" > previous_start AND day.start < period."end"
), given AS (
    SELECT rating.* FROM rating, period WHERE at >= previous_start
), counted AS (
    SELECT monday, count(stars) AS ratings, max(is_known) OR count(stars) > 0 AS is_known,
        sum(stars) AS total, sum(stars = 5) AS five, sum(stars = 4) AS four, sum(stars = 3) AS three,
        sum(stars = 2) AS two, sum(stars = 1) AS one
    FROM week LEFT JOIN given USING (day) GROUP BY monday
)
SELECT monday AS week, CASE WHEN is_known THEN ratings END AS count,
    CASE WHEN is_known THEN ifnull(total, 0) END AS mean_total,
    CASE WHEN is_known THEN ratings END AS mean_count,
    CASE WHEN is_known THEN ifnull(five, 0) END AS stars_5,
    CASE WHEN is_known THEN ifnull(four, 0) END AS stars_4,
    CASE WHEN is_known THEN ifnull(three, 0) END AS stars_3,
    CASE WHEN is_known THEN ifnull(two, 0) END AS stars_2,
    CASE WHEN is_known THEN ifnull(one, 0) END AS stars_1
FROM counted
WHERE EXISTS (SELECT 1 FROM given)
ORDER BY monday
