/*---
page: users
place: last-seen 2
id: last-seen-bands
title: Users by when they were last seen
columns:
  last_seen: {title: Last seen, unit: text}
  users: {title: Users, unit: count, bars: true}
  share: {title: Share, unit: ratio, optional: true}
empty: No users yet.
counts: records
---*/
WITH counted AS (
    SELECT ifnull((seconds_ago >= 3600) + (seconds_ago >= 86400) + (seconds_ago >= 604800)
        + (seconds_ago >= 2592000), 4) AS place, count(*) AS users
    FROM app_user GROUP BY 1
), band (place, last_seen) AS (
    VALUES (0, 'Within an hour'), (1, '1 to 24 hours ago'), (2, '1 to 7 days ago'),
        (3, '7 to 30 days ago'), (4, 'Earlier')
)
SELECT last_seen, ifnull(users, 0) AS users, ifnull(users, 0) AS share_part,
    iif(is_sample, NULL, people) AS share_whole
FROM (SELECT count(*) AS people, max(is_sample) AS is_sample FROM app_user)
    JOIN band ON people > 0 LEFT JOIN counted USING (place)
ORDER BY place
