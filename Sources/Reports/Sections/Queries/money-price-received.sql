/*---
page: money
place: payments 7
everybody: true
optional: true
counts: records
id: price-received
title: Price test, by money received
columns:
  price: {title: Price shown, unit: text}
  people: {title: People who saw it, unit: count}
  payers: {title: Paid, unit: rate}
  received: {title: Per person who saw it, unit: money}
definitions:
  Paid: A payment after the first sight of the price.
  Per person who saw it: Prices less refunds of all these payments, divided by the people who saw
    the price, by the currency that they paid in.
empty: No payer has seen a price.
---*/
WITH seen AS (
    SELECT person.user_id, price_seen.price, first FROM price_seen JOIN person USING (person)
), shown AS (
    SELECT price, count(*) AS people FROM seen GROUP BY price
), got AS (
    SELECT seen.price, ifnull(payment.currency, '¤') AS currency, unit,
        count(DISTINCT user_id) AS payers, sum(payment.price - refunded) AS received
    FROM seen JOIN payment USING (user_id)
    WHERE payment.price > 0 AND payment.at >= first GROUP BY seen.price, payment.currency
)
SELECT price, people, payers AS payers_part, people AS payers_whole,
    round(1.0 * received / unit / people, 2) AS received, currency AS received_currency
FROM got JOIN shown USING (price) ORDER BY people DESC, price, currency
