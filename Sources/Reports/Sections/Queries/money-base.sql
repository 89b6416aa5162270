/*---
page: money
place: base 2
everybody: true
id: base
title: Who pays, and what that is in a month
counts: records
columns:
  tier: {title: Tier, unit: text}
  people: {title: "People, at least", unit: count}
  people_most: {title: At most, unit: count}
  price: {title: Price, unit: text}
  monthly: {title: "Per month, at least", unit: money}
  monthly_most: {title: At most, unit: money}
  told: {title: Not known, unit: text, wraps: true}
definitions:
  At least: Accounts whose claim names the tier. If no claim names a tier, people with an event in
    the newest 28 days whose newest event says that they subscribe.
  Another word: Accounts whose claim of the tier is unreadable. Nobody knows whether they pay. The
    text is not shown because it may name a person. It is in auth_users.
  At most: The people of "At least", those of another word, and everybody whose newest event in the
    102 days says that they subscribe. Once a claim names a tier, the last group counts only people
    without an account, because an account whose claim names no tier is free.
  Per month: People times the price of the tier, converted from its term to a month of 30.4375 days.
    If popups of the newest 28 days showed other prices of Lite in that currency, the range goes
    from the lowest price to the highest.
  Not in it: Trials, grace periods, refunds, the store's share and taxes, and prices by country.
empty: Nobody is known to pay.
---*/
WITH last_day AS (
    SELECT max(day) AS day FROM day, period WHERE day.start < period."end"
), seen AS (
    SELECT user_id, max(person_day.day) AS day FROM person JOIN person_day USING (person)
    WHERE newest_segment = 'lite_subscriber' GROUP BY person
), member AS (
    SELECT user_id, tier, 1 AS is_sure FROM account WHERE tier IN ('lite', 'plus', 'pro')
    UNION ALL
    SELECT user_id, NULL, 0 FROM account WHERE names_other_tier
    UNION ALL
    SELECT user_id, 'lite', (SELECT count(tier) FROM account) = 0 AND seen.day > last_day.day - 28
    FROM seen, last_day
    WHERE user_id NOT IN (
        SELECT user_id FROM account
        WHERE names_other_tier OR (SELECT count(tier) FROM account) > 0)
), base AS (
    SELECT tier, sum(is_sure) AS least, count(*) AS most FROM member GROUP BY tier
), shown AS (
    SELECT DISTINCT currency, first_value(monthly) OVER cheapest AS low,
        first_value(price) OVER cheapest AS low_price,
        last_value(monthly) OVER cheapest AS high, last_value(price) OVER cheapest AS high_price
    FROM price_day
    WHERE monthly IS NOT NULL AND currency IS NOT NULL
        AND last >= (SELECT start - 27 * 86400000000 FROM day JOIN last_day USING (day))
    WINDOW cheapest AS (
        PARTITION BY currency ORDER BY monthly, price
        ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
), priced AS (
    SELECT base.*, tier_price.price || iif(tier = 'lite', iif(low < tier_price.monthly,
                ', from ' || low_price, '')
            || iif(high > tier_price.monthly, ', up to ' || high_price, ''), '') AS price,
        tier_price.currency, sign,
        min(tier_price.monthly, CASE WHEN tier = 'lite' THEN ifnull(low, tier_price.monthly)
            ELSE tier_price.monthly END) AS low,
        max(tier_price.monthly, CASE WHEN tier = 'lite' THEN ifnull(high, tier_price.monthly)
            ELSE tier_price.monthly END) AS high,
        CASE
            WHEN tier IS NULL THEN 'Their claim stands for no tier.'
            WHEN tier_price.price IS NULL THEN 'No price: set prices.' || tier || '.'
            WHEN tier_price.amount IS NULL THEN 'The price is not one number above 0.'
            WHEN term IS NULL THEN 'The price names no term, such as /week.'
            WHEN tier_price.currency IS NULL THEN 'The price names no currency.'
        END AS told
    FROM base LEFT JOIN tier_price USING (tier) LEFT JOIN shown
        ON shown.currency = tier_price.currency
), line AS (
    SELECT 0 AS is_total, CASE tier WHEN 'lite' THEN 'Lite' WHEN 'plus' THEN 'Plus'
            WHEN 'pro' THEN 'Pro' ELSE 'Another word' END AS tier,
        least, most, price, least * low AS monthly, most * high AS monthly_most, currency, sign,
        told,
        ifnull(instr('lite plus pro', tier), 99) AS place
    FROM priced
    UNION ALL
    SELECT 1, 'All with a price, in ' || ifnull(currency, '¤'), sum(least), sum(most), NULL,
        sum(least * low), sum(most * high), currency, ifnull(sign, ''), NULL, 100
    FROM priced WHERE low IS NOT NULL GROUP BY currency
)
SELECT tier, least AS people, most AS people_most, price,
    round(monthly, 2) AS monthly, ifnull(currency, '¤') AS monthly_currency,
    round(monthly_most, 2) AS monthly_most, ifnull(currency, '¤') AS monthly_most_currency,
    told, is_total,
    (
        SELECT CASE WHEN sum(least) = 1 AND sum(most) = 1 THEN '1 person seems'
                WHEN sum(least) = sum(most) THEN format('%,d people seem', sum(most))
                ELSE format('%,d to %,d people seem', sum(least), sum(most)) END
            || ' to pay' || ifnull((
                SELECT ': ' || group_concat(format('%s%,d', sign, round(monthly))
                    || iif(round(monthly) = round(monthly_most), '',
                        format(' to %s%,d', sign, round(monthly_most)))
                    || iif(sign = '', ' ' || ifnull(currency, 'of no currency'), '')
                    || ' a month', '; ')
                FROM line WHERE is_total), '')
            || CASE WHEN sum(told IS NOT NULL AND monthly IS NULL) > 0
                THEN format('; %,d at unknown prices',
                    sum(most) FILTER (WHERE monthly IS NULL)) ELSE '' END || '.'
        FROM line WHERE NOT is_total
    ) AS index_says
FROM line
ORDER BY place, tier
