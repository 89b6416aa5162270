/*---
page: ratings
place: groups 3
title: By platform
columns:
  platform: {title: Platform, unit: text}
  count: {title: Ratings, unit: count, bars: true}
  mean: {title: Mean, unit: mean}
  stars_5: {title: 5 ★, unit: count}
  stars_4: {title: 4 ★, unit: count}
  stars_3: {title: 3 ★, unit: count}
  stars_2: {title: 2 ★, unit: count}
  stars_1: {title: 1 ★, unit: count}
empty: No rating in this period.
folded: true
optional: true
---*/
SELECT ifnull(platform, 'Not told') AS platform, count(*) AS count, sum(stars) AS mean_total,
    count(*) AS mean_count, sum(stars = 5) AS stars_5, sum(stars = 4) AS stars_4,
    sum(stars = 3) AS stars_3, sum(stars = 2) AS stars_2, sum(stars = 1) AS stars_1,
    (
        SELECT 'Mean stars: ' || group_concat(format('%s %.2f of %,d', platform, mean, given), ', ')
            || iif(min(given) < 30, ': too few to compare', '') || '.'
        FROM (
            SELECT platform, avg(stars) AS mean, count(*) AS given FROM rating
            WHERE in_period AND platform IS NOT NULL GROUP BY platform ORDER BY given DESC, platform
        ) HAVING count(*) > 1
    ) AS says
FROM rating
WHERE in_period AND (SELECT only_platform FROM period) IS NULL
    AND (SELECT count(DISTINCT ifnull(own.platform, '')) FROM rating AS own WHERE own.in_period) > 1
GROUP BY rating.platform
ORDER BY count DESC, platform IS NULL, platform
