/*---
page: money
place: price-test 2
everybody: true
id: price-answer
title: The two prices that most people saw
columns:
  measure: {title: People who, unit: text}
  first: {title: Lower price, unit: rate}
  second: {title: Higher price, unit: rate}
  difference: {title: Difference, unit: points}
  verdict: {title: Is, unit: text}
  until: {title: Answer, unit: text, wraps: true}
definitions:
  The two prices: Of the currency and term whose prices most people saw, two amounts. Beside, when
    in the time in which both were shown, a day or more, two people of one day saw different prices
    more than half as often as by lot; of the people who first saw theirs in that time. Else of all,
    and whatever else changed from one time to the other is in the difference, too. Prices by country
    are such a difference, and no test.
  Difference: The second share less the first, in points, with Newcombe's interval.
  Answer: The days until four of five such tests would prove this difference, if as many people a
    day are shown the prices as so far; none with fewer than 30 people on a side.
    Who looks daily and stops at the first proof is wrong more often than one time in 20.
empty: No two prices of one currency and term were shown to people who saw one alone.
---*/
WITH side AS (
    SELECT price_pair.*, max(1, (finish - start) / 86400000000.0) AS days,
        count(*) FILTER (WHERE price = cheaper) AS n1,
        count(*) FILTER (WHERE price = dearer) AS n2,
        ifnull(sum(has_tapped) FILTER (WHERE price = cheaper), 0) AS t1,
        ifnull(sum(has_tapped) FILTER (WHERE price = dearer), 0) AS t2,
        ifnull(sum(has_subscribed) FILTER (WHERE price = cheaper), 0) AS s1,
        ifnull(sum(has_subscribed) FILTER (WHERE price = dearer), 0) AS s2
    FROM price_seen JOIN price_pair ON price IN (cheaper, dearer) AND first BETWEEN start AND finish
), measure AS (
    SELECT 1 AS place, 'tapped to subscribe' AS measure, n1, n2, t1 AS k1, t2 AS k2, side.*
    FROM side WHERE n1 > 0 AND n2 > 0
    UNION ALL
    SELECT 2, 'are new subscribers', n1, n2, s1, s2, side.* FROM side WHERE n1 > 0 AND n2 > 0
), share AS (
    SELECT *, 1.0 * k1 / n1 AS p1, 1.0 * k2 / n2 AS p2,
        1.959963985 * sqrt(1.0 * k1 * (n1 - k1) / n1 / n1 / n1 + 0.960364705 / n1 / n1)
            / (1 + 3.841458821 / n1) AS reach1,
        (1.0 * k1 / n1 + 1.920729410 / n1) / (1 + 3.841458821 / n1) AS centre1,
        1.959963985 * sqrt(1.0 * k2 * (n2 - k2) / n2 / n2 / n2 + 0.960364705 / n2 / n2)
            / (1 + 3.841458821 / n2) AS reach2,
        (1.0 * k2 / n2 + 1.920729410 / n2) / (1 + 3.841458821 / n2) AS centre2
    FROM measure
), answer AS (
    SELECT *,
        p2 - p1 - sqrt(pow(p2 - centre2 + reach2, 2) + pow(centre1 + reach1 - p1, 2)) AS low,
        p2 - p1 + sqrt(pow(centre2 + reach2 - p2, 2) + pow(p1 - centre1 + reach1, 2)) AS high,
        days * 7.848879734 * (p1 * (1 - p1) / n1 + p2 * (1 - p2) / n2)
            / nullif(pow(p2 - p1, 2), 0) - days AS rest
    FROM share
)
SELECT measure || ', ' || cheaper || CASE WHEN together THEN ' beside ' ELSE ' and at other times ' END
        || dearer AS measure,
    k1 AS first_part, n1 AS first_whole, k2 AS second_part, n2 AS second_whole,
    k1 AS difference_from_part, n1 AS difference_from_whole,
    k2 AS difference_to_part, n2 AS difference_to_whole,
    CASE WHEN low > 0 THEN 'higher' WHEN high < 0 THEN 'lower' ELSE 'not proven' END AS verdict,
    CASE WHEN low > 0 OR high < 0 THEN 'There is a difference.'
        WHEN min(n1, n2) < 30 THEN 'Under 30 people a side.'
        WHEN rest IS NULL THEN 'None in sight: no difference so far.'
        WHEN rest > 365 THEN 'More than a year.'
        WHEN rest <= 1 THEN 'About 1 more day.'
        ELSE format('About %,d more days.', ceil(rest)) END AS until
FROM answer ORDER BY place
