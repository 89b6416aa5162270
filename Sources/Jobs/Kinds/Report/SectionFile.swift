import Model
package import Reports
import Yams

/// A section of a report as a file: a header in YAML and a query; see `docs/figures.md`.
package enum SectionFile {
  static let start = "/*---"
  static let end = "---*/"

  /// - Parameters:
  ///   - source: the file, under the name that messages have for it.
  ///   - name: what `report --sql` calls it.
  ///   - isOwn: whether it is a reader's.
  /// - Returns: the query as the header describes it.
  /// - Throws: `ConfigurationError` with all that is wrong, by the lines of the file.
  package static func query(
    parsing source: SourceFile, name: String, isOwn: Bool
  ) throws(ConfigurationError) -> SectionQuery {
    let parts = try parts(of: source)
    let log = ProblemLog(file: source.path)
    let reader = MappingReader(
      try YAMLDocument.root(of: SourceFile(path: source.path, text: parts.header)), keyPath: "",
      log: log)
    if name.wholeMatch(of: /[a-z0-9]+([-\/][a-z0-9]+)*/) == nil {
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

  /// The header with the lines that it has in the file, and the query with the line it begins on.
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
    let text = (written.hasPrefix("\u{FEFF}") ? String(written.dropFirst()) : written)
      .replacing("\r\n", with: "\n")
    guard text.hasPrefix(start) else {
      throw problem("has no header: begin the file with '\(start)', YAML, and '\(end)'")
    }
    guard let close = text.firstRange(of: end) else {
      throw problem("the header has no end: write '\(end)' on a line after its YAML")
    }
    let rest = text[close.upperBound...]
    let sql = rest.drop { $0.isWhitespace }
    let line = text[..<sql.startIndex].count { $0 == "\n" } + 1
    guard !QueryText(String(sql)).body.isEmpty else {
      throw problem("has no query after its header", line: line)
    }
    let header = text[text.index(text.startIndex, offsetBy: start.count)..<close.lowerBound]
    return (String(header), sql.trimmed, line)
  }
}

extension MappingReader {
  /// The keys of a header.
  static let sectionKeys = [
    "page", "place", "id", "title", "section", "lead", "after", "columns", "definitions", "empty",
    "counts", "everybody", "shown", "folded", "checks", "tile", "chart",
  ]

  /// Reads a header; what is wrong goes to the log.
  fileprivate func section(name: String, isOwn: Bool, sql: String) -> SectionQuery {
    refuseOthers(than: Self.sectionKeys)
    let ownId = name.replacing("/", with: "-")
    var query = SectionQuery(
      name: name, page: page() ?? .own, place: place() ?? .init(ownId),
      title: text("title") ?? name,
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
    query.checks = sectionChecks(of: query.columns)
    query.tile = columnName("tile", of: query.columns)
    query.chart = sectionChart(of: query.columns)
    return query
  }

  static func isId(_ text: String) -> Bool {
    text.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil && text.utf8.count <= 60
  }

  private func page() -> Report.Name? {
    guard let entry = entry("page"), let word = text(of: entry) else { return nil }
    if let page = Report.Name.placeable.first(where: { $0.rawValue == word }) { return page }
    let words = Report.Name.placeable.map(\.rawValue)
    problem(
      entry,
      "must be one of \(words.joined(separator: ", ")), not '\(word)'."
        + ClosestName.hint(for: word, among: words))
    return nil
  }

  /// `features`, `features 1`.
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
