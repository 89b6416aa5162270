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
