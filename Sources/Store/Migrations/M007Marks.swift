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
