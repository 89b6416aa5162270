/*---
page: money
place: blocks 1
everybody: true
id: after-a-block
title: After a block, and without one
columns:
  within: {title: Within, unit: text}
  what: {title: They, unit: text}
  blocked: {title: Blocked, unit: rate}
  others: {title: Not blocked, unit: rate}
  difference: {title: Difference, unit: points}
  still_open: {title: Open, unit: count}
definitions:
  Blocked: People who were free users on the day of their first block in the newest 102 days. They
    are followed for the given days of 24 hours after that block.
  Not blocked: People who used a limited feature as free users on a day on which others were first
    blocked, and were not blocked until the end of it. They are followed after their first use of
    the day. A hash chooses one day for each person. The person's weight is the number of such days,
    and each day is weighted by its blocked people. The number beside the share is Kish's effective
    number of these weighted people, rounded.
  Blocked later: People who are blocked on a later day stay in "Not blocked", so the true difference
    may be larger. Leaving them out would choose people by what they did later.
  Subscribed: Seen as a subscriber for the first time within these days.
  Came back: Did not subscribe, and within these days made an attempt that succeeded (also after
    waiting), or an attempt 30 minutes or more after the one before.
  Left: Did neither of these. Every person is in one of the three groups.
  Sample: From 10,000,000 events in the ledger on, one in 16 people.
  Open: Blocked people whose days are not over, or not all known. The shares leave them out.
  Observation: Blocked people use the app more than others, so the difference is not the effect of
    the block. The limits page shows the effect of a changed limit, before and after.
empty: Nobody was blocked.
---*/
WITH hit AS (
    SELECT person, min(at) AS at, (SELECT max(day) FROM day WHERE start <= min(at)) AS day
    FROM block GROUP BY person
), chance AS (
    SELECT person, person_day.day, (person * 7919 + person_day.day * 104729) % 65537 AS lot
    FROM person_day JOIN day USING (day) JOIN person USING (person)
        LEFT JOIN hit USING (person)
    WHERE is_free AND is_sampled AND (hit.day IS NULL OR hit.day > person_day.day)
        AND person_day.day IN (SELECT day FROM hit) AND EXISTS (
            SELECT 1 FROM attempt WHERE attempt.person = person_day.person AND is_use
                AND at >= start AND at < "end")
), other AS (
    SELECT person, day, min(lot * lot * lot % 65537), count(*) AS weight FROM chance GROUP BY person
), member AS (
    SELECT person, day, at, 1 AS is_blocked, 1 AS weight FROM hit
    UNION ALL
    SELECT person, day, (
            SELECT min(at) FROM attempt
            WHERE attempt.person = other.person AND is_use AND at >= start AND at < "end"
        ), 0, weight FROM other JOIN day USING (day)
), next AS MATERIALIZED (
    SELECT member.*, (
            SELECT min(at) FROM attempt WHERE attempt.person = member.person AND at > member.at
        ) AS next_at
    FROM member
), followed AS (
    SELECT is_blocked, days, next.day, weight, ifnull(whole_from <= next.day, 0) AS is_over,
        ifnull(subscribed_at >= at AND subscribed_at <= at + days * 86400000000
            AND subscribed_at < "end", 0) AS subscribed,
        ifnull(next_at <= at + days * 86400000000 AND next_at < "end", 0) AS came
    FROM next JOIN (SELECT 1 AS days UNION ALL SELECT 7 UNION ALL SELECT 28)
        JOIN person USING (person)
        LEFT JOIN day AS last ON last.day = next.day + days
), cell AS (
    SELECT days, day, is_blocked, is_over, count(*) AS people, sum(weight) AS whole,
        sum(weight * subscribed) AS subscribed, sum(weight * (came AND NOT subscribed)) AS came,
        sum(weight * weight) AS squares
    FROM followed GROUP BY days, day, is_blocked
), weighed AS (
    SELECT cell.*, CASE WHEN cell.is_blocked THEN 1 ELSE 1.0 * hit.people / cell.whole END AS scale
    FROM cell JOIN cell AS hit ON hit.days = cell.days AND hit.day = cell.day AND hit.is_blocked
), sum AS (
    SELECT days, is_blocked, ifnull(sum(whole * scale) FILTER (WHERE is_over), 0) AS whole,
        ifnull(sum(subscribed * scale) FILTER (WHERE is_over), 0) AS subscribed,
        ifnull(sum(came * scale) FILTER (WHERE is_over), 0) AS came,
        sum(squares * scale * scale) FILTER (WHERE is_over) AS squares,
        ifnull(sum(people) FILTER (WHERE NOT is_over), 0) AS still_open
    FROM weighed GROUP BY days, is_blocked
), side AS (
    SELECT days, is_blocked, still_open, CAST(round(kish * whole) AS INTEGER) AS whole,
        CAST(round(kish * subscribed) AS INTEGER) AS subscribed,
        CAST(round(kish * (subscribed + came)) AS INTEGER)
            - CAST(round(kish * subscribed) AS INTEGER) AS came
    FROM (SELECT *, ifnull(1.0 * whole / squares, 1.0) AS kish FROM sum)
), line AS (
    SELECT days, is_blocked, 1 AS place, 'came back' AS what, came AS part, whole, still_open
    FROM side
    UNION ALL
    SELECT days, is_blocked, 2, 'subscribed', subscribed, whole, still_open FROM side
    UNION ALL
    SELECT days, is_blocked, 3, 'left', whole - came - subscribed, whole, still_open FROM side
)
SELECT CASE hit.days WHEN 1 THEN '1 day' ELSE hit.days || ' days' END AS within, hit.what,
    hit.part AS blocked_part, hit.whole AS blocked_whole,
    rest.part AS others_part, rest.whole AS others_whole,
    rest.part AS difference_from_part, rest.whole AS difference_from_whole,
    hit.part AS difference_to_part, hit.whole AS difference_to_whole, hit.still_open
FROM line AS hit LEFT JOIN line AS rest
    ON rest.days = hit.days AND rest.place = hit.place AND NOT rest.is_blocked
WHERE hit.is_blocked
ORDER BY hit.days, hit.place
