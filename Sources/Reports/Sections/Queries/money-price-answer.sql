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
SELECT CASE measure WHEN 'tapped' THEN 'tapped to subscribe' ELSE 'are new subscribers' END || ', '
        || cheaper || CASE WHEN together THEN ' beside ' ELSE ' and at other times ' END || dearer AS measure,
    cheaper_part AS first_part, cheaper_whole AS first_whole, dearer_part AS second_part,
    dearer_whole AS second_whole, cheaper_part AS difference_from_part,
    cheaper_whole AS difference_from_whole, dearer_part AS difference_to_part,
    dearer_whole AS difference_to_whole, verdict, until
FROM price_answer WHERE measure <> 'money' ORDER BY price_answer.measure = 'subscribed'
