/*---
page: money
place: payments 5
everybody: true
optional: true
counts: records
id: lifetime
title: Money per payer, by the month of the first payment
columns:
  month: {title: First payment in, unit: text}
  people: {title: Payers, unit: count}
  value: {title: Per payer so far, unit: money}
  value_least: {title: At least, unit: money}
  value_most: {title: At most, unit: money}
definitions:
  Per payer so far: Prices less refunds of all payments up to now, divided by the payers. It is what
    RevenueCat calls realized lifetime value per paying customer, counted from the first payment.
  At least, at most: The mean's interval of 95%, ± 1.96 standard errors. Blank below 30 payers.
empty: Nobody is known to have paid.
folded: true
---*/
WITH payer AS (
    SELECT user_id, ifnull(currency, '¤') AS currency, unit, min(at) AS at,
        1.0 * sum(price - refunded) / unit AS value
    FROM payment WHERE price > 0 GROUP BY user_id, currency
), cohort AS (
    SELECT strftime('%Y-%m', at / 1000000, 'unixepoch') AS month, currency, count(*) AS people,
        avg(value) AS mean, sqrt(max(0, avg(value * value) - avg(value) * avg(value))
            / nullif(count(*) - 1, 0)) AS error
    FROM payer GROUP BY month, currency
)
SELECT month, people, round(mean, 2) AS value, currency AS value_currency,
    CASE WHEN people >= 30 THEN round(max(0, mean - 1.959963985 * error), 2) END AS value_least,
    currency AS value_least_currency,
    CASE WHEN people >= 30 THEN round(mean + 1.959963985 * error, 2) END AS value_most,
    currency AS value_most_currency
FROM cohort ORDER BY month DESC, people DESC, currency LIMIT 48
