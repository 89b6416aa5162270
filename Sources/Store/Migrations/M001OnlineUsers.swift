/// The app's own `OnlineUsers` table and indexes, and what a sync needs beside them.
///
/// The columns up to `isAd` and the six indexes are the app's, in its order and by its names; see
/// `docs/rules.md#online-users`. `update_time` and `synced_at` are ours, in microseconds.
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
