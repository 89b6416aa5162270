package import Model
import Reports
import Store
import Workspace

/// Runs queries on what the reports of a workspace read; see `docs/sql.md`.
package struct ReportQueries {
  private let builder: ReportBuilder
  private let context: JobContext

  /// The options are those of the report whose period and time zone the parameters tell.
  ///
  /// - Throws: `JobsError.refused` when none of the period has come yet.
  package init(_ options: ReportOptions, _ context: JobContext) throws {
    builder = try ReportBuilder(options, context)
    self.context = context
  }

  /// What `:start`, `:end`, `:now` and `:time_zone` are: microseconds since 1970, and an IANA name.
  package var parameters: [String: SQLValue] {
    builder.reportContext.parameterValues
  }

  /// Runs one query that only reads, in a snapshot of its own.
  ///
  /// With a time, tables with a history show their rows as of it. `begins` is called when the time
  /// of the limits begins.
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
    // The relations take a pass over the events, which other queries need not wait for.
    guard RelationTables.areNamed(in: sql) else { return try context.store.read(result) }
    return try builder.withRelations(for: RelationNeeds(of: sql)) { reader, _, _, _ in
      try result(reader)
    }
  }

  /// Runs all sections as a report would, and writes nothing.
  ///
  /// - Returns: the faults of each file, in the order of the entries; none for one that is right.
  /// - Throws: `JobsError`, `StoreError`.
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

  /// The columns of the tables, views and relations that a query names; each once.
  ///
  /// - Throws: as `tables` does.
  package func columns(ofTablesIn sql: String) throws -> [String] {
    let words = Set(sql.lowercased().split { !($0.isLetter || $0.isNumber || $0 == "_") })
    let named = try tables().filter { words.contains($0.lowercased()[...]) }
    return try named.flatMap { table in
      try result(of: "SELECT * FROM \"\(table)\" LIMIT 0", within: QueryLimits()).columns
    }.unique
  }

  /// The tables, views and relations that queries can name, sorted.
  package func tables() throws -> [String] {
    (try context.store.read { try $0.exportableNames() } + RelationTables.names).sorted()
  }
}
