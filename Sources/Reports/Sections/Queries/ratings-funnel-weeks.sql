/*---
page: ratings
place: funnel 2
id: rating-funnel-weeks
title: By week
columns:
  week: {title: Week of, unit: day}
  shown: {title: Shown, unit: count, bars: true}
  later: {title: "Later, of shown", unit: ratio}
  stars: {title: "Stars, of shown", unit: ratio}
  feedback: {title: "Feedback, of 1–3 stars", unit: ratio}
  store: {title: "App Store, of 4–5 stars", unit: ratio}
  unasked: {title: Not asked, unit: count}
empty: The dialog was not shown in this period or the one before it.
folded: true
---*/
WITH week AS (
    SELECT day, is_counted, date(date, '-' || (weekday - 1) || ' days') AS monday
    FROM day, period
    WHERE day."end" > previous_start AND day.start < period."end"
), dialog AS MATERIALIZED (
    SELECT day, count(*) AS dialogs, sum(was_shown) AS shown, sum(was_put_off) AS later,
        sum(was_rated) AS stars, sum(is_low) AS low, sum(is_low AND was_followed) AS feedback,
        sum(is_high) AS high, sum(is_high AND was_followed) AS store, sum(is_unasked) AS unasked
    FROM (
        SELECT *, (SELECT day FROM day WHERE start <= at ORDER BY start DESC LIMIT 1) AS day
        FROM rating_dialog
    ) GROUP BY day
), counted AS (
    SELECT monday, iif(max(is_counted) OR count(dialogs) > 0, 0, NULL) AS zero,
        sum(shown) AS shown, sum(later) AS later, sum(stars) AS stars, sum(low) AS low,
        sum(feedback) AS feedback, sum(high) AS high, sum(store) AS store, sum(unasked) AS unasked
    FROM week LEFT JOIN dialog USING (day) GROUP BY monday
)
SELECT monday AS week, ifnull(shown, zero) AS shown, ifnull(later, zero) AS later_part,
    ifnull(shown, zero) AS later_whole, ifnull(stars, zero) AS stars_part,
    ifnull(shown, zero) AS stars_whole, ifnull(feedback, zero) AS feedback_part,
    ifnull(low, zero) AS feedback_whole, ifnull(store, zero) AS store_part,
    ifnull(high, zero) AS store_whole, ifnull(unasked, zero) AS unasked
FROM counted WHERE EXISTS (SELECT 1 FROM dialog) ORDER BY monday
