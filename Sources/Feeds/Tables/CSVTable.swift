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
      Array(column.name.utf8).withUnsafeBytes { append(text: $0) }
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
      case .text(let text): append(text: text)
      case .blob(let blob) where blob.isEmpty: appendEmpty()
      case .blob(let blob): lines.append(base64: blob)
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
    try lines.endLine()
  }

  private mutating func appendEmpty() {
    lines.append(UInt8(ascii: "\""))
    lines.append(UInt8(ascii: "\""))
  }

  private mutating func append(text: UnsafeRawBufferPointer) {
    guard !text.isEmpty else { return appendEmpty() }
    let traits = TextTraits(of: text)
    if let repaired = text.repairedText(traits) {
      return repaired.withUnsafeBytes { append(text: $0) }
    }
    let space = UInt8(ascii: " ")
    guard traits.contains(.needsQuotes) || text[0] == space || text[text.count - 1] == space else {
      return lines.append(raw: text)
    }
    let quote = UInt8(ascii: "\"")
    lines.append(quote)
    if traits.contains(.hasQuote) {
      for byte in text {
        if byte == quote { lines.append(quote) }
        lines.append(byte)
      }
    } else {
      lines.append(raw: text)
    }
    lines.append(quote)
  }
}
