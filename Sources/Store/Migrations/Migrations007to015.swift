/// What jobs remember between runs: ETags, versions of imported files, whose data this is.
enum M007Marks: Migration {
  static let identifier = "007-marks"

  static let sql = """
    CREATE TABLE marks (
        name TEXT PRIMARY KEY NOT NULL,
        value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    """
}

/// The quotas of moments that the service has said a profile has reached.
enum M008MomentMarks: Migration {
  static let identifier = "008-moment-marks"

  static let sql = """
    CREATE TABLE moment_marks (
        profile TEXT PRIMARY KEY NOT NULL,
        daily_limit_day TEXT,
        daily_limit INTEGER,
        is_total_limit_reached INTEGER NOT NULL,
        total_limit INTEGER
    ) STRICT, WITHOUT ROWID;
    """
}

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

/// What the reads of a run cost by the price of its day.
enum M010RunCosts: Migration {
  static let identifier = "010-run-costs"

  static let sql = """
    ALTER TABLE sync_runs ADD COLUMN estimated_cost REAL;
    ALTER TABLE sync_runs ADD COLUMN currency TEXT;
    """
}

/// The tables that jobs of kind sync-collection made, what fills them, and the fields that were
/// met.
enum M011SyncTables: Migration {
  static let identifier = "011-sync-tables"

  static let sql = """
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
    """
}

/// What deletes need beside the tables whose rows they delete; see `docs/loads.md#deletes`.
///
/// Each row names a table and a key of it. `tombstones` are rows that went because their documents
/// had, as of a snapshot in microseconds; `skipped_documents` were read and became no row;
/// `swept_documents` collects the keys of an unfinished sweep.
enum M012Deletes: Migration {
  static let identifier = "012-deletes"

  static let sql = """
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
    """
}

/// Customer reviews of the App Store; see `docs/jobs/sync-reviews.md`.
///
/// The name is one that no collection of an app is likely to have. `found_at` is when the review
/// was first read, `synced_at` when its row was last written, both in microseconds as `updated_at`
/// is.
enum M013Reviews: Migration {
  static let identifier = "013-reviews"

  static let sql = """
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
    """
}

/// An index of the few events that tell of a visit to the App Store after a rating.
///
/// Their parameter is `rating_{App}_{stars}_after_{tries}`; see `docs/ratings.md#ratings`. A
/// question has to repeat the condition word by word to be answered by the index.
enum M014RatingVisits: Migration {
  static let identifier = "014-rating-visits"

  static let condition = """
    stars IS NULL AND name = 'app_events' AND parameters GLOB '*"rating_*_after_*'
    """

  static let sql = """
    CREATE INDEX events_rating_visits ON events(at)
        WHERE \(condition);
    """
}

/// What kept a run from beginning; NULL for one that began, and for those of old.
enum M015RefusedRuns: Migration {
  static let identifier = "015-refused-runs"

  static let sql = "ALTER TABLE sync_runs ADD COLUMN refused_by TEXT;"
}
