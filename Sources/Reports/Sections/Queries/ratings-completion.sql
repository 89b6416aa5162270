/*---
page: ratings
place: funnel 7
id: completion
title: After the stars
columns:
  stars: {title: Stars, unit: stars, leading: true}
  follows: {title: What follows, unit: text}
  ratings: {title: Ratings, unit: count}
  completed: {title: "Completed, of ratings", unit: ratio}
  without_rating: {title: Without a rating, unit: count}
definitions:
  Completed: For four and five stars, the event that the app logs after it has shown the App Store's
    dialog. Only the App Store knows whether a review was written. For one to three stars, a
    feedback text, own or foreign. Each document counts once.
  Without a rating: Texts and visits without a rating in the period. Their rating events came
    earlier or are not in the ledger.
empty: No rating in this period.
folded: true
---*/
WITH followed AS (
    -- A key or text of a parameter, such as rating_ChatHub_5_after_1: a visit to the App Store.
    SELECT (
        SELECT CAST(substr(stem, -8, 1) AS INTEGER) FROM (
            SELECT key AS word, rtrim(key, '0123456789') AS stem FROM json_each(parameters)
            UNION ALL
            SELECT value, rtrim(value, '0123456789') FROM json_each(parameters)
        ) WHERE stem <> word AND stem GLOB 'rating_*_[1-5]_after_' LIMIT 1
    ) AS given, user_id
    FROM v_events
    WHERE stars IS NULL AND name = 'app_events' AND parameters GLOB '*"rating_*_after_*'
        AND at >= (SELECT start FROM period) AND at < (SELECT "end" FROM period) AND given > 3
        AND ifnull(platform = (SELECT only_platform FROM period), 1)
    UNION ALL
    SELECT stars, user_id FROM feedback_text, period
    WHERE stars <= 3 AND at >= start AND at < "end" AND at <= now
), counted AS (
    SELECT given AS stars, 0 AS ratings, count(*) AS follows FROM followed, period
    WHERE only_user IS NULL OR user_id = only_user GROUP BY given
    UNION ALL
    SELECT stars, count(*), 0 FROM rating WHERE in_period GROUP BY stars
    UNION ALL VALUES (5, 0, 0), (4, 0, 0), (3, 0, 0), (2, 0, 0), (1, 0, 0)
), summed AS (
    SELECT stars, sum(ratings) AS ratings, sum(follows) AS follows FROM counted GROUP BY stars
)
SELECT stars, iif(stars > 3, 'App Store', 'Feedback') AS follows, ratings,
    min(summed.follows, ratings) AS completed_part, ratings AS completed_whole,
    max(0, summed.follows - ratings) AS without_rating
FROM summed WHERE (SELECT count(*) FROM counted) > 5 ORDER BY stars DESC
