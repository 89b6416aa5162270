/*---
page: money
place: price-test 3
everybody: true
id: price-test
title: People by the price they saw
columns:
  price: {title: Price, unit: text}
  people: {title: Shown, unit: count}
  tapped: {title: Tapped, unit: rate}
  subscribed: {title: New subs, unit: rate}
  low: {title: "Per person, at least", unit: money}
  revenue: {title: Estimate, unit: money}
  high: {title: At most, unit: money}
  told: {title: Note, unit: text, wraps: true}
definitions:
  Shown: People who do not subscribe, by the only price (subscription_price_displayed) that they saw
    in pricing_displayed of the newest 102 days and in popups of the period. A price that only a tap
    has was not seen. People who saw several prices are only in the last row.
  Sample: From 10,000,000 events in the ledger on, one in 16 people, here and in the tables below.
  Tapped, new subs: At or after the first time that the person saw the price.
  Per person: The first term's income for each person who saw the price. It is the price times the
    share of new subscribers, with that share's range.
empty: No event has a price.
folded: true
---*/
WITH side AS (
    SELECT price, amount, currency, count(*) AS n, sum(has_tapped) AS tapped,
        sum(has_subscribed) AS subscribed, 1.0 * sum(has_subscribed) / count(*) AS p
    FROM price_seen GROUP BY price
), bound AS (
    SELECT *, 1.959963985 * sqrt(p * (1 - p) / n + 0.960364705 / n / n) / (1 + 3.841458821 / n)
            AS reach,
        (p + 1.920729410 / n) / (1 + 3.841458821 / n) AS centre
    FROM side
)
SELECT price, n AS people, tapped AS tapped_part, n AS tapped_whole,
    subscribed AS subscribed_part, n AS subscribed_whole,
    round(amount * max(0, centre - reach), 4) AS low, currency AS low_currency,
    round(amount * p, 4) AS revenue, currency AS revenue_currency,
    round(amount * min(1, centre + reach), 4) AS high, currency AS high_currency,
    CASE WHEN amount IS NULL THEN 'Not one number above 0, so no price.'
        WHEN currency = '¤' THEN 'The price names no currency.' END AS told,
    n AS place
FROM bound
UNION ALL
SELECT 'several', count(*), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
    'Saw several prices: in no comparison.', -1
FROM (
    SELECT person FROM price_day WHERE NOT is_tap
    GROUP BY person HAVING min(price) < max(price)
) HAVING count(*) > 0
ORDER BY place DESC, price
