/*---
page: users
place: people 3
id: tiers
title: By tier
lead: The documents do not say who subscribes. Tiers come from the accounts in Firebase
  Authentication. Until an account claims a tier, they come from the workspace's own profiles.
columns:
  tier: {title: Tier, unit: text}
  accounts: {title: Accounts, unit: count, optional: true}
  profiles: {title: Profiles, unit: count, optional: true}
  share: {title: Share, unit: ratio}
definitions:
  Accounts: An account whose claims name no tier counts as free. An account whose claim is
    unreadable counts with the tier that it had before.
empty: The workspace has no profile yet.
counts: records
---*/
WITH claimed AS (
    SELECT CASE WHEN names_other_tier THEN (
            SELECT to_tier FROM v_tier_changes WHERE uid = user_id ORDER BY id DESC LIMIT 1
        ) ELSE tier END AS tier
    FROM account
), claim AS (
    SELECT EXISTS (SELECT 1 FROM claimed WHERE tier IS NOT NULL) AS is_there
), counted AS (
    SELECT ifnull(tier, 'free') AS tier, count(*) AS people
    FROM claimed, claim WHERE is_there GROUP BY 1
    UNION ALL
    SELECT tier, count(*) FROM profile_tier, claim WHERE NOT is_there GROUP BY tier
), listed (place, tier) AS (
    VALUES (0, 'free'), (1, 'lite'), (2, 'plus'), (3, 'pro')
)
SELECT tier, iif(is_there, ifnull(people, 0), NULL) AS accounts,
    iif(is_there, NULL, ifnull(people, 0)) AS profiles,
    ifnull(people, 0) AS share_part, (SELECT sum(people) FROM counted) AS share_whole
FROM claim CROSS JOIN listed LEFT JOIN counted USING (tier)
WHERE EXISTS (SELECT 1 FROM counted) ORDER BY place
