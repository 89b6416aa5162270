/*---
page: money
place: forecast 3
everybody: true
id: month
title: New subscribers of the month
columns:
  month: {title: Month, unit: text}
  so_far: {title: So far, unit: count}
  days_left: {title: Days still to count, unit: count}
  at_least: {title: "By the end, at least", unit: count}
  forecast: {title: Forecast, unit: count}
  at_most: {title: At most, unit: count}
  terms_least: {title: "First terms, at least", unit: money}
  terms: {title: Forecast, unit: money}
  terms_most: {title: At most, unit: money}
definitions:
  So far: On the days of the month that are over and known.
  Days still to count: The rest of the month, with today and days whose export has not come, and
    days of the month that are over and not known.
  Forecast: The number so far, plus the mean of the known days of the last 28 for each of these
    days. With fewer than 14 known days there is no forecast.
  At least, at most: In 95 of 100 months like this one the number lies between them. They compare
    square roots of counts, because these vary alike for small and large counts. If the days vary
    more than chance, their own spread is used.
empty: No event says who subscribes.
---*/
WITH newest AS (
    SELECT day.day, day.date FROM day, period
    WHERE day."end" <= period."end" AND coverage IN ('whole', 'partial')
    ORDER BY day.day DESC LIMIT 1
), present AS (
    SELECT max(date) AS date, substr(max(date), 1, 7) AS month FROM day, period
    WHERE day.start < period."end"
), sold AS (
    SELECT day.day, day.date, coverage, ifnull(new, 0) AS new
    FROM day LEFT JOIN (
        SELECT (SELECT max(start) FROM day WHERE start <= subscribed_at) AS start, count(*) AS new
        FROM person WHERE subscribed_at IS NOT NULL GROUP BY 1
    ) USING (start)
), usual AS (
    SELECT count(*) AS days, sum(new) AS new, avg(new) AS mean,
        max(1, (avg(new * new) - avg(new) * avg(new)) * count(*)
            / nullif((count(*) - 1) * avg(new), 0)) AS spread
    FROM sold, newest
    WHERE sold.day BETWEEN newest.day - 27 AND newest.day AND coverage = 'whole'
), month AS (
    SELECT month, ifnull((
            SELECT sum(new) FROM sold
            WHERE substr(sold.date, 1, 7) = month AND sold.day <= newest.day
                AND coverage IN ('whole', 'partial')), 0) AS so_far,
        CAST(julianday(month || '-01', '+1 month') - julianday(
            max(newest.date, date(month || '-01', '-1 day'))) - 1 AS INTEGER) + (
            SELECT count(*) FROM sold
            WHERE substr(sold.date, 1, 7) = month AND sold.day <= newest.day
                AND coverage NOT IN ('whole', 'partial')) AS rest
    FROM present, newest
), band AS (
    SELECT month.*, mean * rest AS middle, sqrt((new + 0.375) / days) AS root, days,
        0.979981992 * sqrt(ifnull(spread, 1) * (1.0 / nullif(rest, 0) + 1.0 / days)) AS reach
    FROM month, usual
), range AS (
    SELECT month, so_far, rest,
        CASE WHEN rest = 0 THEN so_far WHEN days >= 14 THEN so_far + CAST(max(0,
            max(0, root - reach) * max(0, root - reach) * rest - 0.375) AS INTEGER) END AS low,
        CASE WHEN rest = 0 THEN so_far WHEN days >= 14
            THEN so_far + CAST(round(middle) AS INTEGER) END AS middle,
        CASE WHEN rest = 0 THEN so_far WHEN days >= 14 THEN so_far + CAST(ceil(
            (root + reach) * (root + reach) * rest - 0.375) AS INTEGER) END AS high
    FROM band
), price AS (
    SELECT amount, ifnull(currency, '¤') AS currency,
        iif(currency IS NULL, '¤', ifnull(sign, '')) AS sign
    FROM tier_price
    WHERE tier = 'lite' AND amount IS NOT NULL
)
SELECT month, so_far, rest AS days_left, low AS at_least, middle AS forecast, high AS at_most,
    round(low * amount, 2) AS terms_least, currency AS terms_least_currency,
    round(middle * amount, 2) AS terms, currency AS terms_currency,
    round(high * amount, 2) AS terms_most, currency AS terms_most_currency,
    CASE WHEN middle IS NOT NULL AND rest > 0 THEN format(
            'New subscribers this month: %,d so far, %,d to %,d by its end', so_far, low, high)
        || CASE WHEN amount IS NULL THEN ''
            ELSE format(', %s%,d to %s%,d', sign, round(low * amount), sign, round(high * amount))
                || iif(sign = '', ' ' || currency, '') || ' in first terms' END || '.'
    END AS index_says
FROM range LEFT JOIN price
WHERE EXISTS (SELECT 1 FROM person WHERE newest_segment IS NOT NULL)
