/*---
page: money
place: payments 6
everybody: true
optional: true
counts: records
id: limit-payers
title: Through the limit, by payments
columns:
  way: {title: First payment, unit: text}
  people: {title: People, unit: count}
  paid: {title: Paid, unit: money}
definitions:
  Through the limit: A payment of a person whom a limit blocked before it in the newest 102 days, and
    who tapped to subscribe in between.
  Not through it: Others whose first payment lies in the newest 102 days and who used a limited
    feature before it.
  Paid: Prices less refunds of their payments up to now, by currency.
empty: Nobody's first payment lies in these days.
---*/
WITH first AS (
    SELECT user_id, min(at) AS at FROM payment WHERE price > 0 GROUP BY user_id
), way AS (
    SELECT user_id, EXISTS (
            SELECT 1 FROM block JOIN subscription_tap AS tap USING (person)
            WHERE person = user.person AND tap.at >= block.at AND tap.at <= first.at
        ) AS is_through
    FROM first JOIN person AS user USING (user_id)
    WHERE first.at >= user.first_at
        AND first.at >= (SELECT day.start FROM day JOIN period ON day.day = first_day)
)
SELECT CASE WHEN is_through THEN 'Through the limit' ELSE 'Not through it' END AS way,
    count(DISTINCT user_id) AS people, 1.0 * sum(price - refunded) / unit AS paid,
    ifnull(currency, '¤') AS paid_currency
FROM way JOIN payment USING (user_id) WHERE price > 0
GROUP BY is_through, currency ORDER BY is_through DESC, people DESC, currency
