/*---
page: ratings
place: funnel 4
id: rating-funnel-thresholds
title: By threshold in force
columns:
  messages: {title: More messages than, unit: count}
  max_prompts: {title: Low ratings, unit: count}
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
SELECT messages, max_prompts, sum(was_shown) AS shown,
    sum(was_put_off) AS later_part, sum(was_shown) AS later_whole,
    sum(was_rated) AS stars_part, sum(was_shown) AS stars_whole,
    sum(is_low AND was_followed) AS feedback_part, sum(is_low) AS feedback_whole,
    sum(is_high AND was_followed) AS store_part, sum(is_high) AS store_whole,
    sum(is_unasked) AS unasked
FROM rating_dialog WHERE in_period GROUP BY messages, max_prompts
ORDER BY messages IS NULL, messages, max_prompts
