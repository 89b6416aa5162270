-- What comes after 0.2.0. A step is never changed after it is pushed: databases of development
-- builds have it. A change adds one at the end, with the next number, which is Schema.version.

-- schema 34

-- States that keep jobs from doing well: docs/incidents.md. causes, jobs and waiting are JSON
-- lists; times are in microseconds; told is the last message that arrived, tried one that did
-- not; claimed_at is when a process last took on to tell it.
CREATE TABLE incidents (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    causes TEXT NOT NULL,
    sentence TEXT NOT NULL,
    jobs TEXT NOT NULL,
    waiting TEXT NOT NULL,
    began_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    ended_at INTEGER,
    runs INTEGER NOT NULL,
    returns INTEGER NOT NULL,
    is_changed INTEGER NOT NULL,
    told TEXT,
    told_at INTEGER,
    tried TEXT,
    claimed_at INTEGER
) STRICT;
DELETE FROM marks WHERE name GLOB 'outage:*' OR name GLOB 'outage-hooks:*';

-- Changes that somebody proposed: docs/proposals.md. Times are in microseconds.
CREATE TABLE setting_proposals (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    old_value TEXT,
    value INTEGER NOT NULL,
    reason TEXT NOT NULL,
    expected_points REAL NOT NULL,
    proposed_at INTEGER NOT NULL
);
-- Tiers of accounts as sync-auth saw them change: docs/jobs/sync-auth.md#history. from_tier is
-- NULL at the first reading, to_tier where the account is gone.
CREATE TABLE tier_changes (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL,
    from_tier TEXT,
    to_tier TEXT,
    seen_at INTEGER NOT NULL
);
-- 1 while the claim of the tier cannot be read; tier is NULL then.
ALTER TABLE auth_users ADD COLUMN names_other_tier INTEGER NOT NULL DEFAULT 0;
CREATE INDEX tier_changes_uid ON tier_changes(uid);
INSERT INTO tier_changes (uid, to_tier, seen_at)
    SELECT uid, tier, synced_at FROM auth_users WHERE tier IN ('lite', 'plus', 'pro');
-- What of Firebase decides on a value, rollout, experiment or personalization, and for how many of
-- a hundred installations of the app; NULL for a plain value. condition is '' for a default value.
ALTER TABLE conditional_settings ADD COLUMN kind TEXT;
ALTER TABLE conditional_settings ADD COLUMN percent REAL;
-- The few events of moments, the paywall and tiers: docs/moments.md#events.
CREATE INDEX events_paywall ON events(at)
    WHERE feature IS NULL AND (name GLOB 'moment_*' OR name IN ('paywall_shown', 'tier_changed'));
CREATE VIEW IF NOT EXISTS v_tier_changes AS SELECT *,
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("seen_at", 0) - (("seen_at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("seen_at" % 1000000 + 1000000) % 1000000)) AS "seen_at_iso"
FROM tier_changes;

-- schema 35
-- What files of GA4's export hold of a civil day, as 20261127: docs/events.md#days-that-come-again.
-- streams is a JSON list; first_at and last_at are in microseconds. event_claims has the events
-- that one piece brought and another holds as well.
CREATE TABLE event_exports (
    id INTEGER PRIMARY KEY,
    day INTEGER NOT NULL,
    path TEXT NOT NULL,
    version TEXT NOT NULL,
    table_kind TEXT NOT NULL,
    series TEXT NOT NULL,
    part TEXT NOT NULL,
    streams TEXT NOT NULL,
    first_at INTEGER,
    last_at INTEGER,
    digest INTEGER NOT NULL,
    state TEXT NOT NULL
) STRICT;
CREATE INDEX event_exports_day ON event_exports(day);
CREATE TABLE event_claims (
    at INTEGER NOT NULL,
    fingerprint INTEGER NOT NULL,
    export_id INTEGER NOT NULL,
    PRIMARY KEY (at, fingerprint, export_id)
) STRICT, WITHOUT ROWID;
ALTER TABLE events ADD COLUMN export_id INTEGER;

-- schema 36
-- Reports count one platform, so that the pass over the events has to know it of each.
DROP INDEX events_usage;
CREATE INDEX events_usage ON events(at, feature, kind, user_type, user_id, platform)
    WHERE feature IS NOT NULL;

-- schema 37
-- What reports keep of whole civil days, so that a day is counted once: docs/counts.md. A day is
-- named by its first instant; one without a row in fact_day is counted again. fact_state says by what
-- time zone and platform, and up to which row of events. Times are in microseconds, NULL for none.
CREATE TABLE fact_state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    view TEXT NOT NULL,
    event INTEGER NOT NULL
) STRICT;
CREATE TABLE fact_day (
    day INTEGER PRIMARY KEY,
    "end" INTEGER NOT NULL
) STRICT;
CREATE TABLE fact_person (
    person INTEGER PRIMARY KEY,
    user_id TEXT NOT NULL UNIQUE
) STRICT;
-- quarter is its number on the day, from 0.
CREATE TABLE fact_quarter (
    day INTEGER NOT NULL,
    quarter INTEGER NOT NULL,
    feature TEXT NOT NULL,
    kind TEXT NOT NULL,
    user_type TEXT NOT NULL,
    platform TEXT NOT NULL,
    events INTEGER NOT NULL,
    PRIMARY KEY (day, quarter, feature, kind, user_type, platform)
) STRICT, WITHOUT ROWID;
-- place is the order of people's first events of the day; flags are PersonDay.Flags. attempted_at
-- and returned_at are returns that the days before decide on; awaiting_since is what is left at the
-- end: NULL for what it was at the beginning, -1 for nothing. Times are counted from the day's first
-- instant; countries are NULL for that of the first event.
CREATE TABLE fact_person_day (
    day INTEGER NOT NULL,
    place INTEGER NOT NULL,
    person INTEGER NOT NULL,
    platform TEXT NOT NULL,
    country TEXT NOT NULL,
    version TEXT NOT NULL,
    told_country TEXT,
    active_country TEXT,
    subscriber_country TEXT,
    events INTEGER NOT NULL,
    first_at INTEGER NOT NULL,
    flags INTEGER NOT NULL,
    newest_type TEXT,
    new_until INTEGER,
    free_from INTEGER,
    subscriber_from INTEGER,
    taps INTEGER NOT NULL,
    free_taps INTEGER NOT NULL,
    performed INTEGER NOT NULL,
    free_blocked INTEGER NOT NULL,
    first_tap INTEGER,
    second_tap INTEGER,
    first_block INTEGER,
    last_attempt INTEGER,
    attempted_at INTEGER,
    returned_at INTEGER,
    awaiting_since INTEGER,
    refresh_taps INTEGER NOT NULL,
    refresh_performed INTEGER NOT NULL,
    filter_taps INTEGER NOT NULL,
    filter_performed INTEGER NOT NULL,
    search_taps INTEGER NOT NULL,
    search_performed INTEGER NOT NULL,
    message_taps INTEGER NOT NULL,
    message_performed INTEGER NOT NULL,
    conversation_taps INTEGER NOT NULL,
    conversation_performed INTEGER NOT NULL,
    PRIMARY KEY (day, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE fact_offer (
    day INTEGER NOT NULL,
    place INTEGER NOT NULL,
    person INTEGER NOT NULL,
    at INTEGER NOT NULL,
    feature TEXT NOT NULL,
    kind TEXT NOT NULL,
    usage_limit INTEGER,
    uses_left INTEGER,
    price TEXT,
    amount REAL,
    currency TEXT,
    term TEXT,
    monthly REAL,
    PRIMARY KEY (day, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE fact_filter_use (
    day INTEGER NOT NULL,
    place INTEGER NOT NULL,
    person INTEGER NOT NULL,
    at INTEGER NOT NULL,
    is_tap INTEGER NOT NULL,
    segment TEXT,
    criteria TEXT NOT NULL,
    gender TEXT,
    country TEXT,
    results INTEGER,
    PRIMARY KEY (day, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE fact_block (
    day INTEGER NOT NULL,
    place INTEGER NOT NULL,
    person INTEGER NOT NULL,
    at INTEGER NOT NULL,
    feature TEXT NOT NULL,
    PRIMARY KEY (day, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE fact_attempt (
    day INTEGER NOT NULL,
    place INTEGER NOT NULL,
    person INTEGER NOT NULL,
    at INTEGER NOT NULL,
    is_use INTEGER NOT NULL,
    PRIMARY KEY (day, place)
) STRICT, WITHOUT ROWID;
-- person is NULL for events without a user id. A row without shown_at is what ends a popup that the
-- day before left open: performed_at within 30 minutes, else ended_at. Ends of a person that say
-- nothing are among the flags of fact_person_day.
CREATE TABLE fact_popup (
    day INTEGER NOT NULL,
    place INTEGER NOT NULL,
    person INTEGER,
    feature TEXT NOT NULL,
    shown_at INTEGER,
    performed_at INTEGER,
    ended_at INTEGER,
    ending TEXT,
    seconds INTEGER,
    PRIMARY KEY (day, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE fact_single_event (
    day INTEGER NOT NULL,
    id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    feature TEXT NOT NULL,
    kind TEXT NOT NULL,
    PRIMARY KEY (day, id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER events_deleted AFTER DELETE ON events BEGIN
    DELETE FROM fact_day WHERE day <= old.at AND "end" > old.at;
    -- Rows to come take the numbers of the last ones that are gone.
    UPDATE fact_state SET event = (SELECT ifnull(max(id), 0) FROM events)
    WHERE event > (SELECT ifnull(max(id), 0) FROM events);
END;
CREATE TRIGGER events_changed AFTER UPDATE OF at, user_id, parameters, country, app_version, platform,
    feature, kind, user_type ON events
BEGIN
    DELETE FROM fact_day WHERE day <= old.at AND "end" > old.at OR day <= new.at AND "end" > new.at;
END;

-- schema 38
-- Requests that read documents, as imported audit logs tell them: docs/readers.md#the-audit-log. id is a
-- hash of what names the entry; at is in microseconds.
CREATE TABLE audit_reads (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    collection TEXT NOT NULL,
    method TEXT NOT NULL,
    caller TEXT NOT NULL,
    tags TEXT NOT NULL,
    job TEXT,
    documents INTEGER
) STRICT;
CREATE INDEX audit_reads_at ON audit_reads(at);
CREATE VIEW IF NOT EXISTS v_audit_reads AS SELECT *,
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("at", 0) - (("at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("at" % 1000000 + 1000000) % 1000000)) AS "at_iso"
FROM audit_reads;

-- schema 39
-- What stores, RevenueCat and Apple say of money: docs/purchases.md. id is a hash of what the row is
-- about; times are in microseconds; amounts are in the smallest unit of their currency.
CREATE TABLE purchases (
    id INTEGER PRIMARY KEY,
    event_id TEXT NOT NULL,
    person TEXT NOT NULL,
    previous_person TEXT,
    subscription TEXT NOT NULL,
    transaction_id TEXT NOT NULL,
    product TEXT NOT NULL,
    kind TEXT NOT NULL,
    stated_kind TEXT NOT NULL,
    at INTEGER NOT NULL,
    paid_until INTEGER,
    currency TEXT,
    price INTEGER,
    proceeds_currency TEXT,
    proceeds INTEGER,
    units INTEGER NOT NULL,
    store TEXT NOT NULL,
    country TEXT,
    environment TEXT NOT NULL,
    source TEXT NOT NULL,
    stated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX purchases_subscription ON purchases(subscription, at);
CREATE VIEW IF NOT EXISTS v_purchases AS SELECT *,
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("at", 0) - (("at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("at" % 1000000 + 1000000) % 1000000)) AS "at_iso",
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("paid_until", 0) - (("paid_until" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("paid_until" % 1000000 + 1000000) % 1000000)) AS "paid_until_iso",
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("stated_at", 0) - (("stated_at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("stated_at" % 1000000 + 1000000) % 1000000)) AS "stated_at_iso"
FROM purchases;

-- schema 40
-- Which edition billed the reads of a run: docs/editions.md#units.
ALTER TABLE sync_runs ADD COLUMN edition TEXT;

-- schema 41
-- Purchases are kept in the order of their arrival. Their ids are hashes: in the order of these, nearly
-- every row would be written into another page.
DROP VIEW IF EXISTS v_purchases;
ALTER TABLE purchases RENAME TO purchases_before;
CREATE TABLE purchases (
    id INTEGER NOT NULL,
    event_id TEXT NOT NULL,
    person TEXT NOT NULL,
    previous_person TEXT,
    subscription TEXT NOT NULL,
    transaction_id TEXT NOT NULL,
    product TEXT NOT NULL,
    kind TEXT NOT NULL,
    stated_kind TEXT NOT NULL,
    at INTEGER NOT NULL,
    paid_until INTEGER,
    currency TEXT,
    price INTEGER,
    proceeds_currency TEXT,
    proceeds INTEGER,
    units INTEGER NOT NULL,
    store TEXT NOT NULL,
    country TEXT,
    environment TEXT NOT NULL,
    source TEXT NOT NULL,
    stated_at INTEGER NOT NULL
) STRICT;
INSERT INTO purchases SELECT * FROM purchases_before;
DROP TABLE purchases_before;
CREATE UNIQUE INDEX purchases_id ON purchases(id);
CREATE INDEX purchases_subscription ON purchases(subscription, at);
CREATE VIEW IF NOT EXISTS v_purchases AS SELECT *,
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("at", 0) - (("at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("at" % 1000000 + 1000000) % 1000000)) AS "at_iso",
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("paid_until", 0) - (("paid_until" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("paid_until" % 1000000 + 1000000) % 1000000)) AS "paid_until_iso",
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("stated_at", 0) - (("stated_at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("stated_at" % 1000000 + 1000000) % 1000000)) AS "stated_at_iso"
FROM purchases;

-- schema 42
-- Events of kept days are counted by the hour, and so are the lines that came by import. second is when
-- the hour begins on the day; hour is the first instant of an hour of UTC, or of what of it lies on the
-- day. Every day is counted again.
DROP TABLE fact_quarter;
DELETE FROM fact_day;
CREATE TABLE fact_hour (
    day INTEGER NOT NULL,
    second INTEGER NOT NULL,
    feature TEXT NOT NULL,
    kind TEXT NOT NULL,
    user_type TEXT NOT NULL,
    platform TEXT NOT NULL,
    events INTEGER NOT NULL,
    PRIMARY KEY (day, second, feature, kind, user_type, platform)
) STRICT, WITHOUT ROWID;
CREATE TABLE fact_import (
    day INTEGER NOT NULL,
    hour INTEGER NOT NULL,
    lines INTEGER NOT NULL,
    PRIMARY KEY (day, hour)
) STRICT, WITHOUT ROWID;
DROP TRIGGER events_changed;
CREATE TRIGGER events_changed AFTER UPDATE OF at, user_id, parameters, country, app_version, platform,
    feature, kind, user_type, source ON events
BEGIN
    DELETE FROM fact_day WHERE day <= old.at AND "end" > old.at OR day <= new.at AND "end" > new.at;
END;
