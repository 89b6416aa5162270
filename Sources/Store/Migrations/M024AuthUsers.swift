/// Accounts of Firebase Authentication; see `docs/jobs/sync-auth.md`.
///
/// Times are in microseconds. `providers` is a JSON array, `claims` is JSON. `pass` is the number of
/// the whole reading that saw the row last.
enum M024AuthUsers: Migration {
  static let identifier = "024-auth-users"

  static let sql = """
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
    """
}
