/*---
page: usage
place: people 1
id: heaviest-users
title: By taps
columns:
  user_id: {title: User, unit: user_id}
  name: {title: Name, unit: name}
  taps: {title: Taps, unit: count, bars: true}
  performed: {title: Performed, unit: count}
  blocked: {title: "Blocked, of free taps", unit: ratio}
empty: Nobody used a feature in this period.
shown: 15
folded: true
---*/
SELECT person.user_id, user_name AS name, taps, performed, free_blocked AS blocked_part,
    free_taps AS blocked_whole, (SELECT count(*) FROM person WHERE in_period) AS total_count
FROM (
    SELECT user_id, taps, performed, free_blocked, free_taps FROM person WHERE in_period
    ORDER BY taps DESC, performed DESC, user_id LIMIT 1000
) AS person LEFT JOIN v_users USING (user_id)
ORDER BY taps DESC, performed DESC, person.user_id
