/*---
page: users
place: last-seen 1
id: last-seen
title: Users by hours since last seen
columns:
  hours_ago: {title: Hours ago, unit: count}
  users: {title: Users, unit: count}
chart:
  form: columns
  series: [{column: users, title: Users}]
  unit: users an hour, by hours ago
  labels: hours_ago
empty: Nobody was seen in the last 24 hours.
counts: records
---*/
WITH RECURSIVE hour (hours_ago) AS (
    VALUES (0) UNION ALL SELECT hours_ago + 1 FROM hour WHERE hours_ago < 23
), seen AS (
    SELECT CAST(seconds_ago AS INTEGER) / 3600 AS hours_ago, count(*) AS users
    FROM app_user WHERE seconds_ago < 86400 GROUP BY 1
)
SELECT hours_ago, ifnull(users, 0) AS users,
    (
        SELECT format('%,d were seen in the hour before the report, %,d in the day before it.',
            ifnull(sum(users) FILTER (WHERE hours_ago = 0), 0), sum(users))
        FROM seen
    ) AS says
FROM hour LEFT JOIN seen USING (hours_ago)
WHERE EXISTS (SELECT 1 FROM seen) ORDER BY hours_ago
