import Foundation
import GRDB
package import Model

extension Readable {
  /// The runs that started at `start` or later, and before `end` when it is given, newest first.
  package func runs(from start: Instant, to end: Instant? = nil) throws -> [Run] {
    try runs(
      "WHERE started_at >= ? AND started_at < ? ORDER BY started_at DESC, id DESC",
      [start.microseconds, end?.microseconds ?? .max])
  }

  /// The last run of each job that was begun, by job name.
  package func lastRuns() throws -> [String: Run] {
    try lastRuns(where: "true")
  }

  /// The last run of each job that no limit and no need kept from beginning, by job name.
  package func lastBegunRuns() throws -> [String: Run] {
    try lastRuns(where: "refused_by IS NULL")
  }

  /// The last run of each job that ended `ok`, `partial` or `fresh`, by job name.
  package func lastSuccesses() throws -> [String: Run] {
    try lastRuns(where: "outcome IN ('ok', 'partial', 'fresh')")
  }

  /// Reads that Google bills for the runs that started at `start` or later, and before `end`.
  ///
  /// A run that is still going counts with what it had read at its last commit.
  package func billedReads(from start: Instant, to end: Instant) throws -> Int {
    try reader.count(
      "SELECT sum(billed_reads) FROM sync_runs WHERE started_at >= ? AND started_at < ?",
      [start.microseconds, end.microseconds])
  }

  private func lastRuns(where condition: String) throws -> [String: Run] {
    let last = try runs(
      "WHERE id IN (SELECT max(id) FROM sync_runs WHERE \(condition) GROUP BY job)", [])
    return Dictionary(last.map { ($0.job, $0) }) { _, later in later }
  }

  private func runs(_ clause: String, _ arguments: StatementArguments) throws -> [Run] {
    try Row.fetchAll(
      reader.database, sql: "SELECT * FROM sync_runs \(clause)", arguments: arguments
    ).map { try Run($0) }
  }
}

extension Run {
  fileprivate init(_ row: Row) throws {
    self.init(
      id: row["id"], job: row["job"], kind: row["kind"],
      trigger: try row.choice("trigger", of: "sync_runs"),
      startedAt: row.requiredInstant("started_at"), endedAt: row.instant("ended_at"),
      outcome: try row.choice("outcome", of: "sync_runs"),
      refusedBy: try row.choiceIfAny("refused_by", of: "sync_runs"), counts: try RunCounts(row),
      estimatedCost: Money(row), readTime: row.instant("read_time"),
      warnings: try row.json("warnings", of: "sync_runs"),
      error: row["error"])
  }
}

extension Money {
  fileprivate init?(_ row: Row) {
    guard let amount: Double = row["estimated_cost"], let currency: String = row["currency"] else {
      return nil
    }
    self.init(amount: amount, currency: currency)
  }
}

extension RunCounts {
  fileprivate init(_ row: Row) throws {
    self.init(
      fetched: row["fetched"], inserted: row["inserted"], updated: row["updated"],
      unchanged: row["unchanged"], deleted: row["deleted"],
      skipped: try row.json("skipped", of: "sync_runs"), billedReads: row["billed_reads"],
      bytes: row["bytes"], requests: row["requests"], retries: row["retries"])
  }
}

extension Row {
  fileprivate func json<Content: Decodable>(
    _ column: String, of table: String
  ) throws -> Content {
    let text: String = self[column]
    do {
      return try JSONDecoder().decode(Content.self, from: Data(text.utf8))
    } catch is DecodingError {
      throw UnreadableCell(table: table, column: column, value: text)
    }
  }
}
