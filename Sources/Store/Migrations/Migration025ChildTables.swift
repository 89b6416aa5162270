/// The child tables of collections; see `docs/jobs/sync-collection.md#child-tables`.
///
/// `name` and `parent` are tables of `sync_tables`. A child table that its job no longer declares
/// has no row here.
enum M025ChildTables: Migration {
  static let identifier = "025-child-tables"

  static let sql = """
    CREATE TABLE sync_child_tables (
        name TEXT PRIMARY KEY,
        parent TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    """
}
