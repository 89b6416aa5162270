/*---
page: usage
place: platforms 2
everybody: true
optional: true
id: funnel-by-platform
title: From active to subscriber, by platform
columns:
  platform: {title: Platform, unit: code}
  active: {title: Active, unit: count}
  blocked: {title: "Blocked, of active", unit: rate}
  tapped: {title: "Blocked and tapped, of active", unit: rate}
  verdict: {title: "Tapped, beside the others", unit: verdict, optional: true}
  subscribed: {title: "New subs, of active", unit: rate}
definitions:
  Platform: That of their first event in the period or in the newest 102 days.
  Beside the others: Whether the share that was blocked and tapped is higher or lower than that of
    the people of all other platforms together, by Newcombe's interval of the difference.
empty: No feature was used in this period.
folded: true
---*/
WITH side AS (
    SELECT platform, count(*) AS n2, sum(stage >= 3) AS blocked,
        sum(stage >= 4) AS k2, sum(stage >= 5) AS subscribed,
        sum(sum(stage >= 4)) OVER () - sum(stage >= 4) AS k1,
        sum(count(*)) OVER () - count(*) AS n1
    FROM person
    WHERE is_active AND (SELECT count(DISTINCT own.platform) FROM person AS own WHERE own.is_active) > 1
    GROUP BY platform
), share AS (
    -- Wilson's intervals: z is 1.959963985, z * z / 2 is 1.920729410, z * z / 4 is 0.960364705.
    SELECT *, 1.0 * k1 / n1 AS p1, 1.0 * k2 / n2 AS p2,
        (k1 + 1.920729410 - 1.959963985 * sqrt(1.0 * k1 * (n1 - k1) / n1 + 0.960364705))
            / (n1 + 3.841458821) AS low1,
        (k1 + 1.920729410 + 1.959963985 * sqrt(1.0 * k1 * (n1 - k1) / n1 + 0.960364705))
            / (n1 + 3.841458821) AS high1,
        (k2 + 1.920729410 - 1.959963985 * sqrt(1.0 * k2 * (n2 - k2) / n2 + 0.960364705))
            / (n2 + 3.841458821) AS low2,
        (k2 + 1.920729410 + 1.959963985 * sqrt(1.0 * k2 * (n2 - k2) / n2 + 0.960364705))
            / (n2 + 3.841458821) AS high2
    FROM side WHERE n1 > 0
), judged AS (
    SELECT *, CASE WHEN p2 - p1 > sqrt(pow(p2 - low2, 2) + pow(high1 - p1, 2)) THEN 'higher'
        WHEN p1 - p2 > sqrt(pow(high2 - p2, 2) + pow(p1 - low1, 2)) THEN 'lower' END AS verdict
    FROM share
)
SELECT platform, n2 AS active, blocked AS blocked_part, n2 AS blocked_whole,
    k2 AS tapped_part, n2 AS tapped_whole, k1 AS verdict_from_part, n1 AS verdict_from_whole,
    k2 AS verdict_to_part, n2 AS verdict_to_whole, subscribed AS subscribed_part,
    n2 AS subscribed_whole,
    (
        SELECT 'Blocked and tapped, of active: ' || group_concat(
                format('%s %,d of %,d', platform, k2, n2)
                    || ifnull(' (' || verdict || ' than the others)', ''), ', ')
            || iif(count(verdict) = 0, ': no difference is proven.', '.')
        FROM (SELECT * FROM judged ORDER BY n2 DESC, platform)
    ) AS says
FROM side ORDER BY active DESC, platform
