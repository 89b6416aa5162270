/*---
page: ratings
place: funnel 6
title: Who is asked
columns:
  week: {title: Week of, unit: day}
  asked: {title: "Asked, of those who met the conditions", unit: rate}
  own: {title: Opened it themselves, unit: count}
  told: {title: Met them by a rating_prompt_due, unit: count}
definitions:
  Events rating_prompt_due: They say who met the conditions, whether the dialog followed or not. If an
    app sends none, only people who saw the dialog or answered are known to have met them. Then the
    share is near one and means little, and the last column has 0.
  Met the conditions: More messages sent and received than the threshold, and fewer low ratings than
    the maximum, by an event of the week. Without counters, an event rating_prompt_due, or a dialog
    that was not opened from the settings.
  Asked: Saw the dialog then or later, until the end of the period. More people of the newest week
    may still be asked.
  Opened it themselves: People who saw the dialog and did not meet the conditions.
empty: No event of the dialog in this period.
folded: true
---*/
WITH said AS MATERIALIZED (
    SELECT user_id, at, is_due, event = 'rating_prompt_shown' AS is_shown,
        event = 'rating_prompt_due' AS is_told,
        (
            SELECT day - weekday + 1 FROM day WHERE start <= at ORDER BY start DESC LIMIT 1
        ) AS monday
    FROM rating_question WHERE event IS NOT NULL
), shown AS (
    SELECT user_id, max(at) AS last_shown FROM said WHERE is_shown GROUP BY user_id
), member AS (
    SELECT user_id, monday, max(is_shown) AS was_shown, min(at) FILTER (WHERE is_due) AS met_at,
        max(is_told AND is_due) AS was_told
    FROM said GROUP BY user_id, monday
)
SELECT day.date AS week, sum(ifnull(last_shown >= met_at, 0)) AS asked_part,
    count(met_at) AS asked_whole, sum(was_shown AND met_at IS NULL) AS own, sum(was_told) AS told
FROM member JOIN day ON day.day = monday LEFT JOIN shown USING (user_id)
GROUP BY monday ORDER BY monday
