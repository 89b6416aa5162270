/*---
page: users
place: online
id: newest-online
title: Online at the last load of the newest days
columns:
  day: {title: Day, unit: day}
  online: {title: Online, unit: count}
empty: None of these days is known.
counts: records
folded: true
---*/
SELECT date AS day, online
FROM (
    SELECT day, online, row_number() OVER (PARTITION BY day ORDER BY at DESC) AS place
    FROM online_load
) JOIN day USING (day)
WHERE place = 1 AND day.day > (SELECT max(day) FROM day, period WHERE day.start <= now) - 28
ORDER BY day.day DESC