/*---
page: users
place: demand 2
everybody: true
id: demand-genders
title: By gender
columns:
  gender: {title: Gender, unit: text}
  people: {title: People who look for it, unit: ratio}
  users: {title: Share of all users, unit: ratio, optional: true}
definitions:
  People who look for it: Of the people who tapped the filter. One person may look for several.
  Share of all users: Of those that the last load brought.
empty: Nobody filtered by gender in this period.
shown: 12
---*/
WITH held AS MATERIALIZED (
    SELECT lower(user_gender) AS folded, count(*) AS users FROM v_users
    WHERE user_gender IS NOT NULL GROUP BY 1
), wanted AS (
    SELECT gender, lower(gender) AS folded, count(DISTINCT person) AS people_part,
        min(at) AS first_at
    FROM filter_use WHERE gender IS NOT NULL GROUP BY lower(gender)
)
SELECT gender, people_part,
    (SELECT count(DISTINCT person) FROM filter_use WHERE is_tap) AS people_whole,
    ifnull(users, 0) AS users_part,
    iif((SELECT max(is_sample) FROM app_user), NULL, (SELECT count(*) FROM v_users)) AS users_whole,
    first_at
FROM wanted LEFT JOIN held USING (folded)
ORDER BY people_part DESC, gender
