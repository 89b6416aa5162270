/*---
page: ratings
place: app-store 3
id: store-countries
title: By country
columns:
  country: {title: Country, unit: text}
  ratings: {title: In the app, unit: count}
  rating_mean: {title: Mean in the app, unit: mean}
  reviews: {title: App Store, unit: count}
  review_mean: {title: Mean in the App Store, unit: mean}
empty: No country has both ratings and reviews.
counts: records
optional: true
shown: 12
folded: true
---*/
WITH said AS (
    SELECT country, count(*) AS ratings, sum(stars) AS stars FROM rating
    WHERE in_period GROUP BY country
), given AS (
    SELECT code, name, sum(ratings) AS ratings, sum(stars) AS stars
    FROM said JOIN store_country ON said.country = store_country.country COLLATE NOCASE GROUP BY code
), held AS (
    SELECT country AS code, count(*) AS reviews, sum(stars) AS review_stars FROM v_reviews
    GROUP BY country
)
SELECT name AS country, ratings, stars AS rating_mean_total, ratings AS rating_mean_count, reviews,
    review_stars AS review_mean_total, reviews AS review_mean_count
FROM held JOIN given USING (code) ORDER BY reviews DESC, name
