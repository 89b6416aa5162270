/*---
page: usage
place: funnel 7
everybody: true
id: funnel-by-country
title: By country
columns:
  country: {title: Country, unit: text}
  active: {title: Active, unit: count}
  blocked: {title: "Blocked, of active", unit: rate}
  tapped: {title: "Blocked and tapped, of active", unit: rate}
  subscribed: {title: New subs, unit: count}
empty: No event of this period names a country.
shown: 12
folded: true
---*/
SELECT ifnull(country, 'not told') AS country,
    count(*) AS active,
    sum(stage >= 3) AS blocked_part, count(*) AS blocked_whole,
    sum(stage >= 4) AS tapped_part, count(*) AS tapped_whole,
    sum(stage >= 5) AS subscribed
FROM person
WHERE is_active AND is_sampled
GROUP BY person.country
ORDER BY active DESC, ifnull(person.country, '')
