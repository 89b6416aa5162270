/*---
page: money
place: payments 10
everybody: true
optional: true
counts: records
id: unrecovered
title: Billing issues that were not recovered
columns:
  user_id: {title: User, unit: user_id}
  in_all: {title: Of all, unit: count}
  product: {title: Product, unit: text}
  since: {title: Since, unit: instant}
  lost: {title: Price of a term, unit: money}
definitions:
  Billing issue: A store could not charge a subscription in the newest 60 days, and no payment has
    come since. Stores try again for up to 60 days.
  What to do: Ask these people to look at their payment details while the store still tries.
empty: No billing issue is open.
shown: 20
folded: true
checks:
  - when: in_all >= 3 AND in_all > 0.05 * payers
    level: warn
    say: "{in_all} billing issues of 60 days were not recovered, such as that of {user_id}."
---*/
WITH issue AS (
    SELECT store, subscription, max(at) AS at, product FROM v_purchases, period
    WHERE kind = 'billing_issue' AND environment = 'production' AND subscription <> ''
        AND at <= now AND at > now - 60 * 86400000000
    GROUP BY store, subscription
), last AS (
    SELECT store, subscription, user_id, max(at) AS at, price, currency, unit FROM payment
    GROUP BY store, subscription
), open AS (
    SELECT ifnull(user_id, issue.subscription) AS user_id, product, issue.at AS since,
        1.0 * price / unit AS lost, ifnull(currency, '¤') AS lost_currency
    FROM issue LEFT JOIN last USING (store, subscription)
    WHERE last.at IS NULL OR last.at < issue.at
)
SELECT user_id, count(*) OVER () AS in_all, product, since, lost, lost_currency, (
        SELECT count(DISTINCT subscription) FROM payment, period
        WHERE price > 0 AND monthly IS NOT NULL AND until > now - 60 * 86400000000) AS payers
FROM open ORDER BY since, user_id LIMIT 1000
