/// What a query over the database and the relations found: docs/figures.md.
package struct SQLResult: Hashable, Sendable {
  /// The names of the columns, as the query gives them; two may be alike.
  package var columns: [String]
  /// In the order of the query; each has a value a column.
  package var rows: [[SQLValue]]

  package init(columns: [String], rows: [[SQLValue]]) {
    self.columns = columns
    self.rows = rows
  }
}

/// A value as SQLite holds it.
package enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}
