/*---
page: money
place: payments 4
everybody: true
optional: true
counts: records
id: payers
title: Payers by the month of their first payment
columns:
  month: {title: First payment in, unit: text}
  people: {title: Payers, unit: count}
  after_1: {title: Paying after 1 month, unit: rate}
  after_3: {title: 3 months, unit: rate}
  after_6: {title: 6 months, unit: rate}
  after_12: {title: 12 months, unit: rate}
definitions:
  Payer: A person of the app. A subscription whose person is not named counts as one.
  Paying after: A time that is paid covers the day that many months after the first payment. Blank
    until that day is over for everybody of the month.
empty: Nobody is known to have paid.
folded: true
---*/
WITH first AS (
    SELECT user_id, min(at) AS at FROM payment WHERE price > 0 AND monthly IS NOT NULL
    GROUP BY user_id
), span AS (
    SELECT 1 AS months UNION ALL SELECT 3 UNION ALL SELECT 6 UNION ALL SELECT 12
), stay AS (
    SELECT strftime('%Y-%m', at / 1000000, 'unixepoch') AS month, months, user_id,
        unixepoch(at / 1000000, 'unixepoch', '+' || months || ' months', '+1 day') * 1000000
            AS due
    FROM first, span
), paid AS MATERIALIZED (
    SELECT user_id, at, until FROM payment WHERE price > 0 AND monthly IS NOT NULL
), kept AS (
    SELECT stay.*, max(paid.at IS NOT NULL) AS is_kept
    FROM stay LEFT JOIN paid
        ON paid.user_id = stay.user_id AND paid.at <= due AND paid.until > due
    GROUP BY stay.user_id, months
), share AS (
    SELECT month, months, count(*) AS people, sum(is_kept) AS part,
        CASE WHEN max(due) <= (SELECT now FROM period) THEN count(*) END AS whole
    FROM kept GROUP BY month, months
)
SELECT month, max(people) AS people,
    max(part) FILTER (WHERE months = 1) AS after_1_part,
    max(whole) FILTER (WHERE months = 1) AS after_1_whole,
    max(part) FILTER (WHERE months = 3) AS after_3_part,
    max(whole) FILTER (WHERE months = 3) AS after_3_whole,
    max(part) FILTER (WHERE months = 6) AS after_6_part,
    max(whole) FILTER (WHERE months = 6) AS after_6_whole,
    max(part) FILTER (WHERE months = 12) AS after_12_part,
    max(whole) FILTER (WHERE months = 12) AS after_12_whole
FROM share GROUP BY month ORDER BY month DESC LIMIT 24
