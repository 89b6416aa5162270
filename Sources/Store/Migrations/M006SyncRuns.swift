/// The ledger of runs.
enum M006SyncRuns: Migration {
  static let identifier = "006-sync-runs"

  static let sql = """
    CREATE TABLE sync_runs (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        job TEXT NOT NULL,
        kind TEXT NOT NULL,
        trigger TEXT NOT NULL,
        started_at INTEGER NOT NULL,
        ended_at INTEGER,
        outcome TEXT NOT NULL,
        fetched INTEGER NOT NULL,
        inserted INTEGER NOT NULL,
        updated INTEGER NOT NULL,
        unchanged INTEGER NOT NULL,
        deleted INTEGER NOT NULL,
        skipped TEXT NOT NULL,
        billed_reads INTEGER NOT NULL,
        bytes INTEGER NOT NULL,
        requests INTEGER NOT NULL,
        retries INTEGER NOT NULL,
        read_time INTEGER,
        warnings TEXT NOT NULL,
        error TEXT
    ) STRICT;
    CREATE INDEX sync_runs_started_at ON sync_runs(started_at);
    CREATE INDEX sync_runs_job ON sync_runs(job, outcome);
    """
}
