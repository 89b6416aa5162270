import Glibc
import Model
package import Reports

/// The files of sections: those of the program, and the reader's own in the workspace.
package struct SectionFiles: Sendable {
  /// A file, and what was read in it.
  package struct Entry: Sendable {
    /// `usage/by-feature`; of a reader's own the name of the file.
    package let name: String
    package let source: SourceFile
    package let isOwn: Bool
    package let query: Result<SectionQuery, ConfigurationError>
  }

  /// The folder of the reader's own, in the workspace.
  package static let folder = "reports"

  /// Those of the program first, each by name.
  package let entries: [Entry]

  package init(_ entries: [Entry]) {
    self.entries = entries
  }

  /// The files of the program, which are right: a test reads them all.
  package static let shipped = ShippedSections.all.map { file in
    Entry(
      SourceFile(path: file.path, bytes: file.bytes), name: file.name, isOwn: false)
  }

  package var queries: [SectionQuery] {
    entries.compactMap { entry in
      guard case .success(let query) = entry.query else { return nil }
      return query
    }
  }

  /// What is wrong with the files that hold no query.
  package var faults: [QueryFault] {
    entries.flatMap { entry -> [QueryFault] in
      guard case .failure(let error) = entry.query else { return [] }
      return error.problems.map { problem in
        let key = problem.keyPath.isEmpty ? "" : "\(problem.keyPath): "
        return QueryFault(
          file: problem.file, line: problem.line, position: problem.column,
          "\(key)\(problem.message)")
      }
    }
  }

  /// - Throws: `JobsError` for a name that no file has, with the one that was probably meant.
  package func entry(named name: String) throws(JobsError) -> Entry {
    if let entry = entries.first(where: { $0.name == name }) { return entry }
    throw .unknownSection(name, known: entries.map(\.name))
  }

  /// Runs the queries; one that fails costs no other.
  ///
  /// - Parameters:
  ///   - isOfOneProfile: whether what tells of everybody is left out.
  ///   - run: runs a statement.
  /// - Returns: what came of each query that was run, in the order of `queries`.
  /// - Throws: what is no fault of a query, such as that of a database that cannot be read.
  func outcomes(
    ofOneProfile isOfOneProfile: Bool, _ run: (_ sql: String) throws -> SQLResult
  ) throws -> [QueryOutcome] {
    try queries.filter { !(isOfOneProfile && $0.isOfEverybody) }.map { query in
      do {
        return QueryOutcome(query, .success(try run(query.checkedSQL)))
      } catch let problem as QueryProblem {
        // SQLite has rolled the snapshot back, and the relations with it.
        guard problem.reason != .noSpace else {
          throw JobsError.refused(.failed, "\(query.file): \(problem)")
        }
        return QueryOutcome(query, .failure(query.fault(problem)))
      }
    }
  }
}

extension ReportContext {
  /// The parameters of queries, in the order in which pages name them.
  static let parameterNames = ["start", "end", "now", "time_zone"]

  /// What `:start`, `:end`, `:now` and `:time_zone` are: microseconds since 1970, and an IANA name.
  var parameters: [String: SQLValue] {
    [
      "start": .integer(start.microseconds), "end": .integer(end.microseconds),
      "now": .integer(now.microseconds), "time_zone": .text(timeZone),
    ]
  }
}

extension SectionFiles.Entry {
  init(_ source: SourceFile, name: String, isOwn: Bool) {
    self.name = name
    self.source = source
    self.isOwn = isOwn
    do {
      query = .success(try SectionFile.query(parsing: source, name: name, isOwn: isOwn))
    } catch {
      query = .failure(error)
    }
  }

  /// A file that cannot be read.
  fileprivate init(unreadable path: String, name: String, _ error: JobsError) {
    self.name = name
    source = SourceFile(path: path, bytes: [])
    isOwn = true
    query = .failure(
      ConfigurationError([ConfigurationProblem(file: path, message: error.description)]))
  }
}

extension Workspace {
  /// The sections of reports: the program's, and the files `reports/*.sql`.
  ///
  /// A file that cannot be read is one that is wrong; hidden ones are ignored.
  ///
  /// - Throws: `JobsError.file` when the folder is there and cannot be listed.
  package func sections() throws(JobsError) -> SectionFiles {
    let folder = path(SectionFiles.folder)
    guard access(folder, F_OK) == 0 else { return SectionFiles(SectionFiles.shipped) }
    var own: [SectionFiles.Entry] = []
    for file in try FileContents.names(in: folder)
    where file.hasSuffix(".sql") && !file.hasPrefix(".") {
      let name = String(file.dropLast(".sql".count))
      let path = "\(SectionFiles.folder)/\(file)"
      do {
        own.append(SectionFiles.Entry(try source(path), name: name, isOwn: true))
      } catch {
        own.append(SectionFiles.Entry(unreadable: path, name: name, error))
      }
    }
    return SectionFiles(SectionFiles.shipped + own)
  }
}

extension JobsError {
  /// No file of a section has the name.
  static func unknownSection(_ name: String, known: [String]) -> JobsError {
    .refused(
      .usage,
      "There is no section '\(name)'.\(ClosestName.hint(for: name, among: known)) "
        + "`firetally report --check` lists them.")
  }
}

extension SectionFiles {
  /// The example of a reader's own section; without its last ending it is one.
  static let template = WorkspaceTemplate.File(
    path: "\(folder)/releases.sql.example",
    text: """
      /*---
      # A figure of your own: drop '.example' from this file's name, try it with
      # 'firetally report --check', and the next report has it on the page 'Your own figures'.
      # All keys, units and ten more examples: docs/figures.md; what a query reads:
      # docs/relations.md. 'firetally sql' runs a query without a report.
      title: Share of each release
      columns:
        version: {title: Version, unit: text}
        people:  {title: "People, of all", unit: ratio}
      definitions:
        People: With an event of this version in the period.
      empty: No event of this period names a version.
      shown: 10
      # When a row needs you: it becomes a finding, on the index and in the summary.
      checks:
        - when: people_whole >= 30 AND people_part > 0.9 * people_whole
          level: notice
          say: "{version} is on nearly every phone: {people}."
      ---*/
      SELECT app_version AS version, count(DISTINCT user_id) AS people_part,
          (SELECT count(DISTINCT user_id) FROM v_events, period
              WHERE at >= start AND at < "end" AND app_version <> '') AS people_whole
      FROM v_events, period
      WHERE at >= start AND at < "end" AND app_version <> ''
      GROUP BY app_version
      ORDER BY people_part DESC, version

      """)
}
