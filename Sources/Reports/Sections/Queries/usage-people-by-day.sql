/*---
page: usage
place: days
id: people-by-day
title: People and subscriptions of the newest days
columns:
  day: {title: Day, unit: day}
  active: {title: Active, unit: count}
  limit: {title: Hit the limit, unit: count}
  sub_taps: {title: Subscription taps, unit: count}
  new_subs: {title: New subscribers, unit: count}
empty: None of these days is known.
counts: records
folded: true
---*/
SELECT date AS day, people AS active, blocked_people AS "limit", subscription_taps AS sub_taps,
    new_subscribers AS new_subs
FROM newest_day JOIN day USING (day) ORDER BY day.day DESC