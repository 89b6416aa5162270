/// What comes after 0.2.0, in one step.
///
/// Until its release it may grow, each time by one `version`: databases that were made in between
/// are of no release, and are refused.
enum SinceRelease020: Migration {
  static let identifier = "since-0.2.0"

  /// A new column of users raises it, too.
  static let version = max(31, OnlineUsersTable.newestVersion)

  static let sql = """
    -- Changes that somebody proposed: docs/proposals.md. Times are in microseconds.
    CREATE TABLE setting_proposals (
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL,
        old_value TEXT,
        value INTEGER NOT NULL,
        reason TEXT NOT NULL,
        expected_points REAL NOT NULL,
        proposed_at INTEGER NOT NULL
    );
    \(OnlineUsersTable.additions(Release020.version + 1...version))
    """
}
