/// What comes after 0.2.0, in one step; without anything new it is no migration of the schema.
///
/// Until its release it may grow, each time by one `version`: databases that were made in between
/// are of no release, and are refused.
enum SinceRelease020: Migration {
  static let identifier = "since-0.2.0"

  /// A new column of users raises it.
  static let version = max(Release020.version, OnlineUsersTable.newestVersion)

  static let sql =
    version == Release020.version
    ? "" : OnlineUsersTable.additions(Release020.version + 1...version)
}
