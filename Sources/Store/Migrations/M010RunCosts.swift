/// What the reads of a run cost by the price of its day.
enum M010RunCosts: Migration {
  static let identifier = "010-run-costs"

  static let sql = """
    ALTER TABLE sync_runs ADD COLUMN estimated_cost REAL;
    ALTER TABLE sync_runs ADD COLUMN currency TEXT;
    """
}
