/*---
page: ratings
place: funnel 5
id: rating-tries
title: By what came before
columns:
  later_before: {title: Maybe Later before, unit: text}
  low_before: {title: Low ratings before, unit: text}
  shown: {title: Shown, unit: count, bars: true}
  later: {title: "Later, of shown", unit: ratio}
  stars: {title: "Stars, of shown", unit: ratio}
  high: {title: "Four or five, of stars", unit: ratio}
definitions:
  What came before: How often the user of a dialog had put one off, and had given a low rating.
  Another number of tries: "`firetally rating what-if --set rating.maxPrompts=3` says what it would do."
  Before: In dialogs of the same user, of this period and the time that it is compared with.
    Dialogs without an id of a user are left out.
empty: The dialog was not shown in this period.
folded: true
---*/
WITH dialog AS (
    SELECT in_period, was_put_off, was_rated, is_high,
        ifnull(sum(was_put_off) OVER before, 0) AS later_before,
        ifnull(sum(is_low) OVER before, 0) AS low_before
    FROM rating_dialog WHERE was_shown AND user_id <> ''
    WINDOW before AS (
        PARTITION BY user_id ORDER BY at ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
)
SELECT (
        SELECT 'Stars, of the dialogs of people without a low rating before: ' || group_concat(CASE later
                WHEN 0 THEN format('never put off %,d of %,d', stars, shown)
                WHEN 3 THEN format('after 3 or more %,d of %,d', stars, shown)
                ELSE format('after %d Maybe Later %,d of %,d', later, stars, shown) END, ', ')
            || '.'
        FROM (
            SELECT min(later_before, 3) AS later, count(*) AS shown, sum(was_rated) AS stars
            FROM dialog WHERE in_period AND low_before = 0 GROUP BY 1 ORDER BY 1
        ) HAVING count(*) > 1
    ) AS says,
    iif(later_before < 3, CAST(later_before AS TEXT), '3 or more') AS later_before,
    iif(low_before < 2, CAST(low_before AS TEXT), '2 or more') AS low_before, count(*) AS shown,
    sum(was_put_off) AS later_part, count(*) AS later_whole, sum(was_rated) AS stars_part,
    count(*) AS stars_whole, sum(is_high) AS high_part, sum(was_rated) AS high_whole
FROM dialog WHERE in_period
GROUP BY min(later_before, 3), min(low_before, 2)
ORDER BY min(later_before, 3), min(low_before, 2)
