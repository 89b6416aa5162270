/*---
page: users
place: retention 2
everybody: true
id: cohorts
title: Seen again, by the week in which they came
columns:
  week: {title: Week of, unit: day}
  people: {title: New people, unit: count}
  day_1: {title: After 1 day, unit: rate}
  day_7: {title: After 7 days, unit: rate}
  day_30: {title: After 30 days, unit: rate}
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
), week AS (
    SELECT day AS monday, date, open_day FROM day, known
    WHERE weekday = 1 AND day >= first_day + 14 AND day + 7 <= open_day
    ORDER BY day DESC LIMIT 12
), member AS (
    SELECT person, min(first_day, ifnull(account_day, first_day)) AS first
    FROM person WHERE first_day IS NOT NULL
), again AS (
    SELECT monday, week.date, open_day, member.person, after,
        monday + 6 + after < open_day AS is_over, day.coverage = 'whole' AS is_whole,
        day.coverage = 'whole' AND person_day.person IS NOT NULL AS came
    FROM week JOIN (SELECT 1 AS after UNION ALL SELECT 7 UNION ALL SELECT 30)
        LEFT JOIN member ON first BETWEEN monday AND monday + 6
        LEFT JOIN day ON day.day = first + after
        LEFT JOIN person_day ON person_day.day = first + after
            AND person_day.person = member.person
), share AS (
    SELECT monday, date, after, count(person) AS people, ifnull(sum(came), 0) AS part,
        CASE WHEN is_over AND (count(person) = 0 OR sum(is_whole) > 0)
            THEN ifnull(sum(is_whole), 0) END AS whole
    FROM again GROUP BY monday, after
)
SELECT date AS week, max(people) AS people,
    max(part) FILTER (WHERE after = 1) AS day_1_part,
    max(whole) FILTER (WHERE after = 1) AS day_1_whole,
    max(part) FILTER (WHERE after = 7) AS day_7_part,
    max(whole) FILTER (WHERE after = 7) AS day_7_whole,
    max(part) FILTER (WHERE after = 30) AS day_30_part,
    max(whole) FILTER (WHERE after = 30) AS day_30_whole
FROM share
GROUP BY monday
ORDER BY monday
