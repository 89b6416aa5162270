/*---
page: limits
place: paywall 3
everybody: true
id: quota-what-if
title: Other quotas
lead: What other quotas would have refused of the moments that free people tried to log, each quota
  alone.
columns:
  quota: {title: Quota, unit: text}
  moments: {title: Moments, unit: count}
  note: {title: Setting, unit: text}
  refused: {title: "Refused, of tries", unit: ratio}
  people: {title: "People refused, of who tried", unit: rate}
definitions:
  Tries: Events moment_added and moment_refused of the period. A try after a refusal counts as one
    that a larger quota would have taken.
  In all: Counted from what the events say that the person had logged before.
  In force: What the quota of now would have refused. The app itself may have refused others, since
    it also knows the moments of a person's other devices, and a quota may have changed meanwhile.
  People: Without those whose events have no id.
empty: No moment was logged in this period.
folded: true
---*/
WITH event AS (
    SELECT id, at, user_id, name = 'moment_refused' AS is_refused, (
            SELECT value FROM json_each(parameters) WHERE key GLOB '*_moments_today') AS today,
        (SELECT value FROM json_each(parameters) WHERE key GLOB '*_moments_total') AS total
    FROM v_events, period
    WHERE feature IS NULL AND (name GLOB 'moment_*' OR name IN ('paywall_shown', 'tier_changed'))
        AND at >= start AND at < "end" AND name IN ('moment_added', 'moment_refused')
        AND user_id <> '' AND parameters GLOB '*_subscription_status":"free"*'
        AND (only_platform IS NULL OR platform IS NULL OR platform = only_platform)
), placed AS MATERIALIZED (
    -- How many of the day, and in all, came before each try.
    SELECT user_id, is_refused, row_number() OVER day - 1 + ifnull(first_value(today) OVER day, 0) AS of_day,
        row_number() OVER all_time - 1 + ifnull(first_value(total) OVER all_time, 0) AS in_all
    FROM (
        SELECT *, (SELECT day FROM day WHERE start <= at ORDER BY start DESC LIMIT 1) AS day
        FROM event
    )
    WINDOW day AS (PARTITION BY user_id, day ORDER BY at, id),
        all_time AS (PARTITION BY user_id ORDER BY at, id)
), in_force(place, quota, moments) AS (
    SELECT column1, column2, value
    FROM (VALUES (1, 'a day', 'moments.freePerDay'), (2, 'in all', 'moments.freeTotal'))
    JOIN setting_in_force ON key = column3
), scenario AS (
    SELECT place, quota, moments, 'in force' AS note FROM in_force
    UNION ALL
    SELECT place, quota, moments - 1, NULL FROM in_force WHERE place = 1 AND moments > 1
    UNION ALL
    SELECT place, quota, moments + 1, NULL FROM in_force WHERE place = 1
    UNION ALL
    SELECT place, quota, moments / 2, NULL FROM in_force WHERE place = 2 AND moments > 1
    UNION ALL
    SELECT place, quota, moments * 2, NULL FROM in_force WHERE moments > 1
), judged AS (
    SELECT scenario.place, quota, moments, note, user_id,
        sum(iif(scenario.place = 1, of_day, in_all) >= moments) AS refused, count(*) AS tries
    FROM scenario CROSS JOIN placed GROUP BY scenario.place, moments, user_id
), line AS MATERIALIZED (
    SELECT place, quota, moments, note, sum(refused) AS refused, sum(tries) AS tries,
        sum(refused > 0) AS people, count(*) AS all_people,
        lead(moments) OVER larger AS next_moments, lead(sum(refused)) OVER larger AS next_refused
    FROM judged GROUP BY place, moments
    WINDOW larger AS (PARTITION BY place ORDER BY moments)
)
SELECT quota, moments, note, refused AS refused_part, tries AS refused_whole,
    people AS people_part, all_people AS people_whole,
    (
        SELECT format('Of %,d tries, ', max(tries)) || group_concat(
            format('%d %s would refuse %,d (%,d of %,d people), and %d would refuse %,d', moments,
                quota, refused, people, all_people, next_moments, next_refused), '; ')
            || format('. In fact %,d were refused.', (SELECT sum(is_refused) FROM placed))
        FROM line WHERE note = 'in force' AND next_moments IS NOT NULL
    ) AS says
FROM line ORDER BY place, moments
