/*---
page: ratings
place: app-store 2
id: store-versions
title: By app version
columns:
  version: {title: Version, unit: text}
  ratings: {title: In the app, unit: count}
  rating_mean: {title: Mean in the app, unit: mean}
  reviews: {title: App Store, unit: count}
  review_mean: {title: Mean in the App Store, unit: mean}
definitions:
  App Store: All reviews in the workspace, beside the ratings of this period in the app. The App
    Store's own average also counts ratings without a review. Its feed does not have them.
empty: No version has both ratings and reviews.
counts: records
optional: true
shown: 12
folded: true
---*/
WITH given AS (
    SELECT app_version AS version, count(*) AS ratings, sum(stars) AS stars FROM rating
    WHERE in_period GROUP BY app_version
), held AS (
    SELECT version, count(*) AS reviews, sum(stars) AS review_stars FROM v_reviews
    WHERE version <> '' GROUP BY version
)
SELECT version, ratings, stars AS rating_mean_total, ratings AS rating_mean_count, reviews,
    review_stars AS review_mean_total, reviews AS review_mean_count
FROM held JOIN given USING (version) ORDER BY reviews DESC, version
