/*---
page: usage
place: popups 1
after: funnel
everybody: true
id: popups-closed
title: How popups end
lead: What ended the popups of this period, each by the first of its ends.
columns:
  feature: {title: Feature, unit: feature}
  shown: {title: Shown, unit: count}
  priced: {title: With a price, unit: ratio}
  acted: {title: Action, unit: ratio}
  subscribed: {title: Subscribe, unit: ratio}
  by_hand: {title: Dismissed, unit: ratio}
  waited: {title: Waited it out, unit: ratio}
  untold: {title: Another end, unit: count}
  left: {title: No end, unit: ratio}
  stray: {title: Taps without a popup, unit: count}
definitions:
  With a price: Events pricing_displayed, of the popups shown.
  Action: The feature was performed within 30 minutes, before the next tap on it.
  Subscribe: The first tap on the subscription button, of the popups shown.
  Dismissed: The popup was closed by hand; another reason, or none, counts in "Another end".
  Waited it out: The popup was open until its countdown ended.
  No end: Until the next tap on the feature, or the end of the period, no event says how it ended, as
    when the app was left.
  Taps without a popup: Further taps on the subscription button, as a second one.
empty: No popup was shown in this period.
---*/
WITH event AS MATERIALIZED (
    SELECT feature, ending, count(*) AS shown, 0 AS priced, 0 AS taps FROM popup
    GROUP BY feature, ending
    UNION ALL
    SELECT feature, NULL, 0, count(*), 0 FROM single_event
    WHERE kind = 'pricing_displayed' GROUP BY feature
    UNION ALL
    SELECT feature, NULL, 0, 0, sum(subscription_taps) FROM usage_day
    WHERE in_period AND subscription_taps > 0 GROUP BY feature
), line AS (
    SELECT 0 AS is_total, * FROM event
    UNION ALL
    SELECT 1, 'all', ending, shown, priced, taps FROM event
), counted AS (
    SELECT is_total, feature, sum(shown) AS shown, sum(priced) AS priced, sum(taps) AS taps,
        ifnull(sum(shown) FILTER (WHERE ending IS NOT NULL), 0) AS ended,
        ifnull(sum(shown) FILTER (WHERE ending = 'action'), 0) AS acted,
        ifnull(sum(shown) FILTER (WHERE ending = 'subscribe'), 0) AS subscribed,
        ifnull(sum(shown) FILTER (WHERE ending = 'dismissed'), 0) AS by_hand,
        ifnull(sum(shown) FILTER (WHERE ending = 'expired'), 0) AS waited
    FROM line GROUP BY is_total, feature
)
SELECT feature, is_total, shown, min(priced, shown) AS priced_part, shown AS priced_whole,
    acted AS acted_part, shown AS acted_whole, subscribed AS subscribed_part,
    shown AS subscribed_whole, by_hand AS by_hand_part, shown AS by_hand_whole,
    waited AS waited_part, shown AS waited_whole,
    ended - acted - subscribed - by_hand - waited AS untold,
    shown - ended AS left_part, shown AS left_whole, max(0, taps - subscribed) AS stray
FROM counted
ORDER BY is_total, shown DESC, feature
