/*---
page: money
place: base 3
everybody: true
id: payers-by-day
counts: records
title: People who pay, by day
columns:
  day: {title: Day, unit: day}
  people: {title: People, unit: count}
  lite: {title: Lite, unit: count}
  plus: {title: Plus, unit: count}
  pro: {title: Pro, unit: count}
  monthly: {title: "Per month, at least", unit: money, optional: true}
chart:
  form: line
  series:
    - {column: people, title: People who pay, tone: main}
  unit: people who pay
  labels: day
definitions:
  Day: At its end. By the claims of the accounts, as sync-auth saw them change; only days after its
    first pass are known.
  Per month: People times the present price of their tier. Blank where a tier has none, or where two
    have different currencies.
empty: No account has had a subscription since sync-auth began to read them.
optional: true
folded: true
---*/
WITH change AS (
    SELECT seen_at, from_tier, to_tier FROM v_tier_changes
    WHERE seen_at < (SELECT max("end") FROM newest_day JOIN day USING (day))
), step AS (
    SELECT seen_at, to_tier AS tier, 1 AS people FROM change
    UNION ALL
    SELECT seen_at, from_tier, -1 FROM change
), placed AS (
    -- On the day of the change, or on that before the first.
    SELECT ifnull(
            (SELECT day FROM day WHERE start <= seen_at ORDER BY start DESC LIMIT 1), -1) AS day,
        sum(people) FILTER (WHERE tier = 'lite') AS lite,
        sum(people) FILTER (WHERE tier = 'plus') AS plus,
        sum(people) FILTER (WHERE tier = 'pro') AS pro
    FROM step GROUP BY 1
), total AS MATERIALIZED (
    SELECT day, ifnull(sum(lite) OVER before, 0) AS lite, ifnull(sum(plus) OVER before, 0) AS plus,
        ifnull(sum(pro) OVER before, 0) AS pro
    FROM (SELECT day FROM placed UNION SELECT day FROM newest_day) LEFT JOIN placed USING (day)
    WINDOW before AS (ORDER BY day)
), price AS (
    SELECT max(monthly) FILTER (WHERE tier = 'lite') AS lite,
        max(monthly) FILTER (WHERE tier = 'plus') AS plus,
        max(monthly) FILTER (WHERE tier = 'pro') AS pro, max(currency) AS currency,
        ifnull(max(sign), '') AS sign
    FROM tier_price HAVING count(DISTINCT ifnull(currency, '¤')) = 1
), known AS (
    SELECT day.day, date, total.lite, total.plus, total.pro, currency, sign,
        total.lite + total.plus + total.pro AS people,
        -- A tier without people needs no price.
        iif(currency IS NULL, NULL, 0) + iif(total.lite = 0, 0, total.lite * price.lite)
            + iif(total.plus = 0, 0, total.plus * price.plus)
            + iif(total.pro = 0, 0, total.pro * price.pro) AS monthly
    FROM newest_day JOIN day USING (day) JOIN total USING (day) LEFT JOIN price
    WHERE day."end" > (SELECT min(seen_at) FROM change)
        AND NOT EXISTS (SELECT 1 FROM payment)
), line AS MATERIALIZED (
    SELECT *, iif(monthly IS NULL, '', format(', %s%,d', sign, round(monthly))
        || iif(sign = '', ' ' || currency, '')) AS income
    FROM known
)
SELECT date AS day, people, lite, plus, pro, round(monthly, 2) AS monthly,
    ifnull(currency, '¤') AS monthly_currency, (
        SELECT format('People who paid at the end of the newest day: %,d%s; %d %s before: %,d%s.',
            newest.people, newest.income || iif(newest.income = '', '', ' a month at least'),
            newest.day - oldest.day, iif(newest.day - oldest.day = 1, 'day', 'days'),
            oldest.people, oldest.income)
        FROM line AS newest JOIN line AS oldest
        WHERE newest.day = (SELECT max(day) FROM line) AND oldest.day = (SELECT min(day) FROM line)
    ) AS says
FROM line WHERE (SELECT count(*) FROM line) > 1 ORDER BY line.day
