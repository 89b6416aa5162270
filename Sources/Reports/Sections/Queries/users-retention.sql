/*---
page: users
place: retention
everybody: true
id: seen-again
title: Seen again, day by day
columns:
  after: {title: Days after the first, unit: count}
  seen: {title: Seen again, unit: rate}
chart:
  form: line
  series: [{column: seen, title: Seen again}]
  unit: "% of new people"
  labels: after
definitions:
  New people: On the day on which the account was made, as far as sync-auth has read it; else on that
    of the first event in the ledger, of the newest 102 days.
  Seen again: With an event on exactly that day after; of the people for whom it is over, and known whole.
empty: Nobody can tell new people from those who were there already before the ledger is 14 days old.
---*/
WITH RECURSIVE known AS (
    -- The first day that is not over, or whose export is still to come.
    SELECT first_day, ifnull((
        SELECT min(day) FROM day
        WHERE day >= first_day
            AND (day."end" > period."end" OR coverage IN ('running', 'awaited'))),
        (SELECT max(day) + 1 FROM day)) AS open_day
    FROM period
), member AS (
    SELECT person, min(first_day, ifnull(account_day, first_day)) AS first
    FROM person WHERE first_day IS NOT NULL
), after(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM after WHERE n < 30)
SELECT n AS after, count(person_day.person) AS seen_part, count(*) AS seen_whole
FROM after JOIN member CROSS JOIN known
    JOIN day ON day.day = first + n AND day.coverage = 'whole' AND day.day < open_day
    LEFT JOIN person_day ON person_day.day = first + n AND person_day.person = member.person
WHERE first >= known.first_day + 14
GROUP BY n ORDER BY n
