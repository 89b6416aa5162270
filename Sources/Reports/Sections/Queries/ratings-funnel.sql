/*---
page: ratings
place: funnel 1
id: rating-funnel
title: Shown, stars, feedback or App Store
columns:
  step: {title: Step, unit: text}
  count: {title: Count, unit: count, bars: true}
  share: {title: Share, unit: ratio}
  base: {title: Of, unit: text}
empty: The dialog was not shown in this period.
---*/
WITH due AS (
    SELECT DISTINCT user_id FROM rating_question WHERE is_due
), dialog AS (
    SELECT * FROM rating_dialog WHERE in_period AND (was_shown OR is_unasked)
), counted AS (
    SELECT ifnull(sum(was_shown), 0) AS shown, ifnull(sum(was_put_off), 0) AS later,
        ifnull(sum(was_rated), 0) AS stars, ifnull(sum(is_low), 0) AS low,
        ifnull(sum(is_low AND was_followed), 0) AS feedback, ifnull(sum(is_high), 0) AS high,
        ifnull(sum(is_high AND was_followed), 0) AS store
    FROM dialog
), step(place, step, part, whole, base) AS (
    SELECT 1, 'People asked', (
            SELECT count(*) FROM due WHERE user_id IN (SELECT user_id FROM dialog WHERE was_shown)
        ), (SELECT count(*) FROM due), 'people who met the conditions'
    UNION ALL
    SELECT 2, 'Shown', shown, shown, 'shown' FROM counted
    UNION ALL
    SELECT 3, 'Maybe Later', later, shown, 'shown' FROM counted
    UNION ALL
    SELECT 4, 'No answer', max(0, shown - stars - later), shown, 'shown' FROM counted
    UNION ALL
    SELECT 5, 'Stars', stars, shown, 'shown' FROM counted
    UNION ALL
    SELECT 6, 'Feedback', feedback, low, '1 to 3 stars' FROM counted
    UNION ALL
    SELECT 7, 'App Store', store, high, '4 and 5 stars' FROM counted
)
SELECT step, part AS count, part AS share_part, whole AS share_whole, base,
    (
        SELECT format('%,d of %,d people who met the conditions were asked; %,d of %,d dialogs ended '
            || 'with stars.', asked.part, asked.whole, stars.part, stars.whole)
        FROM step AS asked JOIN step AS stars ON asked.place = 1 AND stars.place = 5
    ) AS says
FROM step
WHERE EXISTS (SELECT 1 FROM due) OR EXISTS (SELECT 1 FROM dialog) ORDER BY place
