/*---
page: users
place: places 2
id: languages
title: By language
columns:
  language: {title: Language, unit: text}
  users: {title: Users, unit: count, bars: true}
  share: {title: Share, unit: ratio, optional: true}
empty: No users yet.
counts: records
shown: 12
---*/
SELECT iif(language = '', 'Not told', language) AS language, count(*) AS users, count(*) AS share_part,
    iif(is_sample, NULL, (SELECT count(*) FROM app_user)) AS share_whole,
    count(*) OVER () AS total_count
FROM app_user GROUP BY app_user.language ORDER BY users DESC, app_user.language LIMIT 10000
