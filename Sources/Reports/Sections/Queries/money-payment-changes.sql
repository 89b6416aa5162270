/*---
page: money
place: payments 11
everybody: true
optional: true
counts: records
id: payment-changes
title: Renewals and refunds, 28 days against the 28 before
columns:
  measure: {title: Measure, unit: text}
  before: {title: 28 days before, unit: rate}
  now: {title: Newest 28 days, unit: rate}
  difference: {title: Difference, unit: points}
definitions:
  Renewed: Of the paid times of subscriptions that ended in these days, those after which a payment
    came within a day. The newest days are those up to a day ago.
  Refunded: Of the payments of the 28 days before, those that were given back within these days.
  Days: Each stands 28 times 24 hours, up to now.
empty: No paid time has ended in these days.
checks:
  - when: measure = 'Renewed' AND is_worse
    level: warn
    say: "Renewals fell: {now} in 28 days, after {before}."
  - when: measure = 'Refunded' AND is_worse
    level: warn
    say: "Refunds doubled: {now} of payments in 28 days, after {before}."
---*/
WITH side AS (
    SELECT 0 AS is_now, now - 57 * 86400000000 AS start, now - 29 * 86400000000 AS "end" FROM period
    UNION ALL
    SELECT 1, now - 29 * 86400000000, now - 86400000000 FROM period
), ended AS (
    SELECT 'Renewed' AS measure, is_now, count(*) AS whole, sum(EXISTS (
            SELECT 1 FROM payment AS later WHERE later.store = payment.store
                AND later.subscription = payment.subscription AND later.price > 0
                AND later.at > payment.at AND later.at <= payment.until + 86400000000)) AS part
    FROM side JOIN payment ON until >= start AND until < "end"
    WHERE price > 0 AND monthly IS NOT NULL AND refunded < price
    GROUP BY is_now
    UNION ALL
    SELECT 'Refunded', is_now, count(*), sum(ifnull(refunded_at < "end", 0))
    FROM side JOIN payment ON at >= start AND at < "end"
    WHERE price > 0 GROUP BY is_now
), pair AS (
    SELECT measure, was.part AS k1, was.whole AS n1, ended.part AS k2, ended.whole AS n2
    FROM ended JOIN ended AS was USING (measure) WHERE ended.is_now AND NOT was.is_now
), share AS (
    SELECT *, 1.0 * k1 / n1 AS p1, 1.0 * k2 / n2 AS p2,
        1.959963985 * sqrt(1.0 * k1 * (n1 - k1) / n1 / n1 / n1 + 0.960364705 / n1 / n1)
            / (1 + 3.841458821 / n1) AS reach1,
        (1.0 * k1 / n1 + 1.920729410 / n1) / (1 + 3.841458821 / n1) AS centre1,
        1.959963985 * sqrt(1.0 * k2 * (n2 - k2) / n2 / n2 / n2 + 0.960364705 / n2 / n2)
            / (1 + 3.841458821 / n2) AS reach2,
        (1.0 * k2 / n2 + 1.920729410 / n2) / (1 + 3.841458821 / n2) AS centre2
    FROM pair
)
SELECT measure, k1 AS before_part, n1 AS before_whole, k2 AS now_part, n2 AS now_whole,
    k1 AS difference_from_part, n1 AS difference_from_whole, k2 AS difference_to_part,
    n2 AS difference_to_whole,
    iif(measure = 'Renewed',
        p2 - p1 + sqrt(pow(centre2 + reach2 - p2, 2) + pow(p1 - centre1 + reach1, 2)) < 0,
        p2 - p1 - sqrt(pow(p2 - centre2 + reach2, 2) + pow(centre1 + reach1 - p1, 2)) > 0
            AND p2 >= 2 * p1 AND k2 >= 5) AS is_worse
FROM share ORDER BY measure DESC
