/// The usage ledger.
///
/// An event's identity is its microsecond and a hash of the rest of its content, so an import in the
/// order of time touches neighbouring index pages. `events_usage` answers the usage report alone: its
/// first four columns are the report's groups, in its order. `quarter` counts quarters of an hour
/// since 1970; it is no generated column, since SQLite does not take one from an index alone.
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
