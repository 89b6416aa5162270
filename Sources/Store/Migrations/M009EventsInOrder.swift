/// The usage ledger with an index in the order of time, for imports of millions of events.
///
/// The index that was ordered by the report's groups cost an import twice what the rows did: it put
/// each event among thousands of its quarter of an hour. In the order of time it grows at its end.
enum M009EventsInOrder: Migration {
  static let identifier = "009-events-in-order"

  static let sql = """
    ALTER TABLE events RENAME TO events_before;
    DROP INDEX events_content;
    DROP INDEX events_usage;
    DROP INDEX events_ratings;
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
    INSERT INTO events
        SELECT id, name, at, user_id, platform, feature, kind, user_type, stars, parameters, country,
            app_version, source, fingerprint
        FROM events_before ORDER BY id;
    DROP TABLE events_before;
    CREATE UNIQUE INDEX events_content ON events(at, fingerprint);
    CREATE INDEX events_usage ON events(at, feature, kind, user_type, user_id)
        WHERE feature IS NOT NULL;
    CREATE INDEX events_ratings ON events(at) WHERE stars IS NOT NULL;
    """
}
