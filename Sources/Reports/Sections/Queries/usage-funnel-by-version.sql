/*---
page: usage
place: funnel 6
everybody: true
id: funnel-by-version
title: By app version
columns:
  version: {title: Version, unit: text}
  active: {title: Active, unit: count}
  blocked: {title: "Blocked, of active", unit: rate}
  tapped: {title: "Blocked and tapped, of active", unit: rate}
  verdict: {title: "Tapped, beside the others", unit: verdict, optional: true}
  subscribed: {title: "New subs, of active", unit: rate}
definitions:
  Version: That of the first event of their first day in this period whose first event names one.
  Beside the others: Whether the share that was blocked and tapped is higher or lower than that of
    the people of all other versions together, by Newcombe's interval of the difference.
empty: Nobody was active as a free user.
shown: 12
folded: true
---*/
WITH side AS (
    SELECT ifnull(app_version, 'not told') AS version, count(*) AS n2, sum(stage >= 3) AS blocked,
        sum(stage >= 4) AS k2, sum(stage >= 5) AS subscribed,
        sum(sum(stage >= 4)) OVER () - sum(stage >= 4) AS k1,
        sum(count(*)) OVER () - count(*) AS n1
    FROM person
    WHERE is_active GROUP BY app_version
), share AS (
    -- Wilson's intervals: z is 1.959963985, z * z / 2 is 1.920729410, z * z / 4 is 0.960364705.
    SELECT *, 1.0 * k1 / n1 AS p1, 1.0 * k2 / n2 AS p2,
        (k1 + 1.920729410 - 1.959963985 * sqrt(1.0 * k1 * (n1 - k1) / n1 + 0.960364705))
            / (n1 + 3.841458821) AS low1,
        (k2 + 1.920729410 + 1.959963985 * sqrt(1.0 * k2 * (n2 - k2) / n2 + 0.960364705))
            / (n2 + 3.841458821) AS high2
    FROM side WHERE n1 > 0
), judged AS (
    SELECT *, p1 - p2 > sqrt(pow(high2 - p2, 2) + pow(p1 - low1, 2)) AS is_lower FROM share
)
SELECT version, n2 AS active, blocked AS blocked_part, n2 AS blocked_whole,
    k2 AS tapped_part, n2 AS tapped_whole, k1 AS verdict_from_part, n1 AS verdict_from_whole,
    k2 AS verdict_to_part, n2 AS verdict_to_whole, subscribed AS subscribed_part,
    n2 AS subscribed_whole,
    (
        SELECT CASE WHEN sum(is_lower) > 0
                THEN 'Proven to sell less than the others: ' || group_concat(
                    format('%s, where %,d of %,d people were blocked and tapped', version, k2, n2),
                    '; ') FILTER (WHERE is_lower)
            ELSE 'No version is proven to sell less than the others; blocked and tapped: '
                || group_concat(format('%s %,d of %,d', version, k2, n2), ', ')
                    FILTER (WHERE place <= 3) END || '.'
        FROM (SELECT *, row_number() OVER (ORDER BY n2 DESC, version) AS place FROM judged)
        HAVING count(*) > 1
    ) AS says
FROM side ORDER BY active DESC, version = 'not told' DESC, version
