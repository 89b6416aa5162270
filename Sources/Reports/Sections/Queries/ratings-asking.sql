/*---
page: ratings
place: funnel 8
id: asking
title: Profiles by what comes next
columns:
  state: {title: What comes next, unit: text}
  count: {title: Profiles, unit: count}
  share: {title: Share, unit: ratio}
empty: The workspace has no profile.
counts: records
folded: true
---*/
WITH named(place, state, words) AS (
    VALUES (1, 'due', 'The question is due'), (2, 'tooFewMessages', 'Too few messages yet'),
        (3, 'triesUsedUp', 'No more: low ratings used up'),
        (4, 'ratedHigh', 'Never again: rated 4 or 5'),
        (5, 'switchedOff', 'Questions are switched off')
), counted AS (
    SELECT state, count(*) AS profiles FROM rating_question WHERE state IS NOT NULL GROUP BY state
)
SELECT words AS state, ifnull(profiles, 0) AS count, ifnull(profiles, 0) AS share_part,
    sum(profiles) OVER () AS share_whole
FROM named LEFT JOIN counted USING (state)
WHERE EXISTS (SELECT 1 FROM counted) ORDER BY place
