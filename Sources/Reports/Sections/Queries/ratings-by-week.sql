/*---
page: ratings
place: weeks 2
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
empty: No rating in this period or the one before it.
---*/
WITH week AS (
    SELECT day, is_counted, day."end" <= period."end" AS is_over,
        date(date, '-' || (weekday - 1) || ' days') AS monday
    FROM day, period
    WHERE day."end" > previous_start AND day.start < period."end"
), given AS MATERIALIZED (
    SELECT day, count(*) AS ratings, sum(stars) AS total, sum(stars = 5) AS five,
        sum(stars = 4) AS four, sum(stars = 3) AS three, sum(stars = 2) AS two,
        sum(stars = 1) AS one
    FROM rating, period WHERE at >= previous_start GROUP BY day
), counted AS (
    SELECT monday, iif(max(is_counted) OR count(ratings) > 0, 0, NULL) AS zero,
        sum(is_over) = 7 AS is_whole,
        sum(ratings) AS ratings, sum(total) AS total, sum(five) AS five, sum(four) AS four,
        sum(three) AS three, sum(two) AS two, sum(one) AS one
    FROM week LEFT JOIN given USING (day) GROUP BY monday
)
SELECT monday AS week, ifnull(ratings, zero) AS count, ifnull(total, zero) AS mean_total,
    ifnull(ratings, zero) AS mean_count, ifnull(five, zero) AS stars_5,
    ifnull(four, zero) AS stars_4, ifnull(three, zero) AS stars_3, ifnull(two, zero) AS stars_2,
    ifnull(one, zero) AS stars_1,
    (
        SELECT format('Mean stars: %.2f of %,d %s in the last week%s, ', 1.0 * total / ratings,
            ratings, iif(ratings = 1, 'rating', 'ratings'), iif(is_whole, '', ' so far'))
            || format('%.2f of %,d in the one before.', before, ratings_before)
        FROM (
            SELECT monday, total, ratings, is_whole, lag(1.0 * total / ratings) OVER newer AS before,
                lag(ratings) OVER newer AS ratings_before
            FROM counted WINDOW newer AS (ORDER BY monday)
        )
        WHERE before IS NOT NULL AND ratings > 0 ORDER BY monday DESC LIMIT 1
    ) AS says
FROM counted
WHERE EXISTS (SELECT 1 FROM given)
ORDER BY monday
