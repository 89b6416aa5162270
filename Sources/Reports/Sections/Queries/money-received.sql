/*---
page: money
place: payments 2
everybody: true
optional: true
counts: records
id: received
title: Money by month and currency
columns:
  month: {title: Month, unit: text}
  payments: {title: Payments, unit: count}
  paid: {title: Paid, unit: money}
  refunds: {title: Refunds, unit: count}
  refunded: {title: Refunded, unit: money}
  proceeds: {title: Proceeds, unit: money}
definitions:
  Paid: The prices of the payments of the month, with one-time purchases.
  Refunded: What was given back in the month, of any month's payments.
  Proceeds: What is left of the month's payments after taxes and the store's share, as RevenueCat
    estimates it, less the same of the refunds. Blank when no payment of the month says it.
  Currency: As people paid. Currencies are never added up.
empty: No payment is known.
folded: true
---*/
WITH moved AS (
    SELECT strftime('%Y-%m', at / 1000000, 'unixepoch') AS month, ifnull(currency, '¤') AS currency,
        unit, 1 AS payments, price AS paid, 0 AS refunds, 0 AS refunded, proceeds
    FROM payment WHERE price > 0
    UNION ALL
    SELECT strftime('%Y-%m', refunded_at / 1000000, 'unixepoch'), ifnull(currency, '¤'), unit, 0, 0,
        1, refunded, -round(1.0 * proceeds * refunded / price)
    FROM payment WHERE price > 0 AND refunded > 0
)
SELECT month, sum(payments) AS payments, 1.0 * sum(paid) / unit AS paid, currency AS paid_currency,
    sum(refunds) AS refunds, 1.0 * sum(refunded) / unit AS refunded,
    currency AS refunded_currency, 1.0 * sum(proceeds) / unit AS proceeds,
    currency AS proceeds_currency
FROM moved GROUP BY month, currency ORDER BY month DESC, sum(payments) DESC, currency
