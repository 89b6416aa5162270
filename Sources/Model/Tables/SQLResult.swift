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

package enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

extension SQLResult {
  /// The columns for a `TableWriter`, each with a name of its own.
  package var tableColumns: [TableColumn] {
    TableColumn.named(columns.map { TableColumn(name: $0) })
  }

  /// Hands over one row after the other; the cells' bytes are valid inside the call only.
  package func forEachRow(_ body: ([TableCell]) throws -> Void) rethrows {
    var bytes: [UInt8] = []
    for row in rows {
      bytes.removeAll(keepingCapacity: true)
      for value in row { bytes.append(contentsOf: value.bytes) }
      try bytes.withUnsafeBytes { buffer in
        var rest = buffer[...]
        try body(row.map { $0.cell(takingFrom: &rest) })
      }
    }
  }
}

extension SQLValue {
  /// The UTF-8 of a text, the bytes of a blob, nothing of other values.
  fileprivate var bytes: [UInt8] {
    switch self {
    case .null, .integer, .real: []
    case .text(let text): Array(text.utf8)
    case .blob(let bytes): bytes
    }
  }

  /// The cell with the first of the bytes, which are this value's.
  fileprivate func cell(takingFrom rest: inout Slice<UnsafeRawBufferPointer>) -> TableCell {
    func take(_ count: Int) -> UnsafeRawBufferPointer {
      defer { rest = rest.dropFirst(count) }
      return UnsafeRawBufferPointer(rebasing: rest.prefix(count))
    }
    return switch self {
    case .null: .null
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .text(let text): .text(take(text.utf8.count))
    case .blob(let bytes): .blob(take(bytes.count))
    }
  }
}
