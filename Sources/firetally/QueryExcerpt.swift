import Model
import Reports

/// The message about a wrong query: a sentence, the line with a mark below it, and advice.
struct QueryExcerpt {
  /// The largest number of characters shown around the position.
  static let width = 76

  let problem: QueryProblem
  let place: QueryPlace?
  /// Nil for a query on the command line.
  let file: String?
  /// The names to suggest: tables, and columns of the tables in the query.
  let tables: [String]
  var columns: [String] = []

  var text: String {
    [placeText + "\(problem)" + hint, marked, advice].compactMap(\.self).joined(separator: "\n")
  }

  /// The position: `week.sql:3:8: `, or `Line 3, column 8: ` without a file.
  private var placeText: String {
    let numbers = place.map { [$0.line, $0.column] } ?? []
    if let file { return ([file] + numbers.map(String.init)).joined(separator: ":") + ": " }
    return numbers.isEmpty ? "" : "Line \(numbers[0]), column \(numbers[1]): "
  }

  private var hint: String {
    guard case .wrong(let message) = problem.reason else { return "" }
    if let name = QueryProblem.missingColumn(in: message) {
      return ClosestName.hint(for: name, among: columns)
    }
    return QueryProblem.missingTable(in: message)
      .map { ClosestName.hint(for: $0, among: tables) } ?? ""
  }

  /// The line, truncated around the position, above a caret; nil without a position.
  private var marked: String? {
    guard let place else { return nil }
    let line = Array(place.text)
    let column = min(place.column - 1, line.count)
    let start = line.count <= Self.width ? 0 : max(0, column - Self.width / 2)
    let end = min(line.count, start + Self.width)
    let before = VisibleText.line((start > 0 ? "…" : "") + String(line[start..<column]))
    let after = VisibleText.line(String(line[column..<end])) + (end < line.count ? "…" : "")
    let spaces = String(repeating: " ", count: DisplayWidth.of(before))
    return "  \(before)\(after)\n  \(spaces)^"
  }

  private var advice: String? {
    switch problem.reason {
    case .wrong:
      "`firetally schema` lists tables, views and relations with their columns."
    case .tooLong: "Or allow more time with --timeout."
    case .noStatement, .severalStatements, .writes, .unknownParameter, .tooManyRows, .tooLarge,
      .tooLargeResult, .noSpace, .tooMuchMemory:
      nil
    }
  }
}

extension QueryProblem {
  func status(isInFile: Bool) -> ExitStatus {
    if case .tooLong = reason { return .failed }
    return isInFile ? .badData : .usage
  }
}
