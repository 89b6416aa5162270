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
