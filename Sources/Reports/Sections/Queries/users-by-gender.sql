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
SELECT iif(gender = '', 'Not told', gender) AS gender, count(*) AS users, count(*) AS share_part,
    iif(is_sample, NULL, (SELECT count(*) FROM app_user)) AS share_whole,
    count(*) OVER () AS total_count
FROM app_user GROUP BY app_user.gender ORDER BY users DESC, app_user.gender LIMIT 10000
