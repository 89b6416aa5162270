/*---
page: money
place: sales 2
everybody: true
id: sales-by-day
counts: records
title: New subscribers of the newest days
columns:
  day: {title: Day, unit: day}
  through: {title: Through the limit, unit: count}
  others: {title: Otherwise, unit: count}
  estimate: {title: "First payments, about", unit: money}
chart:
  form: columns
  series:
    - {column: through, title: Through the limit, tone: main}
    - {column: others, title: Otherwise, tone: quiet}
  unit: new subscribers a day
  week_unit: new subscribers a week
  labels: day
definitions:
  First payments: New subscribers of the day times the price of prices.lite.
empty: None of these days is known.
---*/
WITH sold AS (
    SELECT (SELECT day FROM day WHERE start <= subscribed_at ORDER BY start DESC LIMIT 1) AS day,
        count(*) AS new, sum(came_through_limit) AS through
    FROM person WHERE subscribed_at IS NOT NULL GROUP BY 1
), price AS (
    SELECT amount, ifnull(currency, '¤') AS currency FROM tier_price
    WHERE tier = 'lite' AND amount IS NOT NULL
)
SELECT date AS day, ifnull(through, zero) AS through, ifnull(new - through, zero) AS others,
    round(amount * ifnull(new, zero), 2) AS estimate, currency AS estimate_currency,
    coverage <> 'whole' AS is_gap
FROM (
    SELECT day.*, iif(is_known, 0, NULL) AS zero FROM newest_day JOIN day USING (day)
) AS day LEFT JOIN sold ON sold.day = day.day AND is_known LEFT JOIN price
WHERE EXISTS (SELECT 1 FROM person WHERE newest_segment IS NOT NULL)
ORDER BY day.day
