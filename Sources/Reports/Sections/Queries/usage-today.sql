/*---
page: usage
place: today
id: today
section: Today so far
after: days
lead: "{today}"
title: Today so far, and the same hours a week ago
columns:
  what: {title: What, unit: text}
  so_far: {title: Today so far, unit: count}
  week_before: {title: A week ago, unit: count}
  change: {title: Change, unit: change}
empty: Today is not in this period, or nothing is known of it yet.
counts: records
folded: true
optional: true
---*/
WITH span (is_now, start, "end") AS (
    SELECT 1, today_start, today_end FROM period WHERE today_start IS NOT NULL
    UNION ALL
    SELECT 0, today_before_start, today_before_end FROM period WHERE is_today_compared
), side AS MATERIALIZED (
    SELECT is_now, (
        SELECT json_object('People active', count(DISTINCT nullif(user_id, '')),
            'Taps', ifnull(sum(kind = 'button_tapped'), 0),
            'Performed', ifnull(sum(kind = 'performed'), 0),
            'Blocked', ifnull(sum(kind IN ('blocked_limit_reached', 'blocked_cooldown')), 0),
            'Subscription taps', ifnull(sum(kind = 'subscription_button_tapped'), 0))
        FROM v_events WHERE feature IS NOT NULL AND at >= span.start AND at < span."end"
            AND (only_user IS NULL OR user_id = only_user)
            AND (only_platform IS NULL OR platform IS NULL OR platform = only_platform)) AS counts
    FROM span, period
)
SELECT key AS what, ifnull(nullif(sum(value) FILTER (WHERE is_now), 0), zero) AS so_far,
    sum(value) FILTER (WHERE NOT is_now) AS week_before,
    sum(value) FILTER (WHERE is_now) AS change_now,
    sum(value) FILTER (WHERE NOT is_now) AS change_previous
FROM side, json_each(counts), (
    SELECT iif(EXISTS (
            SELECT 1 FROM day, period WHERE NOT is_counted AND day.start <= now AND day."end" > now
        ), NULL, 0) AS zero
) GROUP BY key HAVING so_far IS NOT NULL OR week_before IS NOT NULL
ORDER BY min(json_each.id)
