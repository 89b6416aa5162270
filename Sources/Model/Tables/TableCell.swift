/// A cell of a query's current row, as SQLite stores it.
///
/// The bytes of texts and blobs are valid until the next row. A text is UTF-8 unless another
/// program stored it otherwise.
package enum TableCell {
  case null
  case integer(Int64)
  case real(Double)
  case text(UnsafeRawBufferPointer)
  case blob(UnsafeRawBufferPointer)
}

/// A column of a query's rows.
package struct TableColumn: Hashable, Sendable {
  package let name: String
  /// In capitals; nil for an expression, and where the table declares none.
  package let declaredType: String?
  /// Whether its integers are instants, in microseconds since 1970.
  package let isInstant: Bool

  package init(name: String, declaredType: String? = nil, isInstant: Bool = false) {
    self.name = name
    self.declaredType = declaredType
    self.isInstant = isInstant
  }

  /// Gives every column a name of its own, in any case: a second `id` becomes `id_1`.
  ///
  /// DuckDB names them so. Formats that name each value could not distinguish them, and SQLite does
  /// not create a table with both.
  package static func named(_ columns: [TableColumn]) -> [TableColumn] {
    var taken = Set(columns.map { $0.name.lowercased() })
    var seen: Set<String> = []
    return columns.map { column in
      guard !seen.insert(column.name.lowercased()).inserted else { return column }
      var number = 1
      while !taken.insert("\(column.name)_\(number)".lowercased()).inserted { number += 1 }
      return TableColumn(
        name: "\(column.name)_\(number)", declaredType: column.declaredType,
        isInstant: column.isInstant)
    }
  }
}

/// Writes the rows of a table in one of the formats of `docs/export.md#formats`.
package protocol TableWriter {
  mutating func write(_ row: [TableCell]) throws
  /// Writes what is left and flushes it.
  mutating func finish() throws
}
