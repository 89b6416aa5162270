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
