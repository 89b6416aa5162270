import Foundation
import GRDB
package import Model

extension Writer {
  /// Enters a run in the ledger and returns its id.
  ///
  /// Until `finish` it says what it would say if the process were killed now.
  package func begin(_ run: Run) throws -> Int64 {
    let values = try Self.values(of: run)
    let names = values.map(\.column).joined(separator: ", ")
    let marks = values.map { _ in "?" }.joined(separator: ", ")
    try self.run(
      "INSERT INTO sync_runs (\(names)) VALUES (\(marks))",
      StatementArguments(values.map(\.value)))
    return database.lastInsertedRowID
  }

  /// Writes the run's end over its row.
  ///
  /// - Precondition: `run.id` is what `begin` returned.
  package func finish(_ run: Run) throws {
    guard let id = run.id else { preconditionFailure("a run is begun before it is finished") }
    let values = try Self.values(of: run)
    let assignments = values.map { "\($0.column) = ?" }.joined(separator: ", ")
    try self.run(
      "UPDATE sync_runs SET \(assignments) WHERE id = ?",
      StatementArguments(values.map(\.value) + [id]))
  }

  /// Keeps what a run has read so far, for whoever asks about its day after it was killed.
  ///
  /// - Precondition: the run was begun and is not finished.
  package func setBilledReads(_ count: Int, ofRun id: Int64) throws {
    try run("UPDATE sync_runs SET billed_reads = ? WHERE id = ?", [count, id])
  }

  private static func values(
    of run: Run
  ) throws -> [(column: String, value: (any DatabaseValueConvertible)?)] {
    let counts = run.counts
    return [
      ("job", run.job),
      ("kind", run.kind),
      ("trigger", run.trigger.rawValue),
      ("started_at", run.startedAt.microseconds),
      ("ended_at", run.endedAt?.microseconds),
      ("outcome", run.outcome.rawValue),
      ("refused_by", run.refusedBy?.rawValue),
      ("fetched", counts.fetched),
      ("inserted", counts.inserted),
      ("updated", counts.updated),
      ("unchanged", counts.unchanged),
      ("deleted", counts.deleted),
      ("skipped", counts.skipped.isEmpty ? "{}" : try json(counts.skipped)),
      ("billed_reads", counts.billedReads),
      ("bytes", counts.bytes),
      ("requests", counts.requests),
      ("retries", counts.retries),
      ("estimated_cost", run.estimatedCost?.amount),
      ("currency", run.estimatedCost?.currency),
      ("read_time", run.readTime?.microseconds),
      ("warnings", run.warnings.isEmpty ? "[]" : try json(run.warnings)),
      ("error", run.error),
    ]
  }

  private static func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}
