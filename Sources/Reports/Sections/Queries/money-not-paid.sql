/*---
page: money
place: payments 8
everybody: true
optional: true
counts: records
id: not-paid
title: Entitled in the app, but not paid
columns:
  user_id: {title: User, unit: user_id}
  in_all: {title: Of all, unit: count}
  tier: {title: Tier, unit: text}
  paid_until: {title: Paid until, unit: instant}
  product: {title: Last product, unit: text}
definitions:
  Entitled: The account's claim names a tier that costs money, as sync-auth has read it.
  Not paid: No payment, trial, gift or grace period covers the day before the account was read. What
    was bought once, without an end, covers all that comes.
  What to do: Look the person up in the store or in RevenueCat. If nothing was paid, take the claim
    away, or have whatever sets it set it again.
empty: Everybody whose account names a tier has paid.
shown: 20
folded: true
checks:
  - when: in_all > 0
    level: warn
    say: "{in_all} accounts have a tier that nobody pays for, such as {user_id}: see in the store."
---*/
WITH cover AS (
    SELECT user_id, max(paid_until) AS paid_until, product FROM (
        -- What was bought once, without an end, is for ever.
        SELECT user_id, CASE WHEN until IS NOT NULL THEN until WHEN kind = 'one_time' THEN 9e18
            ELSE at END AS paid_until, product
        FROM payment WHERE refunded_at IS NULL OR refunded < price
        UNION ALL
        SELECT ifnull(user_id, person), paid_until, product
        FROM v_purchases LEFT JOIN (
            SELECT DISTINCT store, subscription, user_id FROM payment) USING (store, subscription)
        WHERE kind IN ('billing_issue', 'extended') AND environment = 'production'
            AND paid_until IS NOT NULL
    ) GROUP BY user_id
), missing AS (
    SELECT account.user_id, tier, paid_until, product
    FROM account LEFT JOIN cover USING (user_id)
    WHERE tier IN ('lite', 'plus', 'pro') AND EXISTS (SELECT 1 FROM payment)
        AND ifnull(paid_until, 0) < read_at - 86400000000
)
SELECT user_id, count(*) OVER () AS in_all,
    CASE tier WHEN 'lite' THEN 'Lite' WHEN 'plus' THEN 'Plus' ELSE 'Pro' END AS tier, paid_until,
    product
FROM missing ORDER BY paid_until DESC, user_id LIMIT 1000
