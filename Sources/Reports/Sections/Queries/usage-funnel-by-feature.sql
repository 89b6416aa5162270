/*---
page: usage
place: funnel 3
everybody: true
id: funnel-by-feature
title: Which limit sells
columns:
  feature: {title: Limit of, unit: feature}
  saw: {title: Saw its popup, unit: count}
  blocked: {title: "Blocked, of these", unit: rate}
  tapped: {title: "Tapped to subscribe, of blocked", unit: rate}
  subscribed: {title: New subs, unit: count}
definitions:
  Saw its popup: People of the funnel who saw a popup of this feature, or were blocked at it.
  Blocked: People of the funnel who were blocked at this feature. A person who was blocked at two
    features counts at both. The last row has the people of the funnel, each once. Their
    share that tapped may be above that of every feature.
  Tapped to subscribe: They tapped the subscription button of this feature at or after that block.
  New subs: The last tap before the subscription was on this feature. These add up to the last stage
    of the funnel.
empty: Nobody saw a limit's popup as a free user.
---*/
WITH member AS MATERIALIZED (
    SELECT person, subscribed_after_tap AS is_sold, tapped_after_block AS has_tapped, subscribed_at,
        was_blocked
    FROM person WHERE is_active AND is_sampled AND saw_popup
), hit AS MATERIALIZED (
    -- Who came through the limit may have been blocked before the period.
    SELECT block.feature, block.person, min(block.at) AS at
    FROM period CROSS JOIN block CROSS JOIN member ON member.person = block.person
    WHERE was_blocked AND iif(is_sold, block.at <= subscribed_at, block.at >= start)
    GROUP BY block.feature, block.person
), tap AS MATERIALIZED (
    SELECT shown.person, shown.feature, shown.at
    FROM subscription_tap AS shown CROSS JOIN member ON member.person = shown.person
    WHERE has_tapped AND (NOT is_sold OR shown.at <= subscribed_at)
), tapped AS (
    SELECT DISTINCT hit.feature, hit.person
    FROM hit JOIN tap ON tap.feature = hit.feature AND tap.person = hit.person
        AND tap.at >= hit.at
), sold AS (
    SELECT feature, person FROM (
        SELECT tap.feature, tap.person, row_number() OVER (
                PARTITION BY tap.person ORDER BY tap.at DESC, tap.feature) AS place
        FROM tap JOIN member USING (person) WHERE is_sold
    ) WHERE place = 1
), step AS (
    SELECT 'saw' AS step, feature, person FROM hit
    UNION
    SELECT 'saw', popup.feature, popup.person
    FROM popup CROSS JOIN member ON member.person = popup.person
    UNION ALL
    SELECT 'blocked', feature, person FROM hit
    UNION ALL
    SELECT 'tapped', feature, person FROM tapped
    UNION ALL
    SELECT 'sold', feature, person FROM sold
), wide AS (
    SELECT 0 AS is_total, feature, sum(step = 'saw') AS saw, sum(step = 'blocked') AS blocked,
        sum(step = 'tapped') AS tapped, sum(step = 'sold') AS sold
    FROM step GROUP BY feature
    UNION ALL
    SELECT 1, 'all', count(*), sum(was_blocked), sum(was_blocked AND has_tapped),
        sum(was_blocked AND has_tapped AND is_sold)
    FROM member WHERE EXISTS (SELECT 1 FROM step)
)
SELECT feature, is_total, saw, blocked AS blocked_part, saw AS blocked_whole, tapped AS tapped_part,
    blocked AS tapped_whole, sold AS subscribed,
    (
        -- Of fewer than ten the order is chance.
        SELECT CASE WHEN sold_of_all < 10
                THEN format('New subscribers: %,d, too few to tell which limit sells most.',
                    sold_of_all)
            WHEN sold > next_sold
                THEN format('The limit of %s sells most: %,d of %,d new subscribers.', feature,
                    sold, sold_of_all)
            ELSE 'No limit sells most: two have as many new subscribers.' END
            || ' Tapped, of blocked: ' || (
                SELECT group_concat(format('%s %,d of %,d', feature, tapped, blocked), ', ')
                FROM (
                    SELECT * FROM wide WHERE NOT is_total
                    ORDER BY instr('refresh filter search message conversation', feature))
            ) || '.'
        FROM (
            SELECT feature, sold, lead(sold, 1, 0) OVER (ORDER BY sold DESC) AS next_sold,
                sum(sold) OVER () AS sold_of_all
            FROM wide WHERE NOT is_total ORDER BY sold DESC LIMIT 1
        )
    ) AS says
FROM wide
ORDER BY is_total, instr('refresh filter search message conversation', feature)
