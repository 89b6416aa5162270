/// What the remote sources sent, and how it changed.
enum M002Settings: Migration {
  static let identifier = "002-settings"

  static let sql = """
    CREATE TABLE settings (
        source TEXT NOT NULL,
        wire_name TEXT NOT NULL,
        raw_value TEXT NOT NULL,
        fetched_at INTEGER NOT NULL,
        PRIMARY KEY (source, wire_name)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE settings_history (
        id INTEGER PRIMARY KEY,
        source TEXT NOT NULL,
        wire_name TEXT NOT NULL,
        old_value TEXT,
        new_value TEXT,
        changed_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX settings_history_changed_at ON settings_history(changed_at);
    """
}
