/*---
page: ratings
place: stars 1
id: stars
title: Ratings by stars
columns:
  stars: {title: Stars, unit: stars}
  count: {title: Ratings, unit: count}
  share: {title: Share, unit: ratio}
chart:
  form: bars
  series:
    - {column: count, title: Ratings, tone: main}
  unit: ratings
  labels: stars
empty: No rating in this period.
---*/
WITH star(stars) AS (VALUES (5), (4), (3), (2), (1)), given AS (
    SELECT stars, count(*) AS count FROM rating WHERE in_period GROUP BY stars
)
SELECT stars, ifnull(count, 0) AS count, ifnull(count, 0) AS share_part,
    sum(count) OVER () AS share_whole,
    (
        SELECT format('%,d of %,d ratings have four or five stars and lead to the App Store, %,d have '
            || 'three or fewer and ask for feedback.', ifnull(sum(count) FILTER (WHERE stars > 3), 0),
            sum(count), ifnull(sum(count) FILTER (WHERE stars < 4), 0))
        FROM given
    ) AS says
FROM star LEFT JOIN given USING (stars)
WHERE EXISTS (SELECT 1 FROM given) ORDER BY stars DESC
