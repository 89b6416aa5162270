/*---
page: ratings
place: groups 1
title: By app version
columns:
  version: {title: Version, unit: text}
  count: {title: Ratings, unit: count, bars: true}
  mean: {title: Mean, unit: mean}
  stars_5: {title: 5 ★, unit: count}
  stars_4: {title: 4 ★, unit: count}
  stars_3: {title: 3 ★, unit: count}
  stars_2: {title: 2 ★, unit: count}
  stars_1: {title: 1 ★, unit: count}
empty: No rating in this period.
shown: 12
---*/
SELECT ifnull(app_version, 'Not told') AS version, count(*) AS count, sum(stars) AS mean_total,
    count(*) AS mean_count, sum(stars = 5) AS stars_5, sum(stars = 4) AS stars_4,
    sum(stars = 3) AS stars_3, sum(stars = 2) AS stars_2, sum(stars = 1) AS stars_1
FROM rating
WHERE in_period
GROUP BY app_version
ORDER BY count DESC, app_version IS NULL, app_version
