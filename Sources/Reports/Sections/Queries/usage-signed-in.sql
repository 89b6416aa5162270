/*---
page: usage
place: people 2
everybody: true
id: signed-in
title: Signed in, and anonymous
columns:
  who: {title: Whose events, unit: text}
  people: {title: People, unit: count}
  taps: {title: Taps, unit: count}
  performed: {title: Performed, unit: count}
  blocked: {title: "Blocked, of free taps", unit: ratio}
  popups: {title: Popups, unit: count}
  subscribed: {title: "Tapped to subscribe, of popups", unit: ratio}
definitions:
  Anonymous: Events without a user id, and those of profiles that are not signed in. Nobody knows
    how many people made them.
  Tapped to subscribe: Popups that ended by a tap on the subscription button.
empty: Every event of this period names its user.
optional: true
folded: true
---*/
WITH total AS (
    SELECT sum(taps) AS taps, sum(performed) AS performed, sum(free_taps) AS free_taps,
        sum(free_blocked) AS free_blocked
    FROM usage_day WHERE in_period
), named AS MATERIALIZED (
    SELECT count(*) AS people, ifnull(sum(taps), 0) AS taps,
        ifnull(sum(performed), 0) AS performed, ifnull(sum(free_taps), 0) AS free_taps,
        ifnull(sum(free_blocked), 0) AS free_blocked
    FROM person WHERE in_period AND user_id NOT GLOB 'profile *'
), shown AS MATERIALIZED (
    SELECT ifnull(person.user_id NOT GLOB 'profile *', 0) AS is_named, count(*) AS popups,
        sum(ending IS 'subscribe') AS taps
    FROM popup LEFT JOIN person USING (person) GROUP BY 1
), side AS (
    SELECT 1 AS is_named, people, taps, performed, free_taps, free_blocked FROM named
    UNION ALL
    SELECT 0, NULL, total.taps - named.taps, total.performed - named.performed,
        total.free_taps - named.free_taps, total.free_blocked - named.free_blocked
    FROM total, named
)
SELECT iif(is_named, 'Signed in', 'Anonymous, or of a profile without a user id') AS who, people,
    side.taps, performed, free_blocked AS blocked_part, free_taps AS blocked_whole,
    ifnull(popups, 0) AS popups, ifnull(shown.taps, 0) AS subscribed_part,
    ifnull(popups, 0) AS subscribed_whole,
    (
        SELECT format(
            'Signed-in people tapped to subscribe on %,d of %,d popups, others on %,d of %,d%s.',
            sum(taps) FILTER (WHERE is_named), sum(popups) FILTER (WHERE is_named),
            sum(taps) FILTER (WHERE NOT is_named), sum(popups) FILTER (WHERE NOT is_named),
            iif(min(popups) < 30, ': too few to tell', ''))
        FROM shown HAVING count(*) = 2
    ) AS says
FROM side LEFT JOIN shown USING (is_named)
WHERE EXISTS (
    SELECT 1 FROM side AS nobody LEFT JOIN shown USING (is_named)
    WHERE NOT is_named
        AND nobody.taps + performed + free_blocked + ifnull(popups, 0) > 0)
ORDER BY is_named DESC
