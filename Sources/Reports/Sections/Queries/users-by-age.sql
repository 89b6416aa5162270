/*---
page: users
place: people 2
id: ages
title: By age
columns:
  age: {title: Age, unit: text}
  users: {title: Users, unit: count, bars: true}
  share: {title: Share, unit: ratio, optional: true}
empty: No users yet.
counts: records
shown: 12
---*/
WITH told AS (
    SELECT age, count(*) AS users FROM app_user GROUP BY age
), counted AS (
    SELECT ifnull((age >= 18) + (age >= 25) + (age >= 35) + (age >= 45) + (age >= 55) + (age >= 65), 7)
        AS place, sum(users) AS users
    FROM told GROUP BY 1
), band (place, age) AS (
    VALUES (0, 'Under 18'), (1, '18–24'), (2, '25–34'), (3, '35–44'), (4, '45–54'), (5, '55–64'),
        (6, '65 and over'), (7, 'Not told')
)
SELECT band.age, ifnull(users, 0) AS users, ifnull(users, 0) AS share_part,
    iif(is_sample, NULL, people) AS share_whole
FROM (SELECT count(*) AS people, max(is_sample) AS is_sample FROM app_user)
    JOIN band ON people > 0 LEFT JOIN counted USING (place)
ORDER BY place
