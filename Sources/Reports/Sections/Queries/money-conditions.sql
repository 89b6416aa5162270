/*---
page: money
place: grace 2
everybody: true
id: conditions
title: By the limit that applied to them
columns:
  feature: {title: Feature, unit: feature}
  limit: {title: Limit, unit: count}
  listed: {title: Condition, unit: text, wraps: true}
  people: {title: People, unit: count}
  tapped: {title: Tapped after its popup, unit: rate}
  subscribed: {title: Subscribed after it, unit: rate}
  again: {title: Came back next day, unit: rate}
definitions:
  People: People of the period who saw a popup of the feature as free users, by the usage_limit of
    their events. People who saw several limits of a feature are left out.
  Condition: The conditions of Remote Config that have this value, and the value without a
    condition. "nowhere" means that neither has it now.
  Tapped, subscribed: At or after the person's first popup of the feature in the period.
  Sample: From 10,000,000 events in the ledger on, one in 16 people.
  Came back next day: With an event on the day after that popup. The share leaves out people whose
    next day is not over or not known.
empty: No event of the period has a limit.
---*/
WITH one AS (
    SELECT person, feature, max(usage_limit) AS "limit", min(at) AS at, max(is_tap) AS has_tapped
    FROM offer GROUP BY person, feature HAVING min(usage_limit) = max(usage_limit)
), placed AS MATERIALIZED (
    SELECT one.*, (SELECT day FROM day WHERE start <= at ORDER BY start DESC LIMIT 1) AS day
    FROM one
), wire(feature, wire_name) AS (
    VALUES ('refresh', 'freeRefreshLimit'), ('filter', 'freeFilterLimit'),
        ('search', 'freeSearchLimit'), ('message', 'freeMessagesLimit'),
        ('conversation', 'freeConversationsLimit')
), listed AS MATERIALIZED (
    SELECT feature, value, group_concat(name, ', ') AS names FROM (
        SELECT DISTINCT feature, CAST(value AS INTEGER) AS value,
            ifnull('condition ' || condition, 'no condition') AS name
        FROM setting_value JOIN wire USING (wire_name) WHERE is_now
        ORDER BY name
    ) GROUP BY feature, value
), kind AS (
    SELECT placed.feature, placed."limit", count(*) AS people, sum(has_tapped) AS tapped,
        ifnull(sum(subscribed_at >= at), 0) AS subscribed,
        sum(whole_from IS NOT NULL AND person_day.person IS NOT NULL) AS again,
        count(whole_from) AS known
    FROM placed CROSS JOIN person USING (person)
        LEFT JOIN day AS tomorrow ON tomorrow.day = placed.day + 1
        LEFT JOIN person_day
            ON person_day.person = placed.person AND person_day.day = tomorrow.day
    GROUP BY placed.feature, placed."limit"
)
SELECT kind.feature, kind."limit" AS "limit", ifnull(names, 'nowhere') AS listed,
    people, tapped AS tapped_part, people AS tapped_whole,
    subscribed AS subscribed_part, people AS subscribed_whole,
    again AS again_part, known AS again_whole
FROM kind LEFT JOIN listed ON listed.feature = kind.feature AND value = kind."limit"
ORDER BY instr('refresh filter search message conversation', kind.feature), kind."limit"
