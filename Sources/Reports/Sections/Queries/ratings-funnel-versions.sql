/*---
page: ratings
place: funnel 3
id: rating-funnel-versions
title: By app version
columns:
  version: {title: Version, unit: text}
  shown: {title: Shown, unit: count, bars: true}
  later: {title: "Later, of shown", unit: ratio}
  stars: {title: "Stars, of shown", unit: ratio}
  feedback: {title: "Feedback, of 1–3 stars", unit: ratio}
  store: {title: "App Store, of 4–5 stars", unit: ratio}
  unasked: {title: Not asked, unit: count}
empty: The dialog was not shown in this period.
shown: 12
folded: true
---*/
SELECT ifnull(app_version, 'Not told') AS version, sum(was_shown) AS shown,
    sum(was_put_off) AS later_part, sum(was_shown) AS later_whole,
    sum(was_rated) AS stars_part, sum(was_shown) AS stars_whole,
    sum(is_low AND was_followed) AS feedback_part, sum(is_low) AS feedback_whole,
    sum(is_high AND was_followed) AS store_part, sum(is_high) AS store_whole,
    sum(is_unasked) AS unasked
FROM rating_dialog WHERE in_period GROUP BY app_version
ORDER BY shown DESC, app_version IS NULL, app_version
