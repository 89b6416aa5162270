/*---
page: users
place: places 1
id: countries
title: By country
columns:
  country: {title: Country, unit: text}
  users: {title: Users, unit: count, bars: true}
  share: {title: Share, unit: ratio, optional: true}
empty: No users yet.
counts: records
shown: 12
---*/
SELECT iif(country = '', 'Not told', country) AS country, count(*) AS users, count(*) AS share_part,
    iif(is_sample, NULL, (SELECT count(*) FROM app_user)) AS share_whole,
    count(*) OVER () AS total_count
FROM app_user GROUP BY app_user.country ORDER BY users DESC, app_user.country LIMIT 10000
