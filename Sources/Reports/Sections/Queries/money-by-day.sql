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
  others: {title: Another way, unit: count}
  estimate: {title: "First terms, estimate", unit: money}
chart:
  form: columns
  series:
    - {column: through, title: Through the limit, tone: main}
    - {column: others, title: Another way, tone: quiet}
  unit: new subscribers a day
  week_unit: new subscribers a week
  labels: day
definitions:
  First terms: New subscribers of the day times the price of prices.lite.
empty: None of these days is known.
---*/
WITH led AS (
    SELECT (SELECT day FROM day WHERE start <= subscribed_at ORDER BY start DESC LIMIT 1) AS day,
        count(*) AS through
    FROM person WHERE came_through_limit AND subscribed_at IS NOT NULL GROUP BY 1
), price AS (
    SELECT amount, ifnull(currency, '¤') AS currency FROM tier_price
    WHERE tier = 'lite' AND amount IS NOT NULL
)
SELECT date AS day, iif(new_subscribers IS NULL, NULL, ifnull(through, 0)) AS through,
    new_subscribers - ifnull(through, 0) AS others,
    round(amount * new_subscribers, 2) AS estimate, currency AS estimate_currency,
    coverage <> 'whole' AS is_gap
FROM newest_day JOIN day USING (day) LEFT JOIN led USING (day) LEFT JOIN price
WHERE EXISTS (SELECT 1 FROM person WHERE newest_segment IS NOT NULL)
ORDER BY day.day
