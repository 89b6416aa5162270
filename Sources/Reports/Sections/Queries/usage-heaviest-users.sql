/*---
page: usage
place: people 1
id: heaviest-users
title: Who is blocked most
columns:
  user_id: {title: User, unit: user_id}
  name: {title: Name, unit: name}
  blocks: {title: Blocked, unit: count, bars: true}
  blocked: {title: "Blocked, of free taps", unit: ratio}
  taps: {title: Taps, unit: count}
  performed: {title: Performed, unit: count}
definitions:
  Blocked: Attempts of the person as one whom a limit can block. Subscribers and new users are not
    blocked. People who were blocked as often come by their taps.
empty: Nobody used a feature in this period.
shown: 5
---*/
WITH one AS MATERIALIZED (
    SELECT user_id, taps, performed, free_blocked, free_taps FROM person WHERE in_period
    ORDER BY free_blocked DESC, taps DESC, performed DESC, user_id LIMIT 1000
), heaviest AS (
    SELECT max(free_blocked) AS blocked, max(taps) AS taps FROM person WHERE in_period
)
SELECT one.user_id, user_name AS name, free_blocked AS blocks, free_blocked AS blocked_part,
    free_taps AS blocked_whole, taps, performed,
    (SELECT count(*) FROM person WHERE in_period) AS total_count,
    (
        SELECT iif(count(*) = 1, 'One person was blocked', format('%,d people were blocked', count(*)))
            || format(' %,d times%s, the most of this period.', blocked, iif(count(*) = 1, '', ' each'))
        FROM one JOIN heaviest ON free_blocked = blocked WHERE blocked > 1
    ) AS says
FROM one LEFT JOIN v_users USING (user_id)
ORDER BY free_blocked DESC, taps DESC, performed DESC, one.user_id
