package import Model
import Reports
import Store
import Workspace

/// Queries on the data that the reports of a workspace read; see `docs/sql.md`.
package struct ReportQueries {
  private let builder: ReportBuilder
  private let context: JobContext

  /// Creates queries; the report's `options` determine the period and time zone in the parameters.
  ///
  /// - Throws: `WorkspaceError.refused` when the period is still in the future.
  package init(_ options: ReportOptions, _ context: JobContext) throws {
    builder = try ReportBuilder(options, context)
    self.context = context
  }

  /// The values of `:start`, `:end`, `:now` and `:time_zone`: microseconds since 1970, and an IANA
  /// name.
  package var parameters: [String: SQLValue] {
    builder.reportContext.parameterValues
  }

  /// Runs one read-only query in its own snapshot.
  ///
  /// With `time`, tables with a history show their rows as of that time. `begins` is called when
  /// the time limit starts to run.
  ///
  /// - Throws: `QueryProblem`, `StoreError`, or `CancellationError`.
  package func result(
    of sql: String, within limits: QueryLimits, asOf time: Instant? = nil,
    begins: () -> Void = {}
  ) throws -> SQLResult {
    func result(_ reader: Reader) throws -> SQLResult {
      begins()
      guard let time else { return try reader.result(of: sql, parameters, within: limits) }
      return try reader.withVersions(asOf: time) {
        try reader.result(of: sql, parameters, within: limits)
      }
    }
    // The relations require a pass over the events, which other queries need not wait for.
    guard RelationTables.areNamed(in: sql) else { return try context.store.read(result) }
    return try builder.withRelations(for: RelationNeeds(of: sql)) { reader, _, _, _ in
      try result(reader)
    }
  }

  /// Runs all sections as a report would, without writing anything.
  ///
  /// - Returns: the faults of each file, in the order of the entries; empty for a correct file.
  /// - Throws: `WorkspaceError`, `StoreError`.
  package func faults(
    of files: SectionFiles
  ) throws -> [(entry: SectionFiles.Entry, faults: [String])] {
    try builder.withRelations { reader, relations, usage, people in
      let outcomes = try builder.outcomes(of: files.queries, reader)
      let pages = try builder.pages(reader, relations, usage, people)
      let faults = QuerySections(outcomes, QueryContext(relations.context)).faults(on: pages)
      return files.entries.map { entry in
        switch entry.query {
        case .failure(let error): (entry, error.problems.map(\.description))
        case .success(let query):
          (entry, faults.filter { $0.file == query.file }.map(\.description))
        }
      }
    }
  }

  /// Writes the relations of the report as an SQLite file, which appears once it is complete:
  /// docs/relations.md.
  package func writeRelations(to path: String) throws -> Int {
    let draft = try DraftFile(for: path, mode: context.config.outputMode)
    let count = try builder.withRelations { reader, _, _, _ in
      try reader.copyRelations(toDatabase: draft.temporary, named: path)
    }
    try draft.finish()
    return count
  }

  /// Returns the columns of the tables, views and relations that a query names, without duplicates.
  ///
  /// - Throws: as `tables` does.
  package func columns(ofTablesIn sql: String) throws -> [String] {
    let words = Set(sql.lowercased().split { !($0.isLetter || $0.isNumber || $0 == "_") })
    let named = try tables().filter { words.contains($0.lowercased()[...]) }
    return try named.flatMap { table in
      try result(of: "SELECT * FROM \"\(table)\" LIMIT 0", within: QueryLimits()).columns
    }.unique
  }

  /// Returns the tables, views and relations that queries can use, sorted.
  package func tables() throws -> [String] {
    (try context.store.read { try $0.exportableNames() } + RelationTables.names).sorted()
  }
}
