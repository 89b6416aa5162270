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
  New people: New on the day on which the account was made, if sync-auth has read it. Otherwise on
    the day of the first event in the ledger, in the newest 102 days.
  Seen again: With an event on exactly that day, of the people whose day is over and fully known.
empty: Until the ledger is 14 days old, new people look like people who were already there.
---*/
WITH RECURSIVE member AS MATERIALIZED (
    SELECT person, min(person.first_day, ifnull(account_day, person.first_day)) AS first
    FROM person, period
    WHERE person.first_day IS NOT NULL AND first >= period.first_day + 14
), after(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM after WHERE n < 30)
SELECT n AS after, count(person_day.person) AS seen_part, count(*) AS seen_whole
FROM after CROSS JOIN member
    JOIN day ON day.day = first + n AND whole_from IS NOT NULL
    LEFT JOIN person_day ON person_day.day = first + n AND person_day.person = member.person
GROUP BY n ORDER BY n
