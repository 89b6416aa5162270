package import Model

/// A table as CSV by RFC 4180, in UTF-8, with the names of its columns in the first line.
///
/// NULL is an empty field, an empty text is `""`. Nothing disarms formulas, since that would change
/// texts: see `docs/export.md#csv`.
package struct CSVTable: TableWriter {
  private var lines: LineBuffer

  package init(_ columns: [TableColumn], to output: OutputBytes) throws {
    lines = LineBuffer(output)
    for (position, column) in columns.enumerated() {
      if position > 0 { lines.append(UInt8(ascii: ",")) }
      try Array(column.name.utf8).withUnsafeBytes { try append(text: $0) }
    }
    try endLine()
  }

  package mutating func write(_ row: [TableCell]) throws {
    for position in row.indices {
      if position > 0 { lines.append(UInt8(ascii: ",")) }
      switch row[position] {
      case .null: break
      case .integer(let number): lines.append(number)
      case .real(let number): lines.append(number)
      case .text(let text): try append(text: text)
      case .blob(let blob) where blob.isEmpty: appendEmpty()
      case .blob(let blob): try lines.append(base64: blob)
      }
    }
    // A lone empty field would be an empty line, which readers skip.
    if row.count == 1, case .null = row[0] { appendEmpty() }
    try endLine()
  }

  package mutating func finish() throws {
    try lines.finish()
  }

  private mutating func endLine() throws {
    lines.append("\r\n".utf8)
    try lines.handOn()
  }

  private mutating func appendEmpty() {
    lines.append(UInt8(ascii: "\""))
    lines.append(UInt8(ascii: "\""))
  }

  private mutating func append(text: UnsafeRawBufferPointer) throws {
    guard !text.isEmpty else { return appendEmpty() }
    if let repaired = text.repairedText {
      return try repaired.withUnsafeBytes { try append(text: $0) }
    }
    let (quote, space) = (UInt8(ascii: "\""), UInt8(ascii: " "))
    let needsQuotes =
      text[0] == space || text[text.count - 1] == space || text.contains(where: Self.isQuoted)
    guard needsQuotes else { return try lines.append(value: text) }
    lines.append(quote)
    try lines.append(value: text) { piece, bytes in
      for byte in piece {
        if byte == quote { bytes.append(quote) }
        bytes.append(byte)
      }
    }
    lines.append(quote)
  }

  /// A comma, a quote, CR or LF, by RFC 4180 section 2, and NUL.
  private static func isQuoted(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "\""), 0x0D, 0x0A, 0: true
    default: false
    }
  }
}
