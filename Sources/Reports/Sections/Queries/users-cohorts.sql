/*---
page: users
place: retention 2
everybody: true
id: cohorts
title: Seen again, by the week in which they came
columns:
  week: {title: Week of, unit: day}
  people: {title: New people, unit: count}
  day_1: {title: On day 1, unit: rate}
  day_7: {title: On day 7, unit: rate}
  day_30: {title: On day 30, unit: rate}
definitions:
  New people: New on the day on which the account was made, if sync-auth has read it. Otherwise on
    the day of the first event in the ledger, in the newest 102 days.
  Seen again: With an event on exactly the 1st, 7th or 30th day after that. Blank until that day is
    over for everybody of the week.
empty: No week is known that began 14 days or more after the first event of the ledger. Before that,
  new people look like people who were already there.
---*/
WITH known AS (
    -- The first day that is not over, or whose export is still to come.
    SELECT first_day, ifnull((
        SELECT min(day) FROM day
        WHERE day >= first_day
            AND (day."end" > period."end" OR coverage IN ('running', 'awaited'))),
        (SELECT max(day) + 1 FROM day)) AS open_day
    FROM period
), week AS MATERIALIZED (
    SELECT day AS monday, date, open_day FROM day, known
    WHERE weekday = 1 AND day >= first_day + 14 AND day + 7 <= open_day
    ORDER BY day DESC LIMIT 12
), member AS MATERIALIZED (
    SELECT person, min(first_day, ifnull(account_day, first_day)) AS first
    FROM person WHERE first_day IS NOT NULL
), cohort AS MATERIALIZED (
    SELECT first, count(*) AS people FROM member GROUP BY first
), seen AS (
    -- In the order of people, whose days lie together.
    SELECT first, person_day.day - first AS after, count(*) AS people
    FROM member CROSS JOIN person_day ON person_day.person = member.person
        AND person_day.day BETWEEN first + 1 AND first + 30
    WHERE person_day.day - first IN (1, 7, 30)
    GROUP BY first, after
), share AS (
    SELECT monday, week.date, after, ifnull(sum(cohort.people), 0) AS people,
        ifnull(sum(seen.people) FILTER (WHERE coverage = 'whole'), 0) AS part,
        sum(cohort.people) FILTER (WHERE coverage = 'whole') AS whole,
        monday + 6 + after < open_day AS is_over
    FROM week JOIN (SELECT 1 AS after UNION ALL SELECT 7 UNION ALL SELECT 30)
        LEFT JOIN cohort ON first BETWEEN monday AND monday + 6
        LEFT JOIN seen USING (first, after)
        LEFT JOIN day ON day.day = first + after
    GROUP BY monday, after
), told AS (
    SELECT monday, date, after, people, part,
        CASE WHEN is_over AND (people = 0 OR whole > 0) THEN ifnull(whole, 0) END AS whole
    FROM share
)
SELECT date AS week, max(people) AS people,
    max(part) FILTER (WHERE after = 1) AS day_1_part,
    max(whole) FILTER (WHERE after = 1) AS day_1_whole,
    max(part) FILTER (WHERE after = 7) AS day_7_part,
    max(whole) FILTER (WHERE after = 7) AS day_7_whole,
    max(part) FILTER (WHERE after = 30) AS day_30_part,
    max(whole) FILTER (WHERE after = 30) AS day_30_whole
FROM told
GROUP BY monday
ORDER BY monday
