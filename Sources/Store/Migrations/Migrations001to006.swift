/// The app's own `OnlineUsers` table and indexes, and what a sync needs beside them.
///
/// The columns up to `isAd` and the six indexes are the app's, in its order and by its names; see
/// `docs/loads.md#online-users`. `update_time` and `synced_at` are ours, in microseconds.
/// `OnlineUsers_staging` collects the pages of a replacing load until the last one arrived.
enum M001OnlineUsers: Migration {
  static let identifier = "001-online-users"

  static let sql = """
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
    """
}

/// What the remote sources sent, and how it changed.
enum M002Settings: Migration {
  static let identifier = "002-settings"

  static let sql = """
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
    """
}

/// The signed-in users of the workspace, and how much of their limits they have used.
///
/// A profile that was never saved has the defaults of `Profile`, so limit states name a profile
/// without a foreign key.
enum M003Profiles: Migration {
  static let identifier = "003-profiles"

  static let sql = """
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
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE limit_states (
        profile TEXT NOT NULL,
        feature TEXT NOT NULL,
        usage INTEGER NOT NULL,
        cooldown_started_at INTEGER,
        PRIMARY KEY (profile, feature)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE pending_uses (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        profile TEXT NOT NULL,
        feature TEXT NOT NULL,
        started_at INTEGER NOT NULL,
        owner TEXT NOT NULL
    ) STRICT;
    """
}

/// The usage ledger.
///
/// An event's identity is its microsecond and a hash of the rest of its content, so an import in
/// the order of time touches neighbouring index pages. `events_usage` answers the usage report
/// alone: its first four columns are the report's groups, in its order. `quarter` counts quarters
/// of an hour since 1970; it is no generated column, since SQLite does not take one from an index
/// alone.
enum M004Events: Migration {
  static let identifier = "004-events"

  static let sql = """
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
        fingerprint INTEGER NOT NULL,
        quarter INTEGER NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX events_content ON events(at, fingerprint);
    CREATE INDEX events_usage ON events(quarter, feature, kind, user_type, at, user_id)
        WHERE feature IS NOT NULL;
    CREATE INDEX events_ratings ON events(at) WHERE stars IS NOT NULL;
    """
}

/// Everything that has to leave the workspace, and the ratings that some of it came from.
enum M005Outbox: Migration {
  static let identifier = "005-outbox"

  static let sql = """
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
    ) STRICT;
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
    """
}

/// The ledger of runs.
enum M006SyncRuns: Migration {
  static let identifier = "006-sync-runs"

  static let sql = """
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
    ) STRICT;
    CREATE INDEX sync_runs_started_at ON sync_runs(started_at);
    CREATE INDEX sync_runs_job ON sync_runs(job, outcome);
    """
}
