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
