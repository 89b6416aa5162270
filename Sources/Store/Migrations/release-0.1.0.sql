-- The schema of 0.1.0, statement by statement as SQLite keeps it: released, so it stays as it is.

-- The app's own table and indexes, in its order and by its names: docs/loads.md#online-users.
-- Ours are update_time and synced_at, in microseconds.
CREATE TABLE OnlineUsers (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id TEXT UNIQUE NOT NULL,
    user_name TEXT NOT NULL DEFAULT '',
    user_image TEXT DEFAULT '',
    user_gender TEXT DEFAULT '',
    user_country TEXT DEFAULT '',
    user_language TEXT DEFAULT '',
    user_age TEXT DEFAULT '',
    user_device_id TEXT DEFAULT '',
    user_device_token TEXT DEFAULT '',
    user_area TEXT DEFAULT '',
    user_city TEXT DEFAULT '',
    user_state TEXT DEFAULT '',
    user_decent_time INTEGER DEFAULT 0,
    user_last_time_seen INTEGER DEFAULT 0,
    isAd INTEGER DEFAULT 0,
    update_time INTEGER NOT NULL DEFAULT 0,
    synced_at INTEGER NOT NULL DEFAULT 0,
    UNIQUE(user_id) ON CONFLICT REPLACE
);
CREATE UNIQUE INDEX index_OnlineUsers_user_id ON OnlineUsers(user_id);
CREATE INDEX index_OnlineUsers_user_last_time_seen
    ON OnlineUsers(user_last_time_seen DESC);
CREATE INDEX index_OnlineUsers_isAd_last_time ON OnlineUsers(isAd, user_last_time_seen DESC);
CREATE INDEX index_OnlineUsers_user_area ON OnlineUsers(user_area, user_last_time_seen DESC);
CREATE INDEX index_OnlineUsers_user_city ON OnlineUsers(user_city, user_last_time_seen DESC);
CREATE INDEX index_OnlineUsers_user_state ON OnlineUsers(user_state, user_last_time_seen DESC);

-- The pages of a replacing load, until the last one arrived.
CREATE TABLE OnlineUsers_staging (
    user_id TEXT PRIMARY KEY NOT NULL,
    user_name TEXT NOT NULL,
    user_image TEXT,
    user_gender TEXT,
    user_country TEXT,
    user_language TEXT,
    user_age TEXT,
    user_device_id TEXT,
    user_device_token TEXT,
    user_area TEXT,
    user_city TEXT,
    user_state TEXT,
    user_decent_time INTEGER,
    user_last_time_seen INTEGER,
    isAd INTEGER,
    update_time INTEGER NOT NULL
);

-- Where loads go on.
CREATE TABLE sync_cursors (
    job TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    PRIMARY KEY (job, key)
) STRICT, WITHOUT ROWID;

-- What the remote sources sent, and how it changed.
CREATE TABLE settings (
    source TEXT NOT NULL,
    wire_name TEXT NOT NULL,
    raw_value TEXT NOT NULL,
    fetched_at INTEGER NOT NULL,
    PRIMARY KEY (source, wire_name)
) STRICT, WITHOUT ROWID;
CREATE TABLE settings_history (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    wire_name TEXT NOT NULL,
    old_value TEXT,
    new_value TEXT,
    changed_at INTEGER NOT NULL
) STRICT;
CREATE INDEX settings_history_changed_at ON settings_history(changed_at);

-- The signed-in users, and how much of their limits they have used. A profile that was never
-- saved has the defaults of Profile, so nothing names a profile by a foreign key.
CREATE TABLE profiles (
    name TEXT PRIMARY KEY NOT NULL,
    user_id TEXT,
    tier TEXT NOT NULL,
    city TEXT,
    gender TEXT,
    country TEXT,
    app_version TEXT,
    first_account_created_at INTEGER,
    time_zone TEXT NOT NULL,
    price TEXT,
    filter_gender TEXT,
    filter_country TEXT,
    filter_language TEXT,
    filter_min_age INTEGER,
    filter_max_age INTEGER,
    filter_is_nearby_only INTEGER NOT NULL,
    users_refreshed_at INTEGER,
    rating_sent INTEGER NOT NULL,
    rating_received INTEGER NOT NULL,
    rating_tries INTEGER NOT NULL
, is_timeline_restricted INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;
CREATE TABLE limit_states (
    profile TEXT NOT NULL,
    feature TEXT NOT NULL,
    usage INTEGER NOT NULL,
    cooldown_started_at INTEGER, is_fresh INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (profile, feature)
) STRICT, WITHOUT ROWID;
CREATE TABLE pending_uses (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    profile TEXT NOT NULL,
    feature TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    owner TEXT NOT NULL
) STRICT;

-- Everything that has to leave the workspace, and the ratings that some of it came from.
CREATE TABLE outbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    profile TEXT NOT NULL,
    kind TEXT NOT NULL,
    state TEXT NOT NULL
        CHECK (state IN ('queued', 'sending', 'delivered', 'parked', 'rejected')),
    payload TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    sending_since INTEGER,
    next_attempt_at INTEGER,
    last_error TEXT,
    delivered_at INTEGER,
    remote_name TEXT
, target TEXT) STRICT;
CREATE INDEX outbox_state ON outbox(state, kind, next_attempt_at);
CREATE TABLE ratings (
    id INTEGER PRIMARY KEY,
    profile TEXT NOT NULL,
    user_id TEXT NOT NULL,
    gender TEXT NOT NULL,
    country TEXT NOT NULL,
    app_version TEXT NOT NULL,
    stars INTEGER NOT NULL CHECK (stars BETWEEN 1 AND 5),
    feedback TEXT,
    at INTEGER NOT NULL,
    tries INTEGER NOT NULL,
    outbox_id INTEGER UNIQUE REFERENCES outbox(id)
) STRICT;
CREATE INDEX ratings_at ON ratings(at);

-- The ledger of runs.
CREATE TABLE sync_runs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    job TEXT NOT NULL,
    kind TEXT NOT NULL,
    trigger TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    outcome TEXT NOT NULL,
    fetched INTEGER NOT NULL,
    inserted INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    unchanged INTEGER NOT NULL,
    deleted INTEGER NOT NULL,
    skipped TEXT NOT NULL,
    billed_reads INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    requests INTEGER NOT NULL,
    retries INTEGER NOT NULL,
    read_time INTEGER,
    warnings TEXT NOT NULL,
    error TEXT
, estimated_cost REAL, currency TEXT, refused_by TEXT, exit_status INTEGER) STRICT;
CREATE INDEX sync_runs_started_at ON sync_runs(started_at);
CREATE INDEX sync_runs_job ON sync_runs(job, outcome);

-- What jobs remember between runs.
CREATE TABLE marks (
    name TEXT PRIMARY KEY NOT NULL,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The quotas of moments that the service has said a profile has reached.
CREATE TABLE moment_marks (
    profile TEXT PRIMARY KEY NOT NULL,
    daily_limit_day TEXT,
    daily_limit INTEGER,
    is_total_limit_reached INTEGER NOT NULL,
    total_limit INTEGER
, daily_message TEXT, total_message TEXT) STRICT, WITHOUT ROWID;

-- The usage ledger. An event's identity is its microsecond and a hash of the rest of its
-- content, so an import in the order of time touches neighbouring index pages; events_usage
-- answers the usage report alone, and grows at its end.
CREATE TABLE events (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    at INTEGER NOT NULL,
    user_id TEXT NOT NULL,
    platform TEXT,
    feature TEXT,
    kind TEXT,
    user_type TEXT,
    stars INTEGER,
    parameters TEXT NOT NULL,
    country TEXT,
    app_version TEXT,
    source TEXT NOT NULL,
    fingerprint INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX events_content ON events(at, fingerprint);
CREATE INDEX events_usage ON events(at, feature, kind, user_type, user_id)
    WHERE feature IS NOT NULL;
CREATE INDEX events_ratings ON events(at) WHERE stars IS NOT NULL;

-- The tables that jobs of kind sync-collection made, what fills them, the fields that were met.
CREATE TABLE sync_tables (
    name TEXT PRIMARY KEY NOT NULL COLLATE NOCASE,
    source TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE sync_columns (
    table_name TEXT NOT NULL COLLATE NOCASE,
    name TEXT NOT NULL,
    mapping TEXT NOT NULL,
    PRIMARY KEY (table_name, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE sync_fields (
    table_name TEXT NOT NULL COLLATE NOCASE,
    field TEXT NOT NULL,
    kinds TEXT NOT NULL,
    PRIMARY KEY (table_name, field)
) STRICT, WITHOUT ROWID;

-- Rows that went because their documents had: docs/loads.md#deletes. skipped_documents were
-- read and became no row; swept_documents collects the keys of an unfinished sweep.
CREATE TABLE tombstones (
    table_name TEXT NOT NULL,
    key TEXT NOT NULL,
    deleted_at INTEGER NOT NULL,
    PRIMARY KEY (table_name, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE skipped_documents (
    table_name TEXT NOT NULL,
    key TEXT NOT NULL,
    PRIMARY KEY (table_name, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE swept_documents (
    table_name TEXT NOT NULL,
    key TEXT NOT NULL,
    PRIMARY KEY (table_name, key)
) STRICT, WITHOUT ROWID;

-- Customer reviews of the App Store: docs/jobs/sync-reviews.md. Times are in microseconds.
CREATE TABLE app_store_reviews (
    id TEXT NOT NULL PRIMARY KEY,
    app_id INTEGER NOT NULL,
    country TEXT NOT NULL,
    stars INTEGER NOT NULL CHECK (stars BETWEEN 1 AND 5),
    version TEXT NOT NULL,
    author TEXT NOT NULL,
    title TEXT NOT NULL,
    text TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    found_at INTEGER NOT NULL,
    synced_at INTEGER NOT NULL
) STRICT;
CREATE INDEX app_store_reviews_updated_at ON app_store_reviews(updated_at);
CREATE INDEX events_rating_visits ON events(at)
    WHERE stars IS NULL AND name = 'app_events' AND parameters GLOB '*"rating_*_after_*';

-- Which ids of feedback are known to be taken: docs/outbox.md. Both ends of a range are taken,
-- and ranges neither overlap nor touch.
CREATE TABLE feedback_seconds (
    collection TEXT NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL CHECK (last >= first),
    PRIMARY KEY (collection, first)
) STRICT, WITHOUT ROWID;

-- Feedback that the app itself sent: docs/jobs/sync-feedback.md. timestamp is in unix seconds.
CREATE TABLE app_rating_feedback (
    document_path TEXT PRIMARY KEY NOT NULL,
    document_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    gender TEXT NOT NULL,
    country TEXT NOT NULL,
    app_version TEXT NOT NULL,
    feedback TEXT NOT NULL,
    timestamp INTEGER NOT NULL,
    stars INTEGER NOT NULL CHECK (stars BETWEEN 1 AND 5),
    update_time INTEGER NOT NULL,
    synced_at INTEGER NOT NULL
) STRICT;
CREATE INDEX app_rating_feedback_timestamp ON app_rating_feedback(timestamp);
CREATE INDEX outbox_remote_name ON outbox(remote_name) WHERE remote_name IS NOT NULL;
CREATE INDEX events_rating_prompts ON events(at)
    WHERE feature IS NULL AND name GLOB 'rating_prompt_*';

-- The visits that events belong to, and the popups that stand open.
CREATE TABLE app_sessions (
    profile TEXT PRIMARY KEY NOT NULL,
    id TEXT NOT NULL,
    last_event_at INTEGER NOT NULL,
    event_count INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE app_session_counts (
    profile TEXT NOT NULL,
    feature TEXT NOT NULL,
    performed INTEGER NOT NULL,
    PRIMARY KEY (profile, feature)
) STRICT, WITHOUT ROWID;
CREATE TABLE open_popups (
    profile TEXT NOT NULL,
    feature TEXT NOT NULL,
    shown_at INTEGER NOT NULL,
    PRIMARY KEY (profile, feature)
) STRICT, WITHOUT ROWID;

-- Values of Remote Config for app instances that meet a condition, which are listed only.
CREATE TABLE conditional_settings (
    wire_name TEXT NOT NULL,
    condition TEXT NOT NULL,
    expression TEXT NOT NULL,
    raw_value TEXT,
    PRIMARY KEY (wire_name, condition)
) STRICT, WITHOUT ROWID;

-- What was logged about each run, numbered from 1; lines before the first were left out.
CREATE TABLE run_logs (
    run_id INTEGER NOT NULL REFERENCES sync_runs(id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    logged_at INTEGER NOT NULL,
    level TEXT NOT NULL,
    message TEXT NOT NULL,
    PRIMARY KEY (run_id, number)
) STRICT, WITHOUT ROWID;

-- Keyed hashes of erased people: docs/privacy.md#tombstones. The key is the mark erasure-key.
CREATE TABLE erased_people (
    hash INTEGER PRIMARY KEY,
    erased_at INTEGER NOT NULL
) STRICT;
