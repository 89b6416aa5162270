/*---
page: usage
place: popups 4
everybody: true
id: resets
title: Limit resets, and clocks that went back
columns:
  feature: {title: Feature, unit: feature}
  resets: {title: Resets, unit: count, bars: true}
  by_hand: {title: By hand, unit: ratio}
  people: {title: People whose wait ended, unit: count}
  used: {title: Tapped within 10 minutes, unit: rate}
  skews: {title: Clock went back, unit: count}
definitions:
  Resets: Events limit_reset; by hand when their reset_reason is manual.
  Tapped within 10 minutes: Of the people whose wait ended, those who tapped the feature within 10
    minutes after that.
  Clock went back: Events clock_skew; the cooldown began again, so that nobody waits longer than its
    full length.
empty: No limit was reset in this period, and no clock went back.
folded: true
---*/
WITH reset AS MATERIALIZED (
    SELECT v_events.feature, at, user_id,
        parameters ->> ('$.' || platform || '_reset_reason') IS 'manual' AS is_manual
    FROM single_event JOIN v_events USING (id) WHERE single_event.kind = 'limit_reset'
), tap AS MATERIALIZED (
    SELECT feature, at, user_id FROM v_events, period
    WHERE feature IS NOT NULL AND at >= (SELECT min(at) FROM reset) AND at < "end"
        -- The plus sign keeps SQLite from reading the whole ledger for an index by kind.
        AND +kind = 'button_tapped'
        AND (only_platform IS NULL OR platform = only_platform)
), ended AS (
    SELECT reset.feature, reset.user_id, max(tap.at IS NOT NULL) AS used
    FROM reset LEFT JOIN tap ON tap.feature = reset.feature AND tap.user_id = reset.user_id
        AND tap.at BETWEEN reset.at AND reset.at + 600000000
    WHERE NOT is_manual AND reset.user_id <> '' GROUP BY reset.feature, reset.user_id
), counted AS (
    SELECT feature, 1 AS resets, is_manual, 0 AS skews FROM reset
    UNION ALL
    SELECT feature, 0, 0, 1 FROM single_event WHERE kind = 'clock_skew'
)
SELECT feature, sum(resets) AS resets, sum(is_manual) AS by_hand_part,
    sum(resets) AS by_hand_whole,
    (SELECT count(*) FROM ended WHERE ended.feature = counted.feature) AS people,
    (SELECT ifnull(sum(used), 0) FROM ended WHERE ended.feature = counted.feature) AS used_part,
    (SELECT count(*) FROM ended WHERE ended.feature = counted.feature) AS used_whole,
    sum(skews) AS skews
FROM counted GROUP BY feature ORDER BY resets DESC, feature
