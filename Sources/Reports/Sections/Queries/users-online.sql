/*---
page: users
place: online 1
id: online
title: Users online by day
columns:
  day: {title: Day, unit: day}
  loads: {title: Loads, unit: count}
  most: {title: Most at a load, unit: count}
  last: {title: At the last load, unit: count}
  limit: {title: Counted in full, unit: text}
chart:
  form: line
  series:
    - {column: most, title: Most at a load, tone: main}
  unit: most users online at a load
  labels: day
empty: No load of all users in this period.
counts: records
---*/
WITH loaded AS (
    SELECT day, online, is_minimum, row_number() OVER (PARTITION BY day ORDER BY at DESC) AS place
    FROM online_load WHERE in_period
)
SELECT date AS day, count(*) AS loads, max(online) AS most,
    max(online) FILTER (WHERE place = 1) AS last,
    iif(max(is_minimum), 'no: at least so many', 'yes') AS "limit"
FROM loaded JOIN day USING (day) GROUP BY day.day ORDER BY day.day
