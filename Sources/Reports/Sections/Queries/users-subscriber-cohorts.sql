/*---
page: users
place: subscribers 2
everybody: true
counts: records
id: subscriber-cohorts
title: Subscribers by the month in which they joined or came back
columns:
  month: {title: Month, unit: text}
  people: {title: Joined or came back, unit: count}
  after_1: {title: Still there after 1 month, unit: rate}
  after_2: {title: 2 months, unit: rate}
  after_3: {title: 3 months, unit: rate}
  after_6: {title: 6 months, unit: rate}
definitions:
  Still there: People who had not left this many months after they joined. Blank until that day is
    over for everybody of the month. People who come back count again.
empty: Nobody has joined since sync-auth began to read the accounts.
folded: true
---*/
WITH coming AS (
    SELECT id, uid, seen_at, datetime(seen_at / 1000000, 'unixepoch') AS at, (
        SELECT min(seen_at) FROM v_tier_changes AS later
        WHERE later.uid = tier_changes.uid AND later.id > tier_changes.id
            AND ifnull(later.to_tier, 'free') = 'free') AS left_at
    FROM v_tier_changes AS tier_changes, period
    WHERE from_tier = 'free' AND to_tier IN ('lite', 'plus', 'pro') AND seen_at <= now
), span AS (
    SELECT 1 AS months UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 6
), stay AS (
    SELECT strftime('%Y-%m', at) AS month, months,
        unixepoch(at, '+' || months || ' months') * 1000000 AS due, left_at
    FROM coming, span
), share AS (
    SELECT month, months, count(*) AS people,
        sum(left_at IS NULL OR left_at > due) AS part,
        CASE WHEN max(due) <= (SELECT now FROM period) THEN count(*) END AS whole
    FROM stay GROUP BY month, months
)
SELECT month, max(people) AS people,
    max(part) FILTER (WHERE months = 1) AS after_1_part,
    max(whole) FILTER (WHERE months = 1) AS after_1_whole,
    max(part) FILTER (WHERE months = 2) AS after_2_part,
    max(whole) FILTER (WHERE months = 2) AS after_2_whole,
    max(part) FILTER (WHERE months = 3) AS after_3_part,
    max(whole) FILTER (WHERE months = 3) AS after_3_whole,
    max(part) FILTER (WHERE months = 6) AS after_6_part,
    max(whole) FILTER (WHERE months = 6) AS after_6_whole,
    (
        SELECT format('Of %,d people who joined or came back in %s, %,d were still there after a '
            || 'month.', whole, month, part)
        FROM share WHERE months = 1 AND whole > 0 ORDER BY month DESC LIMIT 1
    ) AS says
FROM share GROUP BY month ORDER BY month DESC LIMIT 24
