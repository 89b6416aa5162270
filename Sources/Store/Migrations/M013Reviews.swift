/// Customer reviews of the App Store; see `docs/jobs.md#sync-reviews`.
///
/// The name is one that no collection of an app is likely to have. `found_at` is when the review was
/// first read, `synced_at` when its row was last written, both in microseconds as `updated_at` is.
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
