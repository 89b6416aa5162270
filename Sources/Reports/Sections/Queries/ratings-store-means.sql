/*---
page: ratings
place: app-store 1
id: store-means
section: In the App Store
after: groups
title: In the app and in the App Store
columns:
  place: {title: Where, unit: text}
  count: {title: Ratings, unit: count}
  mean: {title: Mean, unit: mean}
  stars_5: {title: 5 ★, unit: count}
  stars_4: {title: 4 ★, unit: count}
  stars_3: {title: 3 ★, unit: count}
  stars_2: {title: 2 ★, unit: count}
  stars_1: {title: 1 ★, unit: count}
empty: The App Store shows no review of the app.
counts: records
optional: true
---*/
WITH given(side, stars) AS (
    SELECT iif(in_period, 1, 2), stars FROM rating WHERE in_period OR in_before
    UNION ALL
    SELECT 3, stars FROM v_reviews, period WHERE updated_at >= start AND updated_at < "end"
    UNION ALL
    SELECT 4, stars FROM v_reviews, period WHERE updated_at >= before_start AND updated_at < before_end
    UNION ALL
    SELECT 5, stars FROM v_reviews
), compared AS (
    SELECT avg(stars) FILTER (WHERE side = 1) AS in_app, sum(side = 1) AS ratings,
        avg(stars) FILTER (WHERE side = 3) AS in_store, sum(side = 3) AS reviews
    FROM given HAVING sum(side = 1) > 0 AND sum(side = 3) > 0
), named(side, place) AS (
    VALUES (1, 'In the app, this period'), (2, 'In the app, before'), (3, 'App Store, this period'),
        (4, 'App Store, before'), (5, 'App Store, all that is held')
)
SELECT place, count(stars) AS count, ifnull(sum(stars), 0) AS mean_total, count(stars) AS mean_count,
    count(*) FILTER (WHERE stars = 5) AS stars_5,
    count(*) FILTER (WHERE stars = 4) AS stars_4,
    count(*) FILTER (WHERE stars = 3) AS stars_3,
    count(*) FILTER (WHERE stars = 2) AS stars_2,
    count(*) FILTER (WHERE stars = 1) AS stars_1,
    (
        SELECT format('This period: in the app a mean of %.2f of %,d, in the App Store %.2f of %,d%s.',
            in_app, ratings, in_store, reviews,
            iif(min(ratings, reviews) < 30, ': too few to compare', ''))
        FROM compared
    ) AS says
FROM named LEFT JOIN given USING (side)
WHERE EXISTS (SELECT 1 FROM v_reviews) GROUP BY named.side ORDER BY named.side
