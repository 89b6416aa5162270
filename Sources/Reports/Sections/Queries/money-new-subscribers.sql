/*---
page: money
place: sales 1
everybody: true
id: sales
title: New subscribers and their first terms
columns:
  when: {title: When, unit: text}
  new: {title: New subscribers, unit: count}
  through: {title: Through the limit, unit: count}
  estimate: {title: First terms, unit: money}
  at_least: {title: "By chance, from", unit: money}
  at_most: {title: "By chance, to", unit: money}
definitions:
  New subscriber: A person who was free or new, and whose first event as a subscriber is in these
    days. People who pay and never use a limited feature again are not seen.
  Through the limit: Of them, people who were blocked as free users and then tapped to subscribe, at
    any time in the newest 102 days. For the period, this is the last stage of the funnel on the
    usage page.
  First terms: New subscribers times the price of prices.lite, without renewals, refunds, trials,
    the store's share, taxes and other prices.
  By chance: What days as good as these bring in 95 of 100 cases, by the score interval of a Poisson
    count and the price.
empty: No event says who subscribes.
---*/
WITH newest AS (
    -- The date as pages write it: 8 Mar 2026.
    SELECT day, CAST(substr(date, 9) AS INTEGER) || ' '
        || substr('JanFebMarAprMayJunJulAugSepOctNovDec', 3 * substr(date, 6, 2) - 2, 3)
        || ' ' || substr(date, 1, 4) AS words
    FROM day, period
    WHERE day."end" <= period."end" AND coverage IN ('whole', 'partial')
    ORDER BY day DESC LIMIT 1
), stretch(place, name, first, last) AS (
    SELECT 1, words, start, "end" FROM day JOIN newest USING (day)
    UNION ALL
    SELECT 2, '7 days up to ' || words, min(start), max("end") FROM day, newest
    WHERE day.day BETWEEN newest.day - 6 AND newest.day
    HAVING count(*) = 7 AND sum(is_known) = 7
    UNION ALL
    SELECT 3, 'The period', start, "end" FROM period
), subscriber AS MATERIALIZED (
    SELECT subscribed_at, came_through_limit FROM person WHERE subscribed_at IS NOT NULL
), sold AS (
    SELECT place, name, count(subscribed_at) AS new,
        count(subscribed_at) FILTER (WHERE came_through_limit) AS through
    FROM stretch LEFT JOIN subscriber ON subscribed_at >= first AND subscribed_at < last
    GROUP BY place
), price AS (
    SELECT amount, ifnull(currency, '¤') AS currency FROM tier_price
    WHERE tier = 'lite' AND amount IS NOT NULL
), term AS (
    SELECT sold.*, currency, (
            SELECT period.now - day."end" BETWEEN 0 AND 86399999999
            FROM period, newest JOIN day USING (day)
        ) AS is_yesterday, amount * new AS estimate,
        amount * max(0, new + 1.920729410 - 1.959963985 * sqrt(new + 0.960364705)) AS low,
        amount * (new + 1.920729410 + 1.959963985 * sqrt(new + 0.960364705)) AS high
    FROM sold LEFT JOIN price
)
SELECT name AS "when", new, through, round(low, 2) AS at_least, currency AS at_least_currency,
    round(estimate, 2) AS estimate, currency AS estimate_currency,
    round(high, 2) AS at_most, currency AS at_most_currency,
    (
        SELECT 'New subscribers: ' || group_concat(
            CASE place
                WHEN 1 THEN format('%,d ', new) || CASE WHEN is_yesterday
                    THEN 'yesterday' ELSE 'on ' || name END
                ELSE format('%,d in the period, %,d of them through the limit', new, through)
            END, ', ') || '.' FROM term WHERE place <> 2
    ) AS index_says
FROM term
WHERE EXISTS (SELECT 1 FROM person WHERE newest_segment IS NOT NULL)
ORDER BY place
