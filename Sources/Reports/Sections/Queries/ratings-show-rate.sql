/*---
page: ratings
place: show-rate 1
after: funnel
title: Who is asked
lead: Only people with an event of the dialog in the week are counted, so the share is near one unless
  they saw it in another week. It is no share of all who met the conditions; these are not known.
columns:
  week: {title: Week of, unit: day}
  asked: {title: "Asked, of those with an event that met the conditions", unit: rate}
  own: {title: Opened it themselves, unit: count}
definitions:
  Met the conditions: More messages sent and received than the threshold, and fewer low ratings than
    the most, as an event tells them; without counters, a dialog that did not come from the settings.
  Opened it themselves: People who saw the dialog and did not meet the conditions.
empty: No event of the dialog in this period.
folded: true
---*/
WITH event AS (
    SELECT at, user_id, name = 'rating_prompt_shown' AS is_shown,
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
), member AS (
    SELECT monday.date AS week, user_id, max(is_shown) AS was_shown,
        max(CASE WHEN threshold + most + sent + received + tries IS NULL THEN is_shown AND NOT is_own
            ELSE min(sent, received) > threshold AND tries < most END) AS was_due
    FROM event JOIN day ON at >= day.start AND at < day."end"
        JOIN day AS monday ON monday.day = day.day - day.weekday + 1
    GROUP BY monday.day, user_id
)
SELECT week, sum(was_due AND was_shown) AS asked_part, sum(was_due) AS asked_whole,
    sum(was_shown AND NOT was_due) AS own
FROM member GROUP BY week ORDER BY week
