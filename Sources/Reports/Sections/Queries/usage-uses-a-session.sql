/*---
page: usage
place: features 4
everybody: true
id: uses-a-session
title: How often people use a feature in a session
columns:
  feature: {title: Feature, unit: feature}
  uses: {title: Uses in the session, unit: text}
  free: {title: By free users, unit: ratio}
  subscribers: {title: By subscribers, unit: ratio}
definitions:
  Session: Events of one person that are less than 30 minutes apart, at any limited feature. One that
    an end of the period cuts counts with its part in the period.
  Uses in the session: Events performed; 0 with taps alone. Each session counts once for each feature.
    Of 30,000 events on, those of one person in two are read, of 60,000 one in three, and so on.
  Free users: What the newest event of the session called them. The limit holds them; subscribers use
    the feature as often as they like.
empty: No feature was used in this period.
folded: true
---*/
WITH reading AS (
    -- Putting events in order is slow: of 30,000 on those of one person in so many are read.
    SELECT 1 + ifnull(
        sum(taps + performed + blocked + popups + dismissed + bypassed + subscription_taps), 0
    ) / 30000 AS one_in FROM usage_day WHERE in_period
), reader AS MATERIALIZED (
    SELECT person, user_id FROM person
    WHERE in_period AND person % (SELECT one_in FROM reading) = 0
), seen AS (
    SELECT person, feature, kind, user_type, row_number() OVER later AS place,
        ifnull(at - lag(at) OVER later >= 30 * 60 * 1000000, 1) AS is_first
    FROM v_events JOIN period JOIN reader USING (user_id)
    WHERE feature IS NOT NULL AND kind IS NOT NULL AND at >= start AND at < "end"
        AND (only_platform IS NULL OR platform IS NULL OR platform = only_platform)
    WINDOW later AS (PARTITION BY person ORDER BY at, id)
), numbered AS MATERIALIZED (
    SELECT *, sum(is_first) OVER (ORDER BY person, place ROWS UNBOUNDED PRECEDING) AS session
    FROM seen
), called AS (
    SELECT session, user_type, max(place)
    FROM numbered WHERE user_type IS NOT NULL GROUP BY session
), used AS (
    SELECT session, feature, sum(kind = 'performed') AS uses
    FROM numbered WHERE kind IN ('button_tapped', 'performed') GROUP BY session, feature
), spread AS (
    SELECT feature, min(uses, 6) AS uses, sum(user_type IS 'free_user') AS free,
        sum(user_type IS 'lite_subscriber') AS subscribers
    FROM used LEFT JOIN called USING (session) GROUP BY 1, 2
)
SELECT feature, iif(uses = 6, '6 or more', CAST(uses AS TEXT)) AS uses,
    free AS free_part, sum(free) OVER (PARTITION BY feature) AS free_whole,
    subscribers AS subscribers_part,
    sum(subscribers) OVER (PARTITION BY feature) AS subscribers_whole
FROM spread ORDER BY instr('refresh filter search message conversation', feature), spread.uses
