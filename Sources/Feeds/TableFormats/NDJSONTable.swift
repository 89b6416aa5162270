package import Model

/// A table as one JSON object a line, with its members in the order of the columns.
///
/// A blob is `{"$base64": true, "encoded": "…"}`, which sqlite-utils reads; an infinite number is a
/// string, since JSON has none. See `docs/export.md#ndjson`.
package struct NDJSONTable: TableWriter {
  private var lines: LineBuffer
  /// What stands before each value: `{"name":` or `,"name":`.
  private let heads: [[UInt8]]

  package init(_ columns: [TableColumn], to output: OutputBytes) {
    lines = LineBuffer(output)
    heads = columns.enumerated().map { position, column in
      Array("\(position == 0 ? "{" : ",")\"\(JSONText.escaped(column.name))\":".utf8)
    }
  }

  package mutating func write(_ row: [TableCell]) throws {
    for position in row.indices {
      lines.append(heads[position])
      switch row[position] {
      case .null: lines.append("null".utf8)
      case .integer(let number): lines.append(number)
      case .real(let number) where number.isInfinite:
        lines.append(UInt8(ascii: "\""))
        lines.append(number)
        lines.append(UInt8(ascii: "\""))
      case .real(let number): lines.append(number)
      case .text(let text): try append(text: text)
      case .blob(let blob):
        lines.append(#"{"$base64":true,"encoded":""#.utf8)
        try lines.append(base64: blob)
        lines.append(#""}"#.utf8)
      }
    }
    lines.append(UInt8(ascii: "}"))
    lines.append(UInt8(ascii: "\n"))
    try lines.handOn()
  }

  package mutating func finish() throws {
    try lines.finish()
  }

  private mutating func append(text: UnsafeRawBufferPointer) throws {
    if let repaired = text.repairedText {
      return try repaired.withUnsafeBytes { try append(text: $0) }
    }
    lines.append(UInt8(ascii: "\""))
    try lines.append(value: text) { JSONText.append($0, to: &$1, .whiteSpace) }
    lines.append(UInt8(ascii: "\""))
  }
}
