import Model

/// What each table and column of the program means, for `firetally schema`: `notes.txt`.
///
/// A line that begins at the margin is a table, an indented one a column of it. The columns of
/// users have theirs in `UserColumn`. A test holds the list against the database.
enum SchemaNotes {
  static let tables: [String: String] = parsed.tables
  static let columns: [String: [String: String]] = parsed.columns

  private static let parsed = parse(String(decoding: PackageResources.notes_txt, as: UTF8.self))

  private static func parse(
    _ text: String
  ) -> (tables: [String: String], columns: [String: [String: String]]) {
    var tables: [String: String] = [:]
    var columns: [String: [String: String]] = [:]
    var table = ""
    for line in text.split(separator: "\n") {
      guard let colon = line.firstRange(of: ": ") else { continue }
      let name = String(line[..<colon.lowerBound].drop { $0 == " " })
      let meaning = String(line[colon.upperBound...])
      if line.hasPrefix(" ") {
        columns[table, default: [:]][name] = meaning
      } else {
        table = name
        tables[table] = meaning
      }
    }
    for column in UserColumn.allCases.map(\.descriptor) {
      columns["OnlineUsers", default: [:]][column.name] = column.note
      columns["OnlineUsers_staging", default: [:]][column.name] = "As in OnlineUsers."
    }
    return (tables, columns)
  }
}
