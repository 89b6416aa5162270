-- The tables and views that queries of a report read: docs/relations.md tells their columns.
-- `RelationTables` adds the views whose SQL the program has elsewhere, too.
CREATE TEMP TABLE period (
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    now INTEGER NOT NULL,
    time_zone TEXT NOT NULL,
    previous_start INTEGER NOT NULL,
    whole_start INTEGER,
    whole_end INTEGER,
    before_start INTEGER,
    before_end INTEGER,
    is_compared INTEGER NOT NULL,
    today_start INTEGER,
    today_end INTEGER,
    today_before_start INTEGER,
    today_before_end INTEGER,
    is_today_compared INTEGER NOT NULL,
    sampled_one_in INTEGER NOT NULL,
    first_day INTEGER,
    only_user TEXT,
    only_platform TEXT
);
CREATE TEMP TABLE day (
    day INTEGER PRIMARY KEY,
    date TEXT NOT NULL,
    start INTEGER NOT NULL UNIQUE,
    "end" INTEGER NOT NULL,
    weekday INTEGER NOT NULL,
    coverage TEXT NOT NULL,
    is_known INTEGER NOT NULL,
    is_counted INTEGER NOT NULL,
    whole_from INTEGER,
    in_period INTEGER NOT NULL,
    in_whole INTEGER NOT NULL,
    in_before INTEGER NOT NULL
);
CREATE TEMP TABLE usage_hour (
    day INTEGER NOT NULL,
    hour INTEGER NOT NULL,
    feature TEXT NOT NULL,
    segment TEXT,
    platform TEXT NOT NULL,
    in_period INTEGER NOT NULL,
    in_whole INTEGER NOT NULL,
    in_before INTEGER NOT NULL,
    taps INTEGER NOT NULL,
    free_taps INTEGER NOT NULL,
    performed INTEGER NOT NULL,
    blocked INTEGER NOT NULL,
    free_blocked INTEGER NOT NULL,
    free_blocked_in_wait INTEGER NOT NULL,
    popups INTEGER NOT NULL,
    dismissed INTEGER NOT NULL,
    bypassed INTEGER NOT NULL,
    subscription_taps INTEGER NOT NULL
);
CREATE TEMP TABLE usage_day (
    day INTEGER NOT NULL,
    feature TEXT NOT NULL,
    segment TEXT,
    platform TEXT NOT NULL,
    in_period INTEGER NOT NULL,
    in_whole INTEGER NOT NULL,
    in_before INTEGER NOT NULL,
    taps INTEGER NOT NULL,
    free_taps INTEGER NOT NULL,
    performed INTEGER NOT NULL,
    blocked INTEGER NOT NULL,
    free_blocked INTEGER NOT NULL,
    free_blocked_in_wait INTEGER NOT NULL,
    popups INTEGER NOT NULL,
    dismissed INTEGER NOT NULL,
    bypassed INTEGER NOT NULL,
    subscription_taps INTEGER NOT NULL
);
CREATE TEMP TABLE person (
    person INTEGER PRIMARY KEY,
    user_id TEXT NOT NULL,
    first_day INTEGER,
    account_day INTEGER,
    in_period INTEGER NOT NULL,
    is_active INTEGER NOT NULL,
    saw_popup INTEGER NOT NULL,
    was_blocked INTEGER NOT NULL,
    tapped INTEGER NOT NULL,
    tapped_after_block INTEGER NOT NULL,
    subscribed_after_tap INTEGER NOT NULL,
    stage INTEGER NOT NULL,
    stage_in_whole INTEGER NOT NULL,
    stage_in_before INTEGER,
    is_new_subscriber INTEGER NOT NULL,
    first_tap INTEGER,
    second_tap INTEGER,
    first_block INTEGER,
    taps INTEGER NOT NULL,
    free_taps INTEGER NOT NULL,
    performed INTEGER NOT NULL,
    free_blocked INTEGER NOT NULL,
    country TEXT,
    platform TEXT NOT NULL,
    is_sampled INTEGER NOT NULL,
    subscribed_at INTEGER,
    newest_segment TEXT,
    first_at INTEGER NOT NULL,
    new_until INTEGER,
    free_from INTEGER,
    came_through_limit INTEGER NOT NULL,
    app_version TEXT
);
CREATE TEMP TABLE use_day (
    feature TEXT NOT NULL,
    segment TEXT,
    uses INTEGER NOT NULL,
    person_days INTEGER NOT NULL
);
CREATE TEMP TABLE offer (
    person INTEGER NOT NULL,
    at INTEGER NOT NULL,
    feature TEXT NOT NULL,
    usage_limit INTEGER NOT NULL,
    uses_left INTEGER NOT NULL,
    is_tap INTEGER NOT NULL
);
CREATE TEMP TABLE price_shown (
    person INTEGER NOT NULL,
    at INTEGER NOT NULL,
    feature TEXT NOT NULL,
    is_tap INTEGER NOT NULL,
    price TEXT,
    amount REAL,
    currency TEXT,
    term TEXT,
    monthly REAL
);
CREATE TEMP TABLE price_day (
    person INTEGER NOT NULL,
    start INTEGER NOT NULL,
    is_tap INTEGER NOT NULL,
    price TEXT NOT NULL,
    amount REAL,
    currency TEXT,
    term TEXT,
    monthly REAL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL
);
CREATE TEMP TABLE subscription_tap (
    person INTEGER NOT NULL,
    at INTEGER NOT NULL,
    feature TEXT NOT NULL
);
CREATE TEMP VIEW price_seen AS
SELECT person, price, amount, ifnull(currency, '¤') AS currency, term, seen.first,
    ifnull(last_tap >= seen.first, 0) AS has_tapped,
    ifnull(subscribed_at >= seen.first, 0) AS has_subscribed
FROM (
    SELECT person, price, amount, currency, term, min(first) AS first
    FROM temp.price_day WHERE NOT is_tap GROUP BY person HAVING min(price) = max(price)
) AS seen JOIN temp.person USING (person) LEFT JOIN (
    SELECT person, max(at) AS last_tap FROM temp.subscription_tap GROUP BY person
) USING (person);
CREATE TEMP VIEW price_pair AS
WITH one AS MATERIALIZED (
    SELECT * FROM temp.price_seen WHERE amount IS NOT NULL AND currency <> '¤'
), kind AS (
    SELECT currency, term FROM one GROUP BY currency, term HAVING count(DISTINCT amount) > 1
    ORDER BY count(*) DESC, currency, term LIMIT 1
), ranked AS (
    SELECT price, amount, one.currency, min(first) AS first, max(first) AS last,
        count(*) AS people,
        row_number() OVER (PARTITION BY amount ORDER BY count(*) DESC, price) AS place
    FROM one JOIN kind ON one.currency = kind.currency AND one.term IS kind.term
    GROUP BY price
), chosen AS (
    SELECT * FROM ranked WHERE place = 1 ORDER BY people DESC, price LIMIT 2
), span AS (
    SELECT min(price) FILTER (WHERE rank = 1) AS cheaper,
        min(price) FILTER (WHERE rank = 2) AS dearer,
        min(amount) AS cheaper_amount, max(amount) AS dearer_amount, currency,
        max(first) AS start, min(last) AS finish, min(first) AS earliest, max(last) AS latest
    FROM (SELECT *, row_number() OVER (ORDER BY amount) AS rank FROM chosen)
    HAVING count(*) = 2
), met AS (
    -- Where this time is a day or more, a person's day that touches it has an end in it.
    SELECT count(*) AS people, count(*) FILTER (WHERE price = dearer) AS dear
    FROM span CROSS JOIN temp.price_day AS shown
    WHERE price IN (cheaper, dearer) AND person IN (SELECT person FROM one)
        AND NOT is_tap AND shown.first <= finish AND shown.last >= span.start
    GROUP BY shown.start
), judged AS (
    -- Two people of a day saw different prices more than half as often as by lot.
    SELECT *, finish - start >= 86400000000 AND (
            SELECT 2 * sum(dear * (people - dear)) > sum(people * (people - 1))
                * (1.0 * sum(dear) / sum(people)) * (1 - 1.0 * sum(dear) / sum(people))
            FROM met
        ) AS together
    FROM span
)
SELECT cheaper, dearer, cheaper_amount, dearer_amount, currency, together,
    CASE WHEN together THEN start ELSE earliest END AS start,
    CASE WHEN together THEN finish ELSE latest END AS finish
FROM judged;
CREATE TEMP VIEW price_answer AS
WITH side AS (
    SELECT price_pair.*, max(1, (finish - start) / 86400000000.0) AS days,
        count(*) FILTER (WHERE price = cheaper) AS n1,
        count(*) FILTER (WHERE price = dearer) AS n2,
        ifnull(sum(has_tapped) FILTER (WHERE price = cheaper), 0) AS t1,
        ifnull(sum(has_tapped) FILTER (WHERE price = dearer), 0) AS t2,
        ifnull(sum(has_subscribed) FILTER (WHERE price = cheaper), 0) AS s1,
        ifnull(sum(has_subscribed) FILTER (WHERE price = dearer), 0) AS s2
    FROM temp.price_seen
        JOIN temp.price_pair ON price IN (cheaper, dearer) AND first BETWEEN start AND finish
), measure AS (
    -- Each share times what it brings: 1 for people, the price for money.
    SELECT 'tapped' AS measure, t1 AS k1, t2 AS k2, 1 AS a1, 1 AS a2, side.* FROM side
    UNION ALL
    SELECT 'subscribed', s1, s2, 1, 1, side.* FROM side
    UNION ALL
    SELECT 'money', s1, s2, cheaper_amount, dearer_amount, side.* FROM side
), share AS (
    SELECT *, 1.0 * k1 / n1 AS p1, 1.0 * k2 / n2 AS p2,
        1.959963985 * sqrt(1.0 * k1 * (n1 - k1) / n1 / n1 / n1 + 0.960364705 / n1 / n1)
            / (1 + 3.841458821 / n1) AS reach1,
        (1.0 * k1 / n1 + 1.920729410 / n1) / (1 + 3.841458821 / n1) AS centre1,
        1.959963985 * sqrt(1.0 * k2 * (n2 - k2) / n2 / n2 / n2 + 0.960364705 / n2 / n2)
            / (1 + 3.841458821 / n2) AS reach2,
        (1.0 * k2 / n2 + 1.920729410 / n2) / (1 + 3.841458821 / n2) AS centre2
    FROM measure WHERE n1 > 0 AND n2 > 0
), answer AS (
    SELECT *, a2 * p2 - a1 * p1 AS difference,
        a2 * p2 - a1 * p1 - sqrt(
            pow(a2 * (p2 - centre2 + reach2), 2) + pow(a1 * (centre1 + reach1 - p1), 2)) AS low,
        a2 * p2 - a1 * p1 + sqrt(
            pow(a2 * (centre2 + reach2 - p2), 2) + pow(a1 * (p1 - centre1 + reach1), 2))
            AS high,
        days * 7.848879734 * (a1 * a1 * p1 * (1 - p1) / n1 + a2 * a2 * p2 * (1 - p2) / n2)
            / nullif(pow(a2 * p2 - a1 * p1, 2), 0) - days AS rest
    FROM share
)
SELECT measure, cheaper, dearer, currency, together, k1 AS cheaper_part, n1 AS cheaper_whole,
    k2 AS dearer_part, n2 AS dearer_whole, a1 * p1 AS cheaper_brings, a2 * p2 AS dearer_brings,
    difference, low, high,
    CASE WHEN low > 0 THEN 'higher' WHEN high < 0 THEN 'lower' ELSE 'not proven' END AS verdict,
    CASE WHEN low > 0 OR high < 0 THEN 'There is a difference.'
        WHEN min(n1, n2) < 30 THEN 'Not known with under 30 people on a side.'
        WHEN rest IS NULL THEN 'None in sight: no difference so far.'
        WHEN rest > 365 THEN 'More than a year.'
        WHEN rest <= 1 THEN 'About 1 more day.'
        ELSE format('About %,d more days.', ceil(rest)) END AS until
FROM answer;
CREATE TEMP TABLE payment (
    id INTEGER NOT NULL,
    user_id TEXT NOT NULL,
    subscription TEXT NOT NULL,
    kind TEXT NOT NULL,
    product TEXT NOT NULL,
    store TEXT NOT NULL,
    country TEXT,
    at INTEGER NOT NULL,
    until INTEGER,
    paid_until INTEGER,
    next_at INTEGER,
    paid_before INTEGER NOT NULL,
    currency TEXT,
    unit INTEGER NOT NULL,
    price INTEGER NOT NULL,
    proceeds INTEGER,
    refunded INTEGER NOT NULL,
    refunded_at INTEGER,
    monthly REAL,
    PRIMARY KEY (subscription, at, id)
) WITHOUT ROWID;
CREATE TEMP VIEW payment_month AS
WITH RECURSIVE month (start, "end") AS (
    SELECT unixepoch(now / 1000000, 'unixepoch', 'start of month') * 1000000,
        unixepoch(now / 1000000, 'unixepoch', 'start of month', '+1 month') * 1000000
    FROM temp.period
    UNION ALL
    SELECT unixepoch(start / 1000000, 'unixepoch', '-1 month') * 1000000, start FROM month
    WHERE start > (SELECT min(at) FROM temp.payment) LIMIT 24
)
SELECT strftime('%Y-%m', month.start / 1000000, 'unixepoch') AS month, month.start,
    min(month."end", now + 1) AS "end", month."end" <= now AS is_over
FROM month, temp.period WHERE EXISTS (SELECT 1 FROM temp.payment);
CREATE TEMP TABLE block (
    person INTEGER NOT NULL,
    at INTEGER NOT NULL,
    feature TEXT NOT NULL
);
CREATE TEMP TABLE attempt (
    person INTEGER NOT NULL,
    at INTEGER NOT NULL,
    is_use INTEGER NOT NULL
);
CREATE TEMP TABLE newest_day (
    day INTEGER PRIMARY KEY,
    people INTEGER, blocked_people INTEGER,
    subscription_taps INTEGER, new_subscribers INTEGER,
    reads INTEGER,
    stars_1 INTEGER, stars_2 INTEGER, stars_3 INTEGER, stars_4 INTEGER, stars_5 INTEGER
);
CREATE TEMP TABLE tier_price (
    tier TEXT PRIMARY KEY,
    price TEXT NOT NULL,
    amount REAL,
    currency TEXT,
    sign TEXT,
    term TEXT,
    monthly REAL
);
CREATE TEMP TABLE filter_use (
    person INTEGER NOT NULL,
    at INTEGER NOT NULL,
    is_tap INTEGER NOT NULL,
    segment TEXT,
    criteria TEXT NOT NULL,
    gender TEXT,
    country TEXT,
    results INTEGER
);
CREATE TEMP TABLE popup (
    person INTEGER,
    at INTEGER NOT NULL,
    feature TEXT NOT NULL,
    ended_at INTEGER,
    ending TEXT,
    seconds INTEGER
);
CREATE TEMP TABLE single_event (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    feature TEXT NOT NULL
);
CREATE TEMP TABLE person_day (
    person INTEGER NOT NULL,
    day INTEGER NOT NULL,
    is_free INTEGER NOT NULL,
    PRIMARY KEY (person, day)
) WITHOUT ROWID;
CREATE TEMP VIEW account AS
SELECT uid AS user_id, created_at AS made_at, tier, names_other_tier, coalesce((
    SELECT max(started_at) FROM main.sync_runs
    WHERE kind = 'sync-auth' AND outcome IN ('ok', 'partial')), synced_at) AS read_at
FROM main.auth_users;
CREATE TEMP VIEW profile_tier AS SELECT name AS profile, tier FROM main.profiles;
CREATE TEMP VIEW setting_value AS
SELECT wire_name, raw_value AS value, NULL AS condition, NULL AS since, 1 AS is_now
FROM main.settings
UNION ALL
SELECT wire_name, raw_value, iif(condition = '', kind, condition), NULL, 1
FROM main.conditional_settings
UNION ALL
SELECT wire_name, new_value, NULL, changed_at, 0 FROM main.settings_history
UNION ALL
SELECT wire_name, old_value, NULL, NULL, 0 FROM main.settings_history
WHERE old_value IS NOT NULL;
CREATE TEMP TABLE setting_in_force (
    key TEXT PRIMARY KEY,
    value INTEGER,
    source TEXT NOT NULL
) WITHOUT ROWID;
CREATE TEMP VIEW setting_change AS
SELECT id, wire_name, old_value, new_value, source, changed_at
FROM main.settings_history, temp.period WHERE changed_at <= now;
CREATE TEMP VIEW online_load AS
SELECT at, online, is_sample, is_minimum, day.day,
    at >= period.start AND at < period."end" AS in_period
FROM temp.period CROSS JOIN temp.day CROSS JOIN main.online_counts
WHERE at >= day.start AND at < day."end" AND at <= now;
CREATE TEMP TABLE run (
    id INTEGER PRIMARY KEY,
    job TEXT NOT NULL,
    trigger TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    seconds REAL,
    outcome TEXT NOT NULL,
    fetched INTEGER NOT NULL,
    skipped INTEGER NOT NULL,
    reads INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    cost REAL NOT NULL,
    currency TEXT NOT NULL,
    line_runs INTEGER
);
CREATE TEMP TABLE rating_dialog (
    at INTEGER NOT NULL,
    user_id TEXT NOT NULL,
    app_version TEXT,
    platform TEXT,
    messages INTEGER,
    max_prompts INTEGER,
    was_shown INTEGER NOT NULL,
    was_put_off INTEGER NOT NULL,
    stars INTEGER,
    was_followed INTEGER NOT NULL,
    in_period INTEGER NOT NULL,
    was_rated INTEGER NOT NULL,
    is_low INTEGER NOT NULL,
    is_high INTEGER NOT NULL,
    is_unasked INTEGER NOT NULL
);
CREATE TEMP TABLE rating_question (
    user_id TEXT NOT NULL,
    at INTEGER,
    event TEXT,
    state TEXT,
    is_due INTEGER NOT NULL
);
CREATE TEMP VIEW listed_run AS
SELECT *, line_runs AS runs FROM temp.run WHERE line_runs IS NOT NULL;
CREATE TEMP VIEW v_person_day AS
SELECT person.user_id, day.*
FROM temp.person_day JOIN temp.person USING (person) JOIN temp.day USING (day);
CREATE TEMP TABLE rating (
    id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    stars INTEGER NOT NULL,
    user_id TEXT NOT NULL,
    country TEXT,
    app_version TEXT,
    platform TEXT,
    day INTEGER,
    date TEXT,
    in_period INTEGER NOT NULL,
    in_whole INTEGER NOT NULL,
    in_before INTEGER NOT NULL
);
