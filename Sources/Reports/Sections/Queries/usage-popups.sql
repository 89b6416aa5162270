/*---
page: usage
place: popups 1
after: funnel
everybody: true
id: popups-closed
title: How popups end
lead: How long the popups of this period were open, and what closed them. A use that opens its popup
  and acts at once does not close it.
columns:
  feature: {title: Feature, unit: feature}
  shown: {title: Shown, unit: count}
  priced: {title: With a price, unit: ratio}
  closed: {title: Closed, unit: count}
  median: {title: Median open, unit: seconds}
  by_hand: {title: "Dismissed, of closed", unit: ratio}
  acted: {title: Action, unit: ratio}
  subscribed: {title: Subscribe, unit: ratio}
  waited: {title: Waited it out, unit: ratio}
  untold: {title: Not told, unit: count}
definitions:
  With a price: Events pricing_displayed, of the popups shown.
  Closed: Events popup_dismissed. A person who leaves the app with the popup open does not close it.
  Median open: The median of popup_seconds, of the closed popups that have it.
  Waited it out: The popup was open until its countdown ended.
empty: No popup was shown in this period.
---*/
WITH event AS MATERIALIZED (
    SELECT feature, popups, dismissed, 0 AS priced, NULL AS reason, NULL AS seconds
    FROM usage_day WHERE in_period AND (popups > 0 OR dismissed > 0)
    UNION ALL
    SELECT feature, 0, 0, 1, NULL, NULL FROM single_event WHERE kind = 'pricing_displayed'
    UNION ALL
    SELECT v_events.feature, 0, 0, 0, parameters ->> ('$.' || platform || '_dismiss_reason'),
        parameters ->> ('$.' || platform || '_popup_seconds')
    FROM single_event JOIN v_events USING (id) WHERE single_event.kind = 'popup_dismissed'
), line AS (
    SELECT 0 AS is_total, * FROM event
    UNION ALL
    SELECT 1, 'all', popups, dismissed, priced, reason, seconds FROM event
), placed AS (
    SELECT is_total, feature, seconds,
        row_number() OVER (PARTITION BY is_total, feature ORDER BY seconds) AS place,
        count(*) OVER (PARTITION BY is_total, feature) AS n
    FROM line WHERE typeof(seconds) IN ('integer', 'real') AND seconds >= 0
), half AS (
    SELECT is_total, feature, avg(seconds) AS median FROM placed
    WHERE place IN ((n + 1) / 2, (n + 2) / 2) GROUP BY is_total, feature
), counted AS (
    SELECT is_total, feature, sum(popups) AS shown, sum(priced) AS priced,
        sum(dismissed) AS closed, ifnull(sum(reason = 'dismissed'), 0) AS by_hand,
        ifnull(sum(reason = 'action'), 0) AS acted,
        ifnull(sum(reason = 'subscribe'), 0) AS subscribed,
        ifnull(sum(reason = 'expired'), 0) AS waited
    FROM line GROUP BY is_total, feature
)
SELECT feature, is_total, shown, min(priced, shown) AS priced_part, shown AS priced_whole, closed,
    median, by_hand AS by_hand_part, closed AS by_hand_whole, acted AS acted_part,
    closed AS acted_whole, subscribed AS subscribed_part, closed AS subscribed_whole,
    waited AS waited_part, closed AS waited_whole,
    closed - by_hand - acted - subscribed - waited AS untold
FROM counted LEFT JOIN half USING (is_total, feature)
ORDER BY is_total, shown DESC, feature
