-- What 0.2.0 brought, in one step: released, so it stays as it is.

-- Accounts of Firebase Authentication: docs/jobs/sync-auth.md. Times are in microseconds;
-- providers is a JSON array, claims is JSON; pass is the number of the whole reading that saw
-- the row last.
CREATE TABLE auth_users (
    uid TEXT PRIMARY KEY NOT NULL,
    email TEXT,
    email_hash TEXT,
    email_verified INTEGER NOT NULL,
    phone TEXT,
    phone_hash TEXT,
    providers TEXT NOT NULL,
    created_at INTEGER,
    last_sign_in_at INTEGER,
    last_refresh_at INTEGER,
    disabled INTEGER NOT NULL,
    tenant_id TEXT,
    factors INTEGER NOT NULL,
    claims TEXT,
    tier TEXT CHECK (tier IN ('free', 'lite', 'plus', 'pro')),
    password_hash TEXT,
    salt TEXT,
    synced_at INTEGER NOT NULL,
    pass INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX auth_users_created_at ON auth_users(created_at);
CREATE INDEX auth_users_tier ON auth_users(tier) WHERE tier IS NOT NULL;

-- The child tables of collections, docs/jobs/sync-collection.md#child-tables. name and parent
-- are tables of sync_tables. One that its job no longer declares has no row here.
CREATE TABLE sync_child_tables (
    name TEXT PRIMARY KEY,
    parent TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Views that add a readable form to each time, docs/export.md#views. Each has all columns of
-- its table, also those that come later. A job's table of such a name keeps it.
CREATE VIEW IF NOT EXISTS v_users AS SELECT *,
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("update_time", 0) - (("update_time" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("update_time" % 1000000 + 1000000) % 1000000)) AS "update_time_iso",
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("synced_at", 0) - (("synced_at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("synced_at" % 1000000 + 1000000) % 1000000)) AS "synced_at_iso",
    strftime('%Y-%m-%dT%H:%M:%SZ', nullif("user_last_time_seen", 0), 'unixepoch') AS "user_last_time_seen_iso"
FROM OnlineUsers;
CREATE VIEW IF NOT EXISTS v_auth_users AS SELECT *,
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("created_at", 0) - (("created_at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("created_at" % 1000000 + 1000000) % 1000000)) AS "created_at_iso",
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("last_sign_in_at", 0) - (("last_sign_in_at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("last_sign_in_at" % 1000000 + 1000000) % 1000000)) AS "last_sign_in_at_iso",
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("last_refresh_at", 0) - (("last_refresh_at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("last_refresh_at" % 1000000 + 1000000) % 1000000)) AS "last_refresh_at_iso",
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("synced_at", 0) - (("synced_at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("synced_at" % 1000000 + 1000000) % 1000000)) AS "synced_at_iso"
FROM auth_users;
CREATE VIEW IF NOT EXISTS v_events AS SELECT *,
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("at", 0) - (("at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("at" % 1000000 + 1000000) % 1000000)) AS "at_iso"
FROM events;
CREATE VIEW IF NOT EXISTS v_runs AS SELECT *,
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("started_at", 0) - (("started_at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("started_at" % 1000000 + 1000000) % 1000000)) AS "started_at_iso",
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("ended_at", 0) - (("ended_at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("ended_at" % 1000000 + 1000000) % 1000000)) AS "ended_at_iso",
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("read_time", 0) - (("read_time" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("read_time" % 1000000 + 1000000) % 1000000)) AS "read_time_iso"
FROM sync_runs;
CREATE VIEW IF NOT EXISTS v_ratings AS SELECT *,
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("at", 0) - (("at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("at" % 1000000 + 1000000) % 1000000)) AS "at_iso"
FROM ratings;
CREATE VIEW IF NOT EXISTS v_outbox AS SELECT *,
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("created_at", 0) - (("created_at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("created_at" % 1000000 + 1000000) % 1000000)) AS "created_at_iso",
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("sending_since", 0) - (("sending_since" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("sending_since" % 1000000 + 1000000) % 1000000)) AS "sending_since_iso",
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("next_attempt_at", 0) - (("next_attempt_at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("next_attempt_at" % 1000000 + 1000000) % 1000000)) AS "next_attempt_at_iso",
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("delivered_at", 0) - (("delivered_at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("delivered_at" % 1000000 + 1000000) % 1000000)) AS "delivered_at_iso"
FROM outbox;
CREATE VIEW IF NOT EXISTS v_settings AS SELECT *,
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("fetched_at", 0) - (("fetched_at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("fetched_at" % 1000000 + 1000000) % 1000000)) AS "fetched_at_iso"
FROM settings;
CREATE VIEW IF NOT EXISTS v_reviews AS SELECT *,
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("updated_at", 0) - (("updated_at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("updated_at" % 1000000 + 1000000) % 1000000)) AS "updated_at_iso",
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("found_at", 0) - (("found_at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("found_at" % 1000000 + 1000000) % 1000000)) AS "found_at_iso",
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("synced_at", 0) - (("synced_at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("synced_at" % 1000000 + 1000000) % 1000000)) AS "synced_at_iso"
FROM app_store_reviews;
CREATE VIEW IF NOT EXISTS v_feedback AS SELECT *,
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("update_time", 0) - (("update_time" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("update_time" % 1000000 + 1000000) % 1000000)) AS "update_time_iso",
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("synced_at", 0) - (("synced_at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("synced_at" % 1000000 + 1000000) % 1000000)) AS "synced_at_iso",
    strftime('%Y-%m-%dT%H:%M:%SZ', nullif("timestamp", 0), 'unixepoch') AS "timestamp_iso"
FROM app_rating_feedback;

-- How many users were online: a row a load of all users, docs/loads.md#online-now.
CREATE TABLE online_counts (
    at INTEGER NOT NULL,
    job TEXT NOT NULL,
    online INTEGER NOT NULL,
    is_sample INTEGER NOT NULL,
    is_minimum INTEGER NOT NULL,
    PRIMARY KEY (at, job)
) STRICT, WITHOUT ROWID;

-- The program's own events alone, so that an import of millions does not touch it.
CREATE INDEX events_own ON events(at) WHERE source = 'session';

-- What a person noted about a feedback text: docs/feedback-themes.md#tag-and-done. key is own/
-- and the row in ratings, or the path of the document: it stays the same when the text is
-- delivered, and when its document is read again. theme is empty for a text that belongs to
-- none, NULL where its words decide. Times are in microseconds.
CREATE TABLE feedback_marks (
    key TEXT PRIMARY KEY NOT NULL,
    theme TEXT,
    done_at INTEGER,
    changed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What each item of an upload asks the outbox; see docs/outbox.md. outbox_due has the order in
-- which items leave; outbox_delivered_feedback finds what was delivered with the same content.
-- A query has to repeat its condition and its expressions.
CREATE INDEX outbox_due ON outbox(kind, iif(sending_since IS NULL AND last_error IS NULL, 0, attempts), id) WHERE state = 'queued';
CREATE INDEX outbox_delivered_feedback
    ON outbox(payload ->> '$.timestamp', payload ->> '$.text')
    WHERE kind = 'feedback' AND state = 'delivered' AND json_valid(payload);

-- The sessions that late events may belong to, beside the current one: docs/events.md#sessions.
-- When an older session began is not known, so its last event stands for it.
ALTER TABLE app_sessions RENAME TO app_sessions_before;
CREATE TABLE app_sessions (
    profile TEXT NOT NULL,
    id TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    last_event_at INTEGER NOT NULL,
    event_count INTEGER NOT NULL,
    PRIMARY KEY (profile, id)
) STRICT, WITHOUT ROWID;
INSERT INTO app_sessions
    SELECT profile, id, last_event_at, last_event_at, event_count FROM app_sessions_before;

ALTER TABLE app_session_counts RENAME TO app_session_counts_before;
CREATE TABLE app_session_counts (
    profile TEXT NOT NULL,
    session_id TEXT NOT NULL,
    feature TEXT NOT NULL,
    performed INTEGER NOT NULL,
    PRIMARY KEY (profile, session_id, feature)
) STRICT, WITHOUT ROWID;
INSERT INTO app_session_counts
    SELECT profile, app_sessions.id, feature, performed
    FROM app_session_counts_before JOIN app_sessions USING (profile);

DROP TABLE app_session_counts_before;
DROP TABLE app_sessions_before;
