/*---
page: money
place: payments 9
everybody: true
optional: true
counts: records
id: not-entitled
title: Paid, but not entitled in the app
columns:
  user_id: {title: User, unit: user_id}
  in_all: {title: Of all, unit: count}
  product: {title: Product, unit: text}
  paid_at: {title: Paid, unit: instant}
  paid_until: {title: Paid until, unit: instant}
definitions:
  Paid: A payment covers the time at which the account was read, and came an hour or more before it.
  Not entitled: The account's claim names no tier. Only where the claim of some account names one.
  What to do: The person pays for nothing. Set the claim again, and see why it was not set.
empty: Everybody who pays is entitled.
shown: 20
folded: true
checks:
  - when: in_all > 0
    level: error
    say: "{in_all} people pay and have no tier in the app, such as {user_id}: set their claims."
---*/
WITH missing AS (
    SELECT user_id, product, max(at) AS paid_at, until AS paid_until
    FROM account JOIN payment USING (user_id)
    WHERE ifnull(tier, 'free') = 'free' AND NOT names_other_tier AND price > 0
        AND monthly IS NOT NULL AND at < read_at - 3600000000 AND until > read_at
        AND EXISTS (SELECT 1 FROM account WHERE tier IN ('lite', 'plus', 'pro'))
    GROUP BY user_id
)
SELECT user_id, count(*) OVER () AS in_all, product, paid_at, paid_until
FROM missing ORDER BY paid_at, user_id LIMIT 1000
