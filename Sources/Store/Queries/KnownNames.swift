import GRDB

extension Readable {
  /// The countries that users have, in alphabetical order, without the empty one.
  package func countriesInUse() throws -> [String] {
    try names(of: "user_country")
  }

  /// The languages that users have, in alphabetical order, without the empty one.
  package func languagesInUse() throws -> [String] {
    try names(of: "user_language")
  }

  private func names(of column: String) throws -> [String] {
    try WholeText.fetchAll(
      reader.database,
      sql: """
        SELECT DISTINCT \(column) FROM OnlineUsers
        WHERE \(column) <> '' ORDER BY \(column)
        """
    ).map(\.string)
  }
}
