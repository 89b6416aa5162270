/*---
page: money
place: price-test 3
everybody: true
id: price-revenue
title: What a person shown brings
columns:
  cheaper: {title: Lower price, unit: text}
  first: {title: It brings, unit: money}
  dearer: {title: Higher price, unit: text}
  second: {title: It brings, unit: money}
  low: {title: "Difference, at least", unit: money}
  difference: {title: Difference, unit: money}
  high: {title: At most, unit: money}
  verdict: {title: Is, unit: text}
  until: {title: Until an answer, unit: text, wraps: true}
definitions:
  It brings: The first term's price times the share of new subscribers; of the people and times of the
    table above. Renewals, refunds and the store's share are not in it.
  Difference: The second less the first, with Newcombe's interval, each share times its price (Zou and
    Donner's MOVER).
empty: No two prices of one currency and term were shown to people who saw one alone.
---*/
WITH side AS (
    SELECT price_pair.*, cheaper_amount AS a1, dearer_amount AS a2,
        max(1, (finish - start) / 86400000000.0) AS days,
        count(*) FILTER (WHERE price = cheaper) AS n1,
        count(*) FILTER (WHERE price = dearer) AS n2,
        ifnull(sum(has_subscribed) FILTER (WHERE price = cheaper), 0) AS k1,
        ifnull(sum(has_subscribed) FILTER (WHERE price = dearer), 0) AS k2
    FROM price_seen JOIN price_pair ON price IN (cheaper, dearer) AND first BETWEEN start AND finish
), share AS (
    SELECT *, 1.0 * k1 / n1 AS p1, 1.0 * k2 / n2 AS p2,
        1.959963985 * sqrt(1.0 * k1 * (n1 - k1) / n1 / n1 / n1 + 0.960364705 / n1 / n1)
            / (1 + 3.841458821 / n1) AS reach1,
        (1.0 * k1 / n1 + 1.920729410 / n1) / (1 + 3.841458821 / n1) AS centre1,
        1.959963985 * sqrt(1.0 * k2 * (n2 - k2) / n2 / n2 / n2 + 0.960364705 / n2 / n2)
            / (1 + 3.841458821 / n2) AS reach2,
        (1.0 * k2 / n2 + 1.920729410 / n2) / (1 + 3.841458821 / n2) AS centre2
    FROM side WHERE n1 > 0 AND n2 > 0
), answer AS (
    SELECT *, a2 * p2 - a1 * p1 AS d,
        a2 * p2 - a1 * p1 - sqrt(
            pow(a2 * (p2 - centre2 + reach2), 2) + pow(a1 * (centre1 + reach1 - p1), 2)) AS low,
        a2 * p2 - a1 * p1 + sqrt(
            pow(a2 * (centre2 + reach2 - p2), 2) + pow(a1 * (p1 - centre1 + reach1), 2)) AS high,
        days * 7.848879734 * (a1 * a1 * p1 * (1 - p1) / n1 + a2 * a2 * p2 * (1 - p2) / n2)
            / nullif(pow(a2 * p2 - a1 * p1, 2), 0) - days AS rest
    FROM share
)
SELECT cheaper, round(a1 * p1, 4) AS first, currency AS first_currency,
    dearer, round(a2 * p2, 4) AS second, currency AS second_currency,
    round(low, 4) AS low, currency AS low_currency, round(d, 4) AS difference,
    currency AS difference_currency, round(high, 4) AS high, currency AS high_currency,
    CASE WHEN low > 0 THEN 'higher' WHEN high < 0 THEN 'lower' ELSE 'not proven' END AS verdict,
    CASE WHEN low > 0 OR high < 0 THEN 'There is a difference.'
        WHEN min(n1, n2) < 30 THEN 'Under 30 people a side.'
        WHEN rest IS NULL THEN 'None in sight: no difference so far.'
        WHEN rest > 365 THEN 'More than a year.'
        WHEN rest <= 1 THEN 'About 1 more day.'
        ELSE format('About %,d more days.', ceil(rest)) END AS until
FROM answer
