/// What deletes need beside the tables whose rows they delete; see `docs/rules.md#deletes`.
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
