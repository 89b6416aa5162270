import GRDB
package import Model

extension Readable {
  /// What was logged about a run; empty for one that was killed, and for those of old.
  package func log(ofRun id: Int64) throws -> RunLog {
    let rows = try Row.fetchAll(
      reader.database,
      sql: """
        SELECT number, logged_at, level, message FROM run_logs WHERE run_id = ? ORDER BY number
        """,
      arguments: [id])
    let first: Int = rows.first?["number"] ?? 1
    return try rows.reduce(into: RunLog(omittedCount: first - 1)) { log, row in
      log.append(
        RunLog.LoggedLine(
          at: row.requiredInstant("logged_at"),
          level: try row.choice("level", of: "run_logs"), message: row["message"]))
    }
  }
}

extension Writer {
  /// Adds lines to those that are stored of the run.
  func append(_ log: RunLog, toRun id: Int64) throws {
    let stored = try reader.count("SELECT max(number) FROM run_logs WHERE run_id = ?", [id])
    for (index, line) in log.lines.enumerated() {
      try run(
        """
        INSERT INTO run_logs (run_id, number, logged_at, level, message) VALUES (?, ?, ?, ?, ?)
        """,
        [
          id, stored + log.omittedCount + index + 1, line.at.microseconds, line.level.rawValue,
          line.message,
        ])
    }
  }
}

/// Which runs of the ledger are asked for.
package struct RunSelection: Hashable, Sendable {
  /// Nil: of every job.
  package var job: String?
  /// Only those that failed, were interrupted, or that a needed job or a read budget blocked.
  package var onlyFailed: Bool
  /// Ids of runs that go on, which no failure is.
  package var running: Set<Int64>

  package init(job: String? = nil, onlyFailed: Bool = false, running: Set<Int64> = []) {
    self.job = job
    self.onlyFailed = onlyFailed
    self.running = running
  }

  private var values: StatementArguments {
    StatementArguments([job].compactMap(\.self))
      + StatementArguments(onlyFailed ? running.sorted() : [])
  }

  /// The SQL after `WHERE`, with its values.
  var condition: (sql: String, values: StatementArguments) {
    var conditions = ["true"]
    if job != nil { conditions.append("job = ?") }
    if onlyFailed {
      let places = running.map { _ in "?" }.joined(separator: ", ")
      conditions += [
        "outcome IN ('failed', 'interrupted', 'blocked')",
        "(refused_by IS NULL OR refused_by = 'need')", "id NOT IN (\(places))",
      ]
    }
    return (conditions.joined(separator: " AND "), values)
  }
}
