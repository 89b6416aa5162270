/*---
page: limits
place: paywall 1
after: quotas
everybody: true
title: The paywall by trigger
lead: Why the paywall was shown in this period, and who subscribed after it.
columns:
  trigger: {title: Trigger, unit: code}
  refused: {title: Moments refused, unit: count}
  shown: {title: Shown, unit: count, bars: true}
  people: {title: People who saw it, unit: count}
  upgraded: {title: "Subscribed after it, of these", unit: rate}
definitions:
  Shown: Events paywall_shown; a refused moment shows it, too.
  Subscribed after it: Events tier_changed from free to lite, plus or pro in this period. They count
    for the last paywall that the person saw before.
empty: No paywall was shown in this period.
---*/
WITH event AS (
    SELECT name, at, id, user_id,
        parameters ->> ('$.' || platform || '_paywall_trigger') AS trigger,
        name = 'tier_changed'
            AND parameters ->> ('$.' || platform || '_previous_subscription_status') = 'free'
            AND parameters ->> ('$.' || platform || '_subscription_status')
                IN ('lite', 'plus', 'pro') AS is_upgrade
    FROM (
        SELECT *, ifnull((
            SELECT substr(key, 1, instr(key, '_') - 1) FROM json_each(parameters)
            WHERE key GLOB '*_subscription_status' AND key NOT GLOB '*previous*'), '') AS platform
        FROM (
            SELECT id, name, at, user_id, parameters FROM v_events, period
            WHERE feature IS NULL
                AND (name GLOB 'moment_*' OR name IN ('paywall_shown', 'tier_changed'))
                AND at >= start AND at < "end"
                AND (only_platform IS NULL OR platform IS NULL OR platform = only_platform)
        )
    ) AS told
), upgrade AS (
    SELECT user_id, (
        SELECT trigger FROM event AS before
        WHERE before.user_id = event.user_id AND before.name = 'paywall_shown'
            AND (before.at, before.id) < (event.at, event.id)
        ORDER BY before.at DESC, before.id DESC LIMIT 1) AS trigger
    FROM event WHERE is_upgrade
)
SELECT trigger, sum(name = 'moment_refused') AS refused, sum(name = 'paywall_shown') AS shown,
    count(DISTINCT CASE name WHEN 'paywall_shown' THEN user_id END) AS people,
    (SELECT count(DISTINCT user_id) FROM upgrade WHERE upgrade.trigger = event.trigger)
        AS upgraded_part,
    count(DISTINCT CASE name WHEN 'paywall_shown' THEN user_id END) AS upgraded_whole,
    (
        -- Of fewer than ten the order is chance.
        SELECT format('After a paywall %,d of %,d people subscribed', sold, people)
            || iif(sold < 10, ': too few to tell whether a quota sells.', '.')
        FROM (
            SELECT count(DISTINCT iif(name = 'paywall_shown', user_id, NULL)) AS people,
                (SELECT count(DISTINCT user_id) FROM upgrade WHERE trigger IS NOT NULL) AS sold
            FROM event WHERE trigger IS NOT NULL
        )
    ) AS says
FROM event WHERE trigger IS NOT NULL
GROUP BY trigger ORDER BY shown DESC, trigger
