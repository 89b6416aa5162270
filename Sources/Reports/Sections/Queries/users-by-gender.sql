/*---
page: users
place: people 1
id: genders
title: By gender
columns:
  gender: {title: Gender, unit: text}
  users: {title: Users, unit: count, bars: true}
  share: {title: Share, unit: ratio, optional: true}
empty: No users yet.
counts: records
shown: 12
---*/
WITH spelling AS (
    SELECT gender, count(*) AS users FROM app_user GROUP BY gender
), held AS (
    -- Whatever their case, under the spelling that most have: the row of the maximum.
    SELECT gender, sum(users) AS users, max(users) AS most FROM spelling GROUP BY lower(gender)
)
SELECT iif(gender = '', 'Not told', gender) AS gender, users, users AS share_part,
    iif((SELECT max(is_sample) FROM app_user), NULL, sum(users) OVER ()) AS share_whole,
    count(*) OVER () AS total_count
FROM held ORDER BY users DESC, held.gender LIMIT 10000
