import Model

extension SectionQuery {
  /// The name of the column of a result that says of each row whether a check is true.
  static func checkColumn(_ index: Int) -> String { "check \(index + 1)" }

  /// The statement to run: the query, with a column for each check after its own.
  package var checkedSQL: String {
    guard !checks.isEmpty else { return sql }
    let columns = checks.enumerated().map { index, check in
      ", (\(check.when)\n) AS \"\(Self.checkColumn(index))\""
    }
    return "SELECT *\(columns.joined()) FROM (\n\(statement)\n)"
  }

  /// The query without what follows its last word.
  var statement: String { SQLStatement.body(of: sql) }
}

/// The rows of which the checks of a query are true, as findings: docs/figures.md#checks.
struct QueryFindings {
  /// Findings of one check; the last of more says how many rows there are besides.
  static let most = 5

  private let query: SectionQuery
  private let rows: [QueryRows.Row]
  private let words: CellWords

  init(_ query: SectionQuery, _ rows: [QueryRows.Row], _ words: CellWords) {
    self.query = query
    self.rows = rows
    self.words = words
  }

  /// In the order of the checks, and of the rows within each.
  func found(in section: String) -> [Finding] {
    query.checks.indices.flatMap { index in
      let failing = rows.filter { $0.fails.indices.contains(index) && $0.fails[index] }
      let findings = failing.prefix(Self.most).map { row in
        finding(index, sentence(query.checks[index], row), naming: name(of: row), in: section)
      }
      guard failing.count > Self.most else { return findings }
      let more = NumberWords.counted(failing.count - Self.most, "more row")
      return findings + [
        finding(
          index, "\(query.title): \(more) like \(Self.most) of these findings.", naming: "more",
          in: section)
      ]
    }
  }

  private func finding(
    _ index: Int, _ sentence: String, naming row: String, in section: String
  ) -> Finding {
    // Ids stay while a check is the first; those after it have their numbers.
    let number = index == 0 ? "" : " check \(index + 1)"
    return Finding(
      query.checks[index].level, sentence, report: query.page, section: section,
      subject: "\(query.name)\(number) \(row)")
  }

  /// What names the row: its leading cells that are no numbers, which stay from day to day.
  private func name(of row: QueryRows.Row) -> String {
    zip(query.columns, row.cells).prefix { $0.0.unit.isName }.map { words.words($0.1) }
      .joined(separator: " ")
  }

  private func sentence(_ check: RowCheck, _ row: QueryRows.Row) -> String {
    // In one pass: a text in a cell may hold the name of a column, too.
    check.say.replacing(/\{([^{}]*)\}/) { match in
      query.columns.firstIndex { $0.id == match.output.1 }.map { words.words(row.cells[$0]) }
        ?? String(match.output.0)
    }
  }
}

/// The text of one statement of SQL.
package enum SQLStatement {
  /// The statement without what follows its last word: spaces, comments, semicolons.
  package static func body(of sql: String) -> String {
    let bytes = Array(sql.utf8)
    var end = 0
    var index = 0
    while index < bytes.count {
      let next = self.end(ofTokenAt: index, in: bytes)
      if !isPassed(bytes, index) { end = next }
      index = next
    }
    return String(decoding: bytes[..<end], as: UTF8.self)
  }

  /// Whether a token is a space, a semicolon or a comment.
  private static func isPassed(_ bytes: [UInt8], _ index: Int) -> Bool {
    [9, 10, 12, 13, 32, UInt8(ascii: ";")].contains(bytes[index])
      || begins(bytes, index, "--") || begins(bytes, index, "/*")
  }

  /// Of a text in quotes or a comment its end, of all else the next byte.
  private static func end(ofTokenAt index: Int, in bytes: [UInt8]) -> Int {
    if begins(bytes, index, "--") { return after("\n", in: bytes, from: index + 2) }
    if begins(bytes, index, "/*") { return after("*/", in: bytes, from: index + 2) }
    switch bytes[index] {
    case UInt8(ascii: "'"): return after("'", in: bytes, from: index + 1)
    case UInt8(ascii: "\""): return after("\"", in: bytes, from: index + 1)
    case UInt8(ascii: "`"): return after("`", in: bytes, from: index + 1)
    case UInt8(ascii: "["): return after("]", in: bytes, from: index + 1)
    default: return index + 1
    }
  }

  private static func begins(_ bytes: [UInt8], _ index: Int, _ sign: StaticString) -> Bool {
    bytes[index...].starts(with: "\(sign)".utf8)
  }

  private static func after(_ sign: StaticString, in bytes: [UInt8], from start: Int) -> Int {
    var index = start
    while index < bytes.count, !begins(bytes, index, sign) { index += 1 }
    return min(index + "\(sign)".utf8.count, bytes.count)
  }
}
