/*---
page: users
place: newest 1
id: newest
title: Newest
columns:
  last_seen_at: {title: Last seen, unit: seen}
  name: {title: Name, unit: name}
  gender: {title: Gender, unit: text}
  age: {title: Age, unit: age}
  country: {title: Country, unit: text}
  city: {title: City, unit: city}
  user_id: {title: User, unit: user_id}
empty: No users yet.
counts: records
shown: 25
---*/
WITH newest AS (
    SELECT id, user_last_time_seen AS seen FROM v_users ORDER BY seen DESC, id DESC LIMIT 1000
)
SELECT CASE WHEN seen BETWEEN 0 AND 4102444800 THEN CAST(seen AS INTEGER) * 1000000 END
        AS last_seen_at,
    user_name AS name, nullif(gender, '') AS gender, age, nullif(app_user.country, '') AS country,
    nullif(user_city, '') AS city, user_id, (SELECT count(*) FROM v_users) AS total_count
FROM newest JOIN v_users USING (id) JOIN app_user USING (user_id)
ORDER BY seen DESC, newest.id DESC
