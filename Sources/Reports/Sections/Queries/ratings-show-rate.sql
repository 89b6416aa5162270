/*---
page: ratings
place: show-rate 1
after: funnel
title: Who is asked
lead: Events rating_prompt_due say who met the conditions, whether the dialog followed or not. Where an app
  sends none, only people who saw the dialog or answered are known to have met them. The share is then
  near one and no show rate, and the last column has 0.
columns:
  week: {title: Week of, unit: day}
  asked: {title: "Asked, of those who met the conditions", unit: rate}
  own: {title: Opened it themselves, unit: count}
  told: {title: Met them by an event of its own, unit: count}
definitions:
  Met the conditions: More messages sent and received than the threshold, and fewer low ratings than
    the most, as an event of the week tells them; without counters, an event rating_prompt_due, or a
    dialog that did not come from the settings.
  Asked: Saw the dialog then or later, until the end of the period. Of the newest week more may be asked.
  Opened it themselves: People who saw the dialog and did not meet the conditions.
empty: No event of the dialog in this period.
folded: true
---*/
WITH event AS (
    SELECT at, user_id, name = 'rating_prompt_shown' AS is_shown,
        name = 'rating_prompt_due' AS is_told,
        parameters ->> ('$.' || prefix || 'rating_trigger') IS 'settings' AS is_own,
        parameters ->> ('$.' || prefix || 'rating_threshold') AS threshold,
        parameters ->> ('$.' || prefix || 'rating_max_prompts') AS most,
        parameters ->> ('$.' || prefix || 'rating_sent') AS sent,
        parameters ->> ('$.' || prefix || 'rating_received') AS received,
        parameters ->> ('$.' || prefix || 'rating_tries') AS tries
    FROM (
        SELECT at, user_id, name, parameters, ifnull((
            SELECT substr(key, 1, length(key) - 16) FROM json_each(parameters)
            WHERE key GLOB '*rating_threshold'), '') AS prefix
        FROM v_events, period
        WHERE feature IS NULL AND name GLOB 'rating_prompt_*' AND at >= start AND at < "end"
            AND (only_user IS NULL OR user_id = only_user)
    )
), judged AS (
    SELECT *, max(at) FILTER (WHERE is_shown) OVER (PARTITION BY user_id) AS last_shown,
        CASE WHEN threshold + most + sent + received + tries IS NULL
            THEN is_told OR is_shown AND NOT is_own
            ELSE min(sent, received) > threshold AND tries < most END AS is_due
    FROM event
), member AS (
    SELECT monday.date AS week, max(is_shown) AS was_shown, min(at) FILTER (WHERE is_due) AS met_at,
        max(last_shown) AS last_shown, max(is_told AND is_due) AS was_told
    FROM judged JOIN day ON at >= day.start AND at < day."end"
        JOIN day AS monday ON monday.day = day.day - day.weekday + 1
    GROUP BY monday.day, user_id
)
SELECT week, sum(ifnull(last_shown >= met_at, 0)) AS asked_part,
    count(met_at) AS asked_whole, sum(was_shown AND met_at IS NULL) AS own, sum(was_told) AS told
FROM member GROUP BY week ORDER BY week
