import Glibc
import Model
package import Reports
package import Workspace
import Yams

/// The files of sections: those of the program, and the reader's own in the workspace.
package struct SectionFiles: Sendable {
  /// A file with its query, or with its problems.
  package struct Entry: Sendable {
    /// Such as `usage/by-feature`; for a reader's own section the file's name.
    package let name: String
    package let source: SourceFile
    package let isOwn: Bool
    package let query: Result<SectionQuery, ConfigurationError>
  }

  /// The folder of the reader's own, in the workspace.

  /// The program's sections first, each group by name.
  package let entries: [Entry]

  /// The program's own files, which a test checks.
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

  /// The problems of files without a valid query.
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

  /// - Throws: `WorkspaceError` for an unknown name, with a suggestion.
  package func entry(named name: String) throws(WorkspaceError) -> Entry {
    if let entry = entries.first(where: { $0.name == name }) { return entry }
    let hint = ClosestName.hint(for: name, among: entries.map(\.name))
    throw .refused(
      .usage, "There is no section '\(name)'.\(hint) `firetally report --check` lists them.")
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

  fileprivate init(unreadable path: String, name: String, _ error: WorkspaceError) {
    self.name = name
    source = SourceFile(path: path, bytes: [])
    isOwn = true
    query = .failure(
      ConfigurationError([ConfigurationProblem(file: path, message: error.description)]))
  }
}

extension Workspace {
  /// Returns the sections of reports: the program's, and the files `reports/*.sql`.
  ///
  /// An unreadable file counts as a wrong one; hidden files are ignored.
  ///
  /// - Throws: `WorkspaceError.file` when the folder exists but cannot be listed.
  package func sections() throws(WorkspaceError) -> SectionFiles {
    let folder = path(Workspace.sectionsFolder)
    guard access(folder, F_OK) == 0 else { return SectionFiles(entries: SectionFiles.shipped) }
    var own: [SectionFiles.Entry] = []
    for file in try FileContents.names(in: folder)
    where file.hasSuffix(".sql") && !file.hasPrefix(".") {
      let name = String(file.dropLast(".sql".count))
      let path = "\(Workspace.sectionsFolder)/\(file)"
      do {
        own.append(SectionFiles.Entry(try source(path), name: name, isOwn: true))
      } catch {
        own.append(SectionFiles.Entry(unreadable: path, name: name, error))
      }
    }
    return SectionFiles(entries: SectionFiles.shipped + own)
  }
}

/// A section of a report as a file: a YAML header and a query; see `docs/figures.md`.
package enum SectionFile {
  static let start = "/*---"
  static let end = "---*/"

  /// Parses the query with its header; `name` is its name in `report --sql`.
  package static func query(
    parsing source: SourceFile, name: String, isOwn: Bool
  ) throws(ConfigurationError) -> SectionQuery {
    let parts = try parts(of: source)
    let log = ProblemLog(file: source.path)
    let reader = MappingReader(
      try YAMLDocument.root(of: SourceFile(path: source.path, text: parts.header)), keyPath: "",
      log: log, keys: .allPublic)
    if !name.isWords(joinedBy: "-/") {
      log.add(
        "a section is named by its file, in lower-case words joined by hyphens: 'price-test.sql'",
        at: nil, keyPath: "")
    }
    var query = reader.section(name: name, isOwn: isOwn, sql: parts.sql)
    try log.throwIfAny()
    query.line = parts.line
    query.file = source.path
    return query
  }

  /// Splits a file into its header, its query and the line where the query begins.
  private static func parts(
    of source: SourceFile
  ) throws(ConfigurationError) -> (header: String, sql: String, line: Int) {
    func problem(_ message: String, line: Int = 1) -> ConfigurationError {
      ConfigurationError([ConfigurationProblem(file: source.path, line: line, message: message)])
    }
    guard source.bytes.count <= YAMLDocument.maxBytes else {
      throw problem("the file is bigger than \(YAMLDocument.maxBytes) bytes")
    }
    guard let written = String(validating: source.bytes, as: UTF8.self) else {
      throw problem("the file is not UTF-8; save it as UTF-8")
    }
    var text = written.withoutByteOrderMark
    if text.utf8.contains(UInt8(ascii: "\r")) { text = text.replacing("\r\n", with: "\n") }
    guard text.hasPrefix(start) else {
      throw problem("has no header: begin the file with '\(start)', YAML, and '\(end)'")
    }
    guard let close = close(of: text) else {
      throw problem("the header has no end: write '\(end)' on a line after its YAML")
    }
    let rest = text[close.upperBound...]
    let sql = rest.drop { $0.isWhitespace }
    let line = text.utf8[..<sql.startIndex].count { $0 == UInt8(ascii: "\n") } + 1
    guard !QueryText(String(sql)).body.isEmpty else {
      throw problem("has no query after its header", line: line)
    }
    let header = text[text.index(text.startIndex, offsetBy: start.count)..<close.lowerBound]
    return (String(header), sql.trimmed, line)
  }

  /// Where the header's end stands.
  ///
  /// By bytes, since a search of characters, or `firstRange`, takes as long as parsing the header.
  private static func close(of text: String) -> Range<String.Index>? {
    let bytes = text.utf8
    return bytes.indices.lazy.filter {
      bytes[$0] == UInt8(ascii: "-") && bytes[$0...].starts(with: end.utf8)
    }
    .first.map { $0..<bytes.index($0, offsetBy: end.utf8.count) }
  }
}

extension MappingReader {
  static let sectionKeys = [
    "page", "place", "id", "title", "section", "lead", "after", "columns", "definitions", "empty",
    "counts", "everybody", "optional", "replaces", "shown", "folded", "checks", "tile", "chart",
  ]

  /// Reads a header; its problems go to the log.
  fileprivate func section(name: String, isOwn: Bool, sql: String) -> SectionQuery {
    refuseOthers(than: Self.sectionKeys)
    let ownId = name.replacing("/", with: "-")
    var query = SectionQuery(
      name: name, page: choice("page", among: Report.Name.placeable) ?? .own,
      place: place() ?? .init(ownId), title: text("title") ?? name,
      columns: sectionColumns(), sql: sql, file: log.file)
    if entry("title") == nil { missing("title", "say what the table is called") }
    if entry("page") == nil, !isOwn { missing("page", "name the page that it belongs to") }
    query.isOwn = isOwn
    query.keyLines = Dictionary(entries.map { ($0.name, $0.key.mark?.line ?? 1) }) { $1 }
    if let id = text("id", wanted: "lower-case words joined by hyphens", where: Self.isId) {
      query.id = id
    }
    query.sectionTitle = text("section")
    query.lead = text("lead")
    query.after = text("after", wanted: "the id of a section", where: Self.isId)
    let definitions = mapping("definitions")
    query.definitions = definitions.entries.compactMap { entry in
      definitions.text(of: entry).map { Definition(entry.name, $0) }
    }
    if let empty = text("empty") { query.empty = empty }
    if let basis = choice("counts", of: SectionQuery.Basis.self) { query.basis = basis }
    query.shown = integer("shown", in: 1...10_000)
    query.isFolded = boolean("folded") ?? false
    query.isOfEverybody = boolean("everybody") ?? false
    query.isOptional = boolean("optional") ?? false
    query.replaces = text("replaces")
    query.checks = sectionChecks(of: query.columns)
    query.tile = columnName("tile", of: query.columns)
    query.chart = sectionChart(of: query.columns)
    return query
  }

  static func isId(_ text: String) -> Bool {
    text.isWords(joinedBy: "-") && text.utf8.count <= 60
  }

  /// Reads where a section is placed: `features`, or `features 1`.
  private func place() -> SectionQuery.Place? {
    guard let entry = entry("place"), let text = text(of: entry) else { return nil }
    let words = text.split(separator: " ")
    let position = words.dropFirst().first.flatMap { Int($0) }
    let isRight = words.count == 1 || (words.count == 2 && (1...999).contains(position ?? 0))
    guard isRight, let id = words.first.map(String.init), Self.isId(id) else {
      wrongType(entry, wanted: "the id of a section and a position, such as 'features 1'")
      return nil
    }
    return SectionQuery.Place(id, position)
  }
}
