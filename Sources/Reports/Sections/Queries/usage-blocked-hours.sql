/*---
page: usage
place: hours 2
id: blocked-hours
title: Blocked attempts by hour of the day
columns:
  hour: {title: Hour, unit: text}
  blocked: {title: Blocked, unit: count, bars: true}
  share: {title: "Of free taps", unit: ratio}
  taps: {title: "Taps, of all people", unit: count}
definitions:
  Blocked: Attempts of people whom a limit can block, on all days of the period, in the report's time
    zone.
empty: Nobody was blocked in this period.
folded: true
---*/
WITH RECURSIVE clock(hour) AS (
    SELECT 0 UNION ALL SELECT hour + 1 FROM clock WHERE hour < 23
), used AS MATERIALIZED (
    SELECT hour, sum(free_blocked) AS blocked, sum(free_taps) AS free_taps,
        sum(taps) AS taps
    FROM usage_hour WHERE in_period GROUP BY hour
)
SELECT format('%02d:00', hour) AS hour, ifnull(blocked, 0) AS blocked,
    ifnull(blocked, 0) AS share_part, ifnull(free_taps, 0) AS share_whole,
    ifnull(taps, 0) AS taps,
    nullif(ltrim(ifnull((
        SELECT CASE count(*)
                WHEN 1 THEN format('Most taps come in the hour from %d:00: %,d of %,d.', hour, taps,
                    whole)
                WHEN 2 THEN format('Most taps come in the hours from %d:00 and from %d:00: %,d of '
                    || '%,d in each.', min(hour), max(hour), taps, whole)
            END
        FROM (SELECT *, max(taps) OVER () AS most, sum(taps) OVER () AS whole FROM used)
        WHERE taps = most
    ), '') || ifnull((
        SELECT CASE count(*)
                WHEN 1 THEN format(' The hour with the most blocks begins at %d:00: %,d of %,d.',
                    hour, blocked, whole)
                WHEN 2 THEN format(' Most blocks come in the hours from %d:00 and from %d:00: %,d '
                    || 'of %,d in each.', min(hour), max(hour), blocked, whole)
            END
        FROM (SELECT *, max(blocked) OVER () AS most, sum(blocked) OVER () AS whole FROM used)
        WHERE blocked = most
    ), '')), '') AS says
FROM clock LEFT JOIN used USING (hour)
WHERE (SELECT sum(blocked) FROM used) > 0
ORDER BY clock.hour
