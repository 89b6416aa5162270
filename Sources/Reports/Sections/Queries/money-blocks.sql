/*---
page: money
place: blocks 1
everybody: true
id: after-a-block
title: After a block, and without one
lead: In each time the three groups are everybody. Who subscribes later leaves the other two, so
  fewer may have come back in a longer time.
columns:
  within: {title: Within, unit: text}
  what: {title: Afterwards, unit: text}
  blocked: {title: Blocked, unit: rate}
  others: {title: "Not blocked, weighted", unit: rate}
  difference: {title: Difference, unit: points}
  verdict: {title: Verdict, unit: verdict}
  still_open: {title: Too early to tell, unit: count}
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
  Not seen again: Did neither of these. Every person is in one of the three groups.
  Sample: From 10,000,000 events in the ledger on, one in 16 people.
  Too early to tell: Blocked people whose days are not over, or not all known. The shares leave them
    out.
  Observation: People are blocked on days of much use, so more than the block tells the two groups
    apart. The limits page shows the effect of a changed limit, before and after.
empty: Nobody was blocked.
---*/
WITH hit AS MATERIALIZED (
    SELECT person, at, (SELECT day FROM day WHERE start <= at ORDER BY start DESC LIMIT 1) AS day
    FROM (SELECT person, min(at) AS at FROM block GROUP BY person)
), hit_day AS MATERIALIZED (
    SELECT day, start, "end" FROM day WHERE day IN (SELECT day FROM hit)
), other AS (
    -- In the order of people, whose days and attempts lie together; a hash chooses one of the days.
    SELECT person.person, person_day.day, start, "end", count(*) AS weight, min(
        pow((person.person * 7919 + person_day.day * 104729) % 65537, 3) % 65537) AS lot
    FROM person LEFT JOIN hit USING (person)
        CROSS JOIN person_day ON person_day.person = person.person
        CROSS JOIN hit_day ON hit_day.day = person_day.day
    WHERE is_free AND is_sampled AND (hit.day IS NULL OR hit.day > person_day.day) AND EXISTS (
            SELECT 1 FROM attempt WHERE attempt.person = person.person AND is_use
                AND at >= start AND at < "end")
    GROUP BY person.person
), member AS (
    SELECT person, day, at, 1 AS is_blocked, 1 AS weight FROM hit
    UNION ALL
    SELECT person, day, (
            SELECT min(at) FROM attempt
            WHERE attempt.person = other.person AND is_use AND at >= start AND at < "end"
        ), 0, weight FROM other
), next AS MATERIALIZED (
    SELECT *, (
            SELECT min(at) FROM attempt WHERE attempt.person = member.person AND at > member.at
        ) AS next_at
    FROM member
), alike AS MATERIALIZED (
    -- The least of 1, 7 and 28 days in which they subscribed, and came back; 99 for others.
    SELECT next.day, is_blocked, count(*) AS people, sum(weight) AS whole,
        sum(weight * weight) AS squares,
        CASE WHEN subscribed_at < at OR subscribed_at IS NULL THEN 99
            WHEN subscribed_at <= at + 86400000000 AND subscribed_at < day_1."end" THEN 1
            WHEN subscribed_at <= at + 7 * 86400000000 AND subscribed_at < day_7."end" THEN 7
            WHEN subscribed_at <= at + 28 * 86400000000 AND subscribed_at < day_28."end" THEN 28
            ELSE 99 END AS subscribed_in,
        CASE WHEN next_at <= at + 86400000000 AND next_at < day_1."end" THEN 1
            WHEN next_at <= at + 7 * 86400000000 AND next_at < day_7."end" THEN 7
            WHEN next_at <= at + 28 * 86400000000 AND next_at < day_28."end" THEN 28
            ELSE 99 END AS came_in
    FROM next CROSS JOIN person USING (person)
        LEFT JOIN day AS day_1 ON day_1.day = next.day + 1
        LEFT JOIN day AS day_7 ON day_7.day = next.day + 7
        LEFT JOIN day AS day_28 ON day_28.day = next.day + 28
    GROUP BY next.day, is_blocked, subscribed_in, came_in
), cell AS (
    SELECT days, alike.day, is_blocked, ifnull(whole_from <= alike.day, 0) AS is_over,
        sum(people) AS people, sum(whole) AS whole,
        sum(whole * (subscribed_in <= days)) AS subscribed,
        sum(whole * (came_in <= days AND subscribed_in > days)) AS came, sum(squares) AS squares
    FROM alike JOIN (SELECT 1 AS days UNION ALL SELECT 7 UNION ALL SELECT 28)
        LEFT JOIN day AS last ON last.day = alike.day + days
    GROUP BY days, alike.day, is_blocked
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
), line AS MATERIALIZED (
    SELECT days, is_blocked, 1 AS place, 'came back' AS what, came AS part, whole, still_open
    FROM side
    UNION ALL
    SELECT days, is_blocked, 2, 'subscribed', subscribed, whole, still_open FROM side
    UNION ALL
    SELECT days, is_blocked, 3, 'not seen again', whole - came - subscribed, whole, still_open FROM side
), share AS (
    -- The others are weighted, so they are told as percentages.
    SELECT days, place, is_blocked, whole,
        replace(format(iif(100 * part BETWEEN 9.95 * whole AND 99 * whole, '%.0f', '%.1f'),
            iif(part = 0, 0, max(0.1, 100.0 * part / whole))), '.0', '') || '%' AS words
    FROM line
), pair AS (
    SELECT hit.days, hit.place, hit.whole, hit.words, rest.whole AS rest_whole,
        rest.words AS rest_words
    FROM share AS hit JOIN share AS rest USING (days, place)
    WHERE hit.is_blocked AND NOT rest.is_blocked
), told AS (
    -- The rows 5, 2 and 6 of the table. Of fewer than 30 people nothing is said.
    SELECT format('Within a day of a first block %s of %,d people subscribed, of others %s: '
            || '{verdict 2}. Within a week %s and %s: {verdict 5}. ',
            day.words, day.whole, day.rest_words, week.words, week.rest_words) AS subscribed,
        format('Not seen again for a week: %s and %s, {verdict 6}. ', gone.words, gone.rest_words)
            AS gone, 'Observed, not tested (newest 102 days).' AS note
    FROM pair AS week JOIN pair AS day JOIN pair AS gone
    WHERE (week.days, week.place) = (7, 2) AND (day.days, day.place) = (1, 2)
        AND (gone.days, gone.place) = (7, 3) AND min(week.whole, week.rest_whole) >= 30
        AND min(day.whole, day.rest_whole) >= 30
)
SELECT CASE hit.days WHEN 1 THEN '1 day' ELSE hit.days || ' days' END AS within, hit.what,
    hit.part AS blocked_part, hit.whole AS blocked_whole,
    rest.part AS others_part, rest.whole AS others_whole,
    rest.part AS difference_from_part, rest.whole AS difference_from_whole,
    hit.part AS difference_to_part, hit.whole AS difference_to_whole,
    rest.part AS verdict_from_part, rest.whole AS verdict_from_whole,
    hit.part AS verdict_to_part, hit.whole AS verdict_to_whole, hit.still_open,
    (SELECT subscribed || gone || note FROM told) AS says,
    (SELECT subscribed || note FROM told) AS index_says
FROM line AS hit LEFT JOIN line AS rest
    ON rest.days = hit.days AND rest.place = hit.place AND NOT rest.is_blocked
WHERE hit.is_blocked
ORDER BY hit.days, hit.place
