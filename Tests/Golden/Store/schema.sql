CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
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
CREATE TABLE sync_cursors (
    job TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    PRIMARY KEY (job, key)
) STRICT, WITHOUT ROWID;
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
, estimated_cost REAL, currency TEXT, refused_by TEXT, exit_status INTEGER, edition TEXT) STRICT;
CREATE INDEX sync_runs_started_at ON sync_runs(started_at);
CREATE INDEX sync_runs_job ON sync_runs(job, outcome);
CREATE TABLE marks (
    name TEXT PRIMARY KEY NOT NULL,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE moment_marks (
    profile TEXT PRIMARY KEY NOT NULL,
    daily_limit_day TEXT,
    daily_limit INTEGER,
    is_total_limit_reached INTEGER NOT NULL,
    total_limit INTEGER
, daily_message TEXT, total_message TEXT) STRICT, WITHOUT ROWID;
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
, export_id INTEGER) STRICT;
CREATE UNIQUE INDEX events_content ON events(at, fingerprint);
CREATE INDEX events_ratings ON events(at) WHERE stars IS NOT NULL;
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
CREATE TABLE feedback_seconds (
    collection TEXT NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL CHECK (last >= first),
    PRIMARY KEY (collection, first)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE open_popups (
    profile TEXT NOT NULL,
    feature TEXT NOT NULL,
    shown_at INTEGER NOT NULL,
    PRIMARY KEY (profile, feature)
) STRICT, WITHOUT ROWID;
CREATE TABLE conditional_settings (
    wire_name TEXT NOT NULL,
    condition TEXT NOT NULL,
    expression TEXT NOT NULL,
    raw_value TEXT, kind TEXT, percent REAL,
    PRIMARY KEY (wire_name, condition)
) STRICT, WITHOUT ROWID;
CREATE TABLE run_logs (
    run_id INTEGER NOT NULL REFERENCES sync_runs(id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    logged_at INTEGER NOT NULL,
    level TEXT NOT NULL,
    message TEXT NOT NULL,
    PRIMARY KEY (run_id, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE erased_people (
    hash INTEGER PRIMARY KEY,
    erased_at INTEGER NOT NULL
) STRICT;
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
, names_other_tier INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;
CREATE INDEX auth_users_created_at ON auth_users(created_at);
CREATE INDEX auth_users_tier ON auth_users(tier) WHERE tier IS NOT NULL;
CREATE TABLE sync_child_tables (
    name TEXT PRIMARY KEY,
    parent TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE VIEW v_users AS SELECT *,
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("update_time", 0) - (("update_time" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("update_time" % 1000000 + 1000000) % 1000000)) AS "update_time_iso",
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("synced_at", 0) - (("synced_at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("synced_at" % 1000000 + 1000000) % 1000000)) AS "synced_at_iso",
    strftime('%Y-%m-%dT%H:%M:%SZ', nullif("user_last_time_seen", 0), 'unixepoch') AS "user_last_time_seen_iso"
FROM OnlineUsers;
CREATE VIEW v_auth_users AS SELECT *,
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("created_at", 0) - (("created_at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("created_at" % 1000000 + 1000000) % 1000000)) AS "created_at_iso",
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("last_sign_in_at", 0) - (("last_sign_in_at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("last_sign_in_at" % 1000000 + 1000000) % 1000000)) AS "last_sign_in_at_iso",
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("last_refresh_at", 0) - (("last_refresh_at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("last_refresh_at" % 1000000 + 1000000) % 1000000)) AS "last_refresh_at_iso",
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("synced_at", 0) - (("synced_at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("synced_at" % 1000000 + 1000000) % 1000000)) AS "synced_at_iso"
FROM auth_users;
CREATE VIEW v_events AS SELECT *,
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("at", 0) - (("at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("at" % 1000000 + 1000000) % 1000000)) AS "at_iso"
FROM events;
CREATE VIEW v_runs AS SELECT *,
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("started_at", 0) - (("started_at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("started_at" % 1000000 + 1000000) % 1000000)) AS "started_at_iso",
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("ended_at", 0) - (("ended_at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("ended_at" % 1000000 + 1000000) % 1000000)) AS "ended_at_iso",
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("read_time", 0) - (("read_time" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("read_time" % 1000000 + 1000000) % 1000000)) AS "read_time_iso"
FROM sync_runs;
CREATE VIEW v_ratings AS SELECT *,
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("at", 0) - (("at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("at" % 1000000 + 1000000) % 1000000)) AS "at_iso"
FROM ratings;
CREATE VIEW v_outbox AS SELECT *,
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("created_at", 0) - (("created_at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("created_at" % 1000000 + 1000000) % 1000000)) AS "created_at_iso",
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("sending_since", 0) - (("sending_since" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("sending_since" % 1000000 + 1000000) % 1000000)) AS "sending_since_iso",
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("next_attempt_at", 0) - (("next_attempt_at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("next_attempt_at" % 1000000 + 1000000) % 1000000)) AS "next_attempt_at_iso",
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("delivered_at", 0) - (("delivered_at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("delivered_at" % 1000000 + 1000000) % 1000000)) AS "delivered_at_iso"
FROM outbox;
CREATE VIEW v_settings AS SELECT *,
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("fetched_at", 0) - (("fetched_at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("fetched_at" % 1000000 + 1000000) % 1000000)) AS "fetched_at_iso"
FROM settings;
CREATE VIEW v_reviews AS SELECT *,
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("updated_at", 0) - (("updated_at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("updated_at" % 1000000 + 1000000) % 1000000)) AS "updated_at_iso",
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("found_at", 0) - (("found_at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("found_at" % 1000000 + 1000000) % 1000000)) AS "found_at_iso",
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("synced_at", 0) - (("synced_at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("synced_at" % 1000000 + 1000000) % 1000000)) AS "synced_at_iso"
FROM app_store_reviews;
CREATE VIEW v_feedback AS SELECT *,
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("update_time", 0) - (("update_time" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("update_time" % 1000000 + 1000000) % 1000000)) AS "update_time_iso",
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("synced_at", 0) - (("synced_at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("synced_at" % 1000000 + 1000000) % 1000000)) AS "synced_at_iso",
    strftime('%Y-%m-%dT%H:%M:%SZ', nullif("timestamp", 0), 'unixepoch') AS "timestamp_iso"
FROM app_rating_feedback;
CREATE TABLE online_counts (
    at INTEGER NOT NULL,
    job TEXT NOT NULL,
    online INTEGER NOT NULL,
    is_sample INTEGER NOT NULL,
    is_minimum INTEGER NOT NULL,
    PRIMARY KEY (at, job)
) STRICT, WITHOUT ROWID;
CREATE INDEX events_own ON events(at) WHERE source = 'session';
CREATE TABLE feedback_marks (
    key TEXT PRIMARY KEY NOT NULL,
    theme TEXT,
    done_at INTEGER,
    changed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX outbox_due ON outbox(kind, iif(sending_since IS NULL AND last_error IS NULL, 0, attempts), id) WHERE state = 'queued';
CREATE INDEX outbox_delivered_feedback
    ON outbox(payload ->> '$.timestamp', payload ->> '$.text')
    WHERE kind = 'feedback' AND state = 'delivered' AND json_valid(payload);
CREATE TABLE app_sessions (
    profile TEXT NOT NULL,
    id TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    last_event_at INTEGER NOT NULL,
    event_count INTEGER NOT NULL,
    PRIMARY KEY (profile, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE app_session_counts (
    profile TEXT NOT NULL,
    session_id TEXT NOT NULL,
    feature TEXT NOT NULL,
    performed INTEGER NOT NULL,
    PRIMARY KEY (profile, session_id, feature)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE setting_proposals (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    old_value TEXT,
    value INTEGER NOT NULL,
    reason TEXT NOT NULL,
    expected_points REAL NOT NULL,
    proposed_at INTEGER NOT NULL
);
CREATE TABLE tier_changes (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL,
    from_tier TEXT,
    to_tier TEXT,
    seen_at INTEGER NOT NULL
);
CREATE INDEX tier_changes_uid ON tier_changes(uid);
CREATE INDEX events_paywall ON events(at)
    WHERE feature IS NULL AND (name GLOB 'moment_*' OR name IN ('paywall_shown', 'tier_changed'));
CREATE VIEW v_tier_changes AS SELECT *,
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("seen_at", 0) - (("seen_at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("seen_at" % 1000000 + 1000000) % 1000000)) AS "seen_at_iso"
FROM tier_changes;
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
CREATE INDEX events_usage ON events(at, feature, kind, user_type, user_id, platform)
    WHERE feature IS NOT NULL;
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
CREATE VIEW v_audit_reads AS SELECT *,
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("at", 0) - (("at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("at" % 1000000 + 1000000) % 1000000)) AS "at_iso"
FROM audit_reads;
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
CREATE UNIQUE INDEX purchases_id ON purchases(id);
CREATE INDEX purchases_subscription ON purchases(subscription, at);
CREATE VIEW v_purchases AS SELECT *,
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("at", 0) - (("at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("at" % 1000000 + 1000000) % 1000000)) AS "at_iso",
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("paid_until", 0) - (("paid_until" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("paid_until" % 1000000 + 1000000) % 1000000)) AS "paid_until_iso",
    strftime('%Y-%m-%dT%H:%M:%S', (nullif("stated_at", 0) - (("stated_at" % 1000000 + 1000000) % 1000000)) / 1000000, 'unixepoch') || printf('.%06dZ', (("stated_at" % 1000000 + 1000000) % 1000000)) AS "stated_at_iso"
FROM purchases;
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
CREATE TRIGGER events_changed AFTER UPDATE OF at, user_id, parameters, country, app_version, platform,
    feature, kind, user_type, source ON events
BEGIN
    DELETE FROM fact_day WHERE day <= old.at AND "end" > old.at OR day <= new.at AND "end" > new.at;
END;
