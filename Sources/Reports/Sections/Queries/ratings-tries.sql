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
        SELECT format('Asked again after Maybe Later, people gave stars in %,d of %,d dialogs;'
            || ' others in %,d of %,d.', again_stars, again, stars, others)
        FROM (
            SELECT sum(later_before > 0) AS again, sum(later_before = 0) AS others,
                sum(later_before > 0 AND was_rated) AS again_stars,
                sum(later_before = 0 AND was_rated) AS stars
            FROM dialog WHERE in_period
        ) WHERE again > 0 AND others > 0
    ) AS says,
    iif(later_before < 3, CAST(later_before AS TEXT), '3 or more') AS later_before,
    iif(low_before < 2, CAST(low_before AS TEXT), '2 or more') AS low_before, count(*) AS shown,
    sum(was_put_off) AS later_part, count(*) AS later_whole, sum(was_rated) AS stars_part,
    count(*) AS stars_whole, sum(is_high) AS high_part, sum(was_rated) AS high_whole
FROM dialog WHERE in_period
GROUP BY min(later_before, 3), min(low_before, 2)
ORDER BY min(later_before, 3), min(low_before, 2)
