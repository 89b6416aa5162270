/*---
page: money
place: base 2
everybody: true
replaces: money/base
id: paying
title: Who pays, and what that is in a month
counts: records
columns:
  product: {title: Product, unit: text}
  people: {title: People, unit: count}
  price: {title: Price, unit: money}
  monthly: {title: Per month, unit: money}
definitions:
  People: People with a payment whose time is not over, each once a row. Trials, grace periods and
    gifts are not in it.
  Price: Of a term, when all of them pay the same.
  Per month: The price divided by the months of the term. Taxes and the store's share are in it.
  Currency: As people pay. Currencies are never added up.
empty: Nobody pays.
---*/
WITH paying AS (
    SELECT payment.*, ifnull(currency, '¤') AS money FROM payment, period
    WHERE price > 0 AND monthly IS NOT NULL AND at <= now AND until > now
), line AS (
    SELECT 0 AS is_total, product, count(DISTINCT user_id) AS people,
        CASE WHEN min(price) = max(price) THEN 1.0 * min(price) / unit END AS price,
        sum(1.0 * monthly / unit) AS monthly, money
    FROM paying GROUP BY product, money
    UNION ALL
    SELECT 1, 'All in ' || money, count(DISTINCT user_id), NULL, sum(1.0 * monthly / unit), money
    FROM paying GROUP BY money
)
SELECT product, people, price, money AS price_currency, round(monthly, 2) AS monthly,
    money AS monthly_currency, is_total, (
        SELECT format('%,d %s: ', count(DISTINCT user_id),
            iif(count(DISTINCT user_id) = 1, 'person pays', 'people pay')) FROM paying
    ) || (
        SELECT group_concat(format('%,d %s', round(monthly), money), ', ') FROM line WHERE is_total
    ) || ' a month.' AS index_says
FROM line
UNION ALL
SELECT 'Nobody pays now', 0, NULL, '¤', NULL, '¤', 0, 'Nobody pays now.'
WHERE NOT EXISTS (SELECT 1 FROM paying) AND EXISTS (SELECT 1 FROM payment WHERE price > 0)
ORDER BY is_total, people DESC, product, monthly_currency
