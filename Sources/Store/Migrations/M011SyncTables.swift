/// The tables that jobs of kind sync-collection made, what fills them, and the fields that were met.
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
