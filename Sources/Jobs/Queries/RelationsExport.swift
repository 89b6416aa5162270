import Store

/// The relations of a report as an SQLite file, for other programs: docs/relations.md.
package enum RelationsExport {
  /// Writes a file that appears once it is complete.
  ///
  /// - Parameters:
  ///   - options: those of the report whose period the relations are of.
  ///   - context: with the database; it is only read.
  ///   - path: the file to write or replace.
  /// - Returns: the rows of all tables.
  /// - Throws: `JobsError`, `StoreError`.
  package static func write(
    _ options: ReportOptions, _ context: JobContext, to path: String
  ) throws -> Int {
    let draft = try DraftFile(for: path, mode: context.config.outputMode)
    let count = try ReportBuilder(options, context).withRelations { reader, _, _, _ in
      try reader.copyRelations(toDatabase: draft.temporary, named: path)
    }
    try draft.finish()
    return count
  }
}
