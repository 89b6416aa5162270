/// How many users were online at each load, and which events did not come by import.
///
/// `online_counts` has a row a load of all users: `docs/loads.md#online-now`. The index holds the
/// program's own events alone, so that an import, which brings millions, does not touch it.
enum M027OnlineCounts: Migration {
  static let identifier = "027-online-counts"

  static let sql = """
    CREATE TABLE online_counts (
        at INTEGER NOT NULL,
        job TEXT NOT NULL,
        online INTEGER NOT NULL,
        is_sample INTEGER NOT NULL,
        is_minimum INTEGER NOT NULL,
        PRIMARY KEY (at, job)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX events_own ON events(at) WHERE source = 'session';
    """
}
