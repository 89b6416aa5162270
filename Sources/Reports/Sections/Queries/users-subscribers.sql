/*---
page: users
place: subscribers 1
after: retention
everybody: true
counts: records
id: subscribers-by-month
section: Subscribers over time
title: Subscribers by month
lead: By the claims of the accounts, as sync-auth saw them change. Months are in UTC.
columns:
  month: {title: Month, unit: text}
  at_start: {title: At the start, unit: count}
  found: {title: Found, unit: count}
  came: {title: Joined, unit: count, bars: true}
  returned: {title: Came back, unit: count}
  changed: {title: Changed, unit: count}
  left: {title: Left, unit: count}
  soon: {title: "Of these, came in the month", unit: count}
  at_end: {title: At the end, unit: count}
  churn: {title: "Churn, of those before", unit: rate}
definitions:
  Found: Subscribers that the first pass found. Their start is not known.
  Joined: For the first time since sync-auth began to read them. The page Money counts new
    subscribers by their events of limited features, so it has fewer, and some days earlier.
  Came back: They had been subscribers before, and had left.
  Left: The claim is gone or names free, or the account is gone.
  Churn: Of the people who were there at the start of the month or were found in it, those who left
    in it, without those who came in the same month. Blank for the first month and the present one,
    because they are incomplete.
empty: No account has had a subscription since sync-auth began to read them.
---*/
WITH RECURSIVE change AS (
    SELECT id, uid, seen_at, strftime('%Y-%m', seen_at / 1000000, 'unixepoch') AS month,
        from_tier IS NULL AS is_found,
        from_tier IN ('lite', 'plus', 'pro') AS was, ifnull(to_tier, 'free') <> 'free' AS is_now
    FROM v_tier_changes, period WHERE seen_at <= now
), last_coming AS (
    SELECT id, month, is_found, was, is_now, EXISTS (
            SELECT 1 FROM change AS before
            WHERE before.uid = change.uid AND before.id < change.id AND before.is_now
        ) AS is_known, (
        SELECT before.month FROM change AS before
        WHERE before.uid = change.uid AND before.id < change.id AND before.is_now
            AND NOT before.is_found AND NOT ifnull(before.was, 0)
        ORDER BY before.id DESC LIMIT 1) IS month AS came_in_month
    FROM change
), moved AS (
    SELECT month, sum(is_found) AS found,
        sum(NOT is_found AND NOT was AND is_now AND NOT is_known) AS came,
        sum(NOT is_found AND NOT was AND is_now AND is_known) AS returned,
        sum(NOT is_found AND was AND is_now) AS changed,
        sum(NOT is_found AND was AND NOT is_now) AS "left",
        sum(NOT is_found AND was AND NOT is_now AND NOT came_in_month) AS left_of_before
    FROM last_coming GROUP BY month
), month AS (
    SELECT min(month) AS month FROM moved
    UNION ALL
    SELECT strftime('%Y-%m', month || '-01', '+1 month') FROM month, period
    WHERE month < strftime('%Y-%m', now / 1000000, 'unixepoch')
), summed AS (
    SELECT month.month, ifnull(found, 0) AS found, ifnull(came, 0) AS came,
        ifnull(returned, 0) AS returned, ifnull(changed, 0) AS changed, ifnull("left", 0) AS "left",
        ifnull(left_of_before, 0) AS left_of_before,
        sum(ifnull(found + came + returned - "left", 0)) OVER (ORDER BY month.month) AS at_end
    FROM month LEFT JOIN moved ON moved.month = month.month
    WHERE month.month IS NOT NULL
)
SELECT month, at_end - found - came - returned + "left" AS at_start, found, came, returned, changed,
    "left", "left" - left_of_before AS soon, at_end,
    CASE WHEN month > (SELECT min(month) FROM change)
        AND month < (SELECT strftime('%Y-%m', now / 1000000, 'unixepoch') FROM period)
        THEN left_of_before END AS churn_part, at_end - came - returned + "left" AS churn_whole
FROM summed ORDER BY month DESC LIMIT 24
