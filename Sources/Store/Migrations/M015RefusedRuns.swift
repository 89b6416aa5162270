/// What kept a run from beginning; NULL for one that began, and for those of old.
enum M015RefusedRuns: Migration {
  static let identifier = "015-refused-runs"

  static let sql = "ALTER TABLE sync_runs ADD COLUMN refused_by TEXT;"
}
