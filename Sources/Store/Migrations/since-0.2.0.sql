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
