/*---
page: users
place: retention
everybody: true
id: seen-again
title: Seen again, day by day
lead: New people of the newest 102 days.
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
), after(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM after WHERE n < 30
), cohort AS (
    SELECT first, count(*) AS people FROM member GROUP BY first
), whole AS (
    SELECT n, sum(people) AS people
    FROM after CROSS JOIN cohort JOIN day ON day.day = first + n AND whole_from IS NOT NULL
    GROUP BY n
), again AS (
    -- In the order of people, whose days lie together.
    SELECT person_day.day - first AS n, count(*) AS people
    FROM member CROSS JOIN person_day ON person_day.person = member.person
        AND person_day.day BETWEEN first + 1 AND first + 30
        CROSS JOIN day ON day.day = person_day.day AND whole_from IS NOT NULL
    GROUP BY 1
)
SELECT n AS after, ifnull(again.people, 0) AS seen_part, whole.people AS seen_whole
FROM whole LEFT JOIN again USING (n) ORDER BY n
