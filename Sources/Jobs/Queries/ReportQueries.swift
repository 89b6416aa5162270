package import Model
import Store

/// Runs queries on what the reports of a workspace read; see `docs/sql.md`.
package struct ReportQueries {
  private let builder: ReportBuilder
  private let store: Store

  /// - Parameters:
  ///   - options: those of the report whose period and time zone the parameters tell.
  ///   - context: with the database; it is only read.
  /// - Throws: `JobsError.report` when none of the period has come yet.
  package init(_ options: ReportOptions, _ context: JobContext) throws {
    builder = try ReportBuilder(options, context)
    store = context.store
  }

  /// What `:start`, `:end`, `:now` and `:time_zone` are: microseconds since 1970, and an IANA name.
  package var parameters: [String: SQLValue] {
    let context = builder.reportContext
    return [
      "start": .integer(context.start.microseconds), "end": .integer(context.end.microseconds),
      "now": .integer(context.now.microseconds), "time_zone": .text(context.timeZone),
    ]
  }

  /// Runs one query that only reads, in a snapshot of its own.
  ///
  /// - Throws: `QueryProblem`, `StoreError`, or `CancellationError`.
  package func result(of sql: String, within limits: QueryLimits) throws -> SQLResult {
    try reading { try $0.result(of: sql, parameters, within: limits) }
  }

  /// The tables and views that queries can name, sorted.
  package func tables() throws -> [String] { try reading { try $0.exportableNames() } }

  /// The one way to the database: what a report's queries read beside it is made here, on the
  /// connection and in the snapshot of `body`.
  private func reading<T>(_ body: (Reader) throws -> T) throws -> T { try store.read(body) }
}
