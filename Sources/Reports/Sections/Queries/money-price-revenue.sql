/*---
page: money
place: price-test 1
everybody: true
id: price-revenue
title: Money per person who saw a price
columns:
  cheaper: {title: Lower price, unit: text}
  first: {title: Per person, unit: money}
  dearer: {title: Higher price, unit: text}
  second: {title: Per person, unit: money}
  low: {title: "Difference, at least", unit: money}
  difference: {title: Difference, unit: money}
  high: {title: At most, unit: money}
  verdict: {title: Verdict, unit: text}
  until: {title: Time to an answer, unit: text, wraps: true}
definitions:
  Per person: The first term's price times the share of new subscribers, for the people and times of
    the table below. Renewals, refunds and the store's share are not included.
  Difference: The second minus the first, with Newcombe's interval, each share times its price (Zou
    and Donner's MOVER).
empty: No two prices of one currency and term were shown to people who saw only one price.
---*/
SELECT cheaper, round(cheaper_brings, 4) AS first, currency AS first_currency,
    dearer, round(dearer_brings, 4) AS second, currency AS second_currency,
    round(low, 4) AS low, currency AS low_currency, round(difference, 4) AS difference,
    currency AS difference_currency, round(high, 4) AS high, currency AS high_currency, verdict, until,
    (
        SELECT CASE verdict WHEN 'not proven' THEN 'Nobody knows yet which price brings more. '
                WHEN 'higher' THEN format('%s brings more than %s. ', dearer, cheaper)
                ELSE format('%s brings more than %s. ', cheaper, dearer) END
            || format('Of %s, the %,d who saw %s brought %s%.2f each, the %,d who saw %s %s%.2f.',
                iif(together, 'people of the same days', 'people of different days'),
                dearer_whole, dearer, sign, dearer_brings, cheaper_whole, cheaper, sign,
                cheaper_brings)
        FROM (
            SELECT *, iif(currency GLOB '[A-Z][A-Z][A-Z]', currency || ' ', currency) AS sign
            FROM price_answer WHERE measure = 'money')
    ) AS says
FROM price_answer WHERE measure = 'money'
