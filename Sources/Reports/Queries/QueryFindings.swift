import Model

extension SectionQuery {
  /// The name of the column of a result that says of each row whether a check is true.
  static func checkColumn(_ index: Int) -> String { "check \(index + 1)" }

  /// The statement to run: the query, with a column for each check after its own.
  package var checkedSQL: String {
    guard !checks.isEmpty else { return sql }
    return "\(Self.start)\(checkParts.joined()) FROM (\n\(statement)\n)"
  }

  private static let start = "SELECT *"

  /// What each check adds to the statement to run.
  private var checkParts: [String] {
    checks.enumerated().map { index, check in
      ", (\(check.when)\n) AS \"\(Self.checkColumn(index))\""
    }
  }

  /// The check in whose part of `checkedSQL` a byte lies, from 0; nil for another place.
  func check(at byte: Int) -> Int? {
    var end = Self.start.utf8.count
    return checkParts.firstIndex { part in
      end += part.utf8.count
      return byte < end
    }
  }

  /// The query without what follows its last word.
  var statement: String { QueryText(sql).body }
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
    var ids: Set<String> = []
    return query.checks.indices.flatMap { index in
      let failing = rows.filter { $0.fails.indices.contains(index) && $0.fails[index] }
      let findings = failing.prefix(Self.most).enumerated().map { place, row in
        let sentence = sentence(query.checks[index], row)
        let found = finding(index, sentence, naming: name(of: row), in: section)
        // Rows that nothing names, or whose names have no letter of ASCII, are told apart by place.
        guard !ids.insert(found.id).inserted else { return found }
        return finding(index, sentence, naming: "\(name(of: row)) row \(place + 1)", in: section)
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

  /// What names the row: its cells that are no numbers, which stay from day to day.
  private func name(of row: QueryRows.Row) -> String {
    zip(query.columns, row.cells).filter { $0.0.unit.isName }.map { words.words($0.1) }
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
