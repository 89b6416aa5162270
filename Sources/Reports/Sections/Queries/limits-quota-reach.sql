/*---
page: limits
place: paywall 2
everybody: true
id: quota-reach
title: Who reaches the quota
columns:
  quota: {title: Quota, unit: text}
  reached: {title: "Reached it, of the people who logged moments", unit: rate}
definitions:
  Reached it: Of the free people with a moment that was added or refused in this period, those with
    one that was refused because of the quota; without those whose events have no id.
empty: No moment was logged in this period.
---*/
WITH event AS (
    SELECT user_id, name = 'moment_refused' AS is_refused, parameters FROM v_events, period
    WHERE feature IS NULL AND (name GLOB 'moment_*' OR name IN ('paywall_shown', 'tier_changed'))
        AND at >= start AND at < "end" AND name IN ('moment_added', 'moment_refused')
        AND user_id <> '' AND parameters GLOB '*_subscription_status":"free"*'
        AND (only_platform IS NULL OR platform IS NULL OR platform = only_platform)
), member AS (
    SELECT user_id, max(is_refused AND parameters GLOB '*"daily_limit_reached"*') AS daily,
        max(is_refused AND parameters GLOB '*"total_limit_reached"*') AS total
    FROM event GROUP BY user_id
)
SELECT 'a day' AS quota, sum(daily) AS reached_part, count(*) AS reached_whole
FROM member HAVING count(*) > 0
UNION ALL SELECT 'in all', sum(total), count(*) FROM member HAVING count(*) > 0
