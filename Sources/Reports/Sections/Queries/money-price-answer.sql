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
  verdict: {title: Verdict, unit: text}
  until: {title: Time to an answer, unit: text, wraps: true}
definitions:
  The two prices: Two amounts of the currency and term that most people saw. "Beside" means that
    both were shown at the same time for a day or more, and that two people of one day saw different
    prices more than half as often as by lot. Then only people who first saw their price in that
    time count. Otherwise everybody counts, and the difference includes everything else that changed
    between the two times. Prices by country are such a difference, not a test.
  Difference: The second share minus the first, in points, with Newcombe's interval.
  Time to an answer: The days until four of five such tests would prove this difference, if each day
    brings as many people as so far. There is no answer with fewer than 30 people on a side. If you
    look daily and stop at the first proof, you are wrong more often than one time in 20.
empty: No two prices of one currency and term were shown to people who saw only one price.
---*/
SELECT CASE measure WHEN 'tapped' THEN 'tapped to subscribe' ELSE 'are new subscribers' END || ', '
        || cheaper || CASE WHEN together THEN ' beside ' ELSE ' and at other times ' END || dearer AS measure,
    cheaper_part AS first_part, cheaper_whole AS first_whole, dearer_part AS second_part,
    dearer_whole AS second_whole, cheaper_part AS difference_from_part,
    cheaper_whole AS difference_from_whole, dearer_part AS difference_to_part,
    dearer_whole AS difference_to_whole, verdict, until
FROM price_answer WHERE measure <> 'money' ORDER BY price_answer.measure = 'subscribed'
