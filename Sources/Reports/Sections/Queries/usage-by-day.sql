/*---
page: usage
place: days 1
title: Taps by day
columns:
  day: {title: Day, unit: day}
  taps: {title: Taps, unit: count}
  not_blocked: {title: Not blocked, unit: count}
  performed: {title: Performed, unit: count}
  blocked: {title: Blocked, unit: count}
  other: {title: Other, unit: count}
  popups: {title: Popups, unit: count}
  dismissed: {title: Dismissed, unit: count}
  bypassed: {title: Bypassed, unit: count}
  before: {title: Taps before, unit: count}
chart:
  form: columns
  series:
    - {column: not_blocked, title: Not blocked, tone: main}
    - {column: blocked, title: Blocked, tone: blocked}
  unit: taps a day
  week_unit: taps a week
  previous: before
  labels: day
definitions:
  Day: A calendar day in the report's time zone. A day without data has no count. A day whose export
    is still to come is hatched, and has the program's own events alone.
  Not blocked: Taps without those that were blocked, as the index draws them.
  Taps before: On the matching day of the period before, drawn as a dash across the column. Today
    has none, because it is not over.
empty: No feature was used in this period.
---*/
WITH earlier AS (
    SELECT day + (
            SELECT min(day) FROM day WHERE in_period
        ) - (
            SELECT day FROM day, period
            WHERE day.start <= previous_start AND day.end > previous_start
        ) AS day,
        CASE WHEN is_known THEN ifnull(sum(taps), 0) END AS before
    FROM day LEFT JOIN usage_day USING (day) WHERE NOT day.in_period GROUP BY day.day
)
SELECT date AS day, ifnull(nullif(taps, 0), zero) AS taps,
    ifnull(nullif(performed, 0), zero) AS performed,
    ifnull(nullif(blocked, 0), zero) AS blocked,
    ifnull(nullif(taps - performed - blocked, 0), zero) AS other,
    ifnull(nullif(popups, 0), zero) AS popups, ifnull(nullif(dismissed, 0), zero) AS dismissed,
    ifnull(nullif(bypassed, 0), zero) AS bypassed,
    ifnull(nullif(max(0, taps - blocked), 0), zero) AS not_blocked,
    iif(coverage IN ('running', 'awaited'), NULL, before) AS before,
    coverage NOT IN ('whole', 'running') AS is_gap
FROM (SELECT *, iif(is_counted, 0, NULL) AS zero FROM day) AS day LEFT JOIN (
    SELECT day, sum(taps) AS taps, sum(performed) AS performed, sum(blocked) AS blocked,
        sum(popups) AS popups, sum(dismissed) AS dismissed, sum(bypassed) AS bypassed
    FROM usage_day WHERE in_period GROUP BY day
) AS used ON used.day = day.day AND is_known LEFT JOIN earlier ON earlier.day = day.day
WHERE in_period AND EXISTS (
    SELECT 1 FROM usage_day WHERE in_period
        AND taps + performed + blocked + popups + dismissed + bypassed + subscription_taps > 0)
ORDER BY day.day
