import Firestore
import Model
import Testing

@testable import Sync

@Suite struct ColumnMappingTests {
  /// A cell with its content in place of a range.
  private enum Cell: Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    init(_ cell: TableRows.Cell, _ bytes: [UInt8]) {
      self =
        switch cell {
        case .null: .null
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .text(let range): .text(String(decoding: bytes[range], as: UTF8.self))
        case .blob(let range): .blob(Array(bytes[range]))
        }
    }
  }

  private struct Mapped {
    var cells: [Cell] = []
    var notes: [String: Int] = [:]
  }

  private static let prefix = "projects/p/databases/(default)/documents"

  private func map(
    _ fields: String, _ columns: [MappedColumn], hasDocument: Bool = false,
    path: String = "Orders/o1"
  ) throws -> Mapped {
    let mapping = ColumnMapping(columns: columns, hasDocument: hasDocument, orderField: nil)
    var scanner = mapping.scanner
    var collected = MappedRows(TableRows(width: mapping.width))
    var bytes = Array(
      #"[{"document":{"name":"\#(Self.prefix)/\#(path)","fields":\#(fields),"updateTime":"1970-01-01T00:00:00.000007Z"}}]"#
        .utf8)
    _ = try scanner.scan(&bytes) { document, page in
      mapping.add(document, in: page, to: &collected)
    }
    #expect(collected.rows.count == 1)
    #expect(collected.skipped.isEmpty)
    return Mapped(
      cells: collected.rows.cells.map { Cell($0, collected.rows.bytes) }, notes: collected.notes)
  }

  private func column(_ path: String, _ kind: MappedColumn.Kind) throws -> MappedColumn {
    MappedColumn(name: "c", path: try FieldPath(parsing: path), kind: kind)
  }

  @Test(
    "a row begins with the document's path and id, and ends with its update time",
    arguments: [("Orders/o1", "o1"), ("Shops/ü b/Orders/%2F", "%2F")])
  func frame(path: String, id: String) throws {
    #expect(try map("{}", [], path: path).cells == [.text(path), .text(id), .integer(7)])
  }

  private static let fitting: [(String, MappedColumn.Kind, Cell)] = [
    (#"{"stringValue":"a\u0000é"}"#, .text, .text("a\u{0}é")),
    (#"{"stringValue":""}"#, .text, .text("")),
    (#"{"referenceValue":"projects/p/x"}"#, .text, .text("projects/p/x")),
    (
      #"{"timestampValue":"2026-01-31T08:00:00.000001+01:00"}"#, .text,
      .text("2026-01-31T07:00:00.000001Z")
    ),
    (#"{"integerValue":"9223372036854775807"}"#, .integer, .integer(.max)),
    (#"{"integerValue":"-9223372036854775808"}"#, .integer, .integer(.min)),
    (#"{"booleanValue":true}"#, .integer, .integer(1)),
    (#"{"booleanValue":false}"#, .integer, .integer(0)),
    (#"{"timestampValue":"1970-01-01T00:00:01.000002Z"}"#, .integer, .integer(1_000_002)),
    (#"{"doubleValue":3}"#, .integer, .integer(3)),
    (#"{"doubleValue":-0.5}"#, .real, .real(-0.5)),
    (#"{"doubleValue":"-Infinity"}"#, .real, .real(-.infinity)),
    (#"{"integerValue":"9007199254740992"}"#, .real, .real(9_007_199_254_740_992)),
    (#"{"bytesValue":"AP8="}"#, .blob, .blob([0, 255])),
    (#"{"bytesValue":""}"#, .blob, .blob([])),
    (#"{"nullValue":null}"#, .json, .text(#"{"nullValue":null}"#)),
    (
      #"{"geoPointValue": {"latitude": 1}}"#, .json, .text(#"{"geoPointValue":{"latitude":1}}"#)
    ),
    (#"{"doubleValue":"NaN"}"#, .json, .text(#"{"doubleValue":"NaN"}"#)),
    (#"{"futureValue":[1]}"#, .json, .text(#"{"futureValue":[1]}"#)),
  ]

  @Test("a value that fits its column is stored without loss", arguments: 0..<fitting.count)
  func fits(index: Int) throws {
    let (value, kind, cell) = Self.fitting[index]
    let mapped = try map(#"{"f":\#(value)}"#, [column("f", kind)])
    #expect(mapped.cells[2] == cell)
    #expect(mapped.notes.isEmpty)
  }

  private static let misfits: [(String, MappedColumn.Kind, String)] = [
    (#"{"integerValue":"1"}"#, .text, "integer"), (#"{"booleanValue":true}"#, .text, "boolean"),
    (#"{"bytesValue":"AA=="}"#, .text, "bytes"), (#"{"mapValue":{}}"#, .text, "map"),
    (#"{"stringValue":"1"}"#, .integer, "string"), (#"{"doubleValue":1.5}"#, .integer, "double"),
    (#"{"doubleValue":9223372036854775808}"#, .integer, "double"),
    (#"{"doubleValue":"NaN"}"#, .integer, "NaN"),
    (#"{"integerValue":"9223372036854775808"}"#, .integer, "malformed"),
    (#"{"doubleValue":"NaN"}"#, .real, "NaN"),
    (#"{"integerValue":"9007199254740993"}"#, .real, "integer"),
    (#"{"timestampValue":"1970-01-01T00:00:01Z"}"#, .real, "timestamp"),
    (#"{"stringValue":"AA=="}"#, .blob, "string"), (#"{"bytesValue":"A"}"#, .blob, "malformed"),
    (#"{"arrayValue":{}}"#, .blob, "array"), (#"{"geoPointValue":{}}"#, .real, "geo point"),
    (#"{"futureValue":1}"#, .text, "unknown"), (#"{"referenceValue":"x"}"#, .integer, "reference"),
  ]

  @Test("a value that does not fit its column is NULL, and counted", arguments: 0..<misfits.count)
  func doesNotFit(index: Int) throws {
    let (value, kind, name) = Self.misfits[index]
    let mapped = try map(#"{"f":\#(value)}"#, [column("f", kind)])
    #expect(mapped.cells[2] == .null)
    #expect(mapped.notes == ["c (\(name))": 1])
  }

  @Test("null and missing are NULL and no misfit", arguments: MappedColumn.Kind.allCases)
  func absent(kind: MappedColumn.Kind) throws {
    let missing = try map("{}", [column("f", kind)])
    #expect(missing.cells[2] == .null)
    #expect(missing.notes.isEmpty)
    guard kind != .json else { return }
    let null = try map(#"{"f":{"nullValue":null}}"#, [column("f", kind)])
    #expect(null.cells[2] == .null)
    #expect(null.notes.isEmpty)
  }

  @Test("the whole document comes before the update time")
  func document() throws {
    let mapped = try map(#"{"f":{"integerValue":"1"}}"#, [column("f", .integer)], hasDocument: true)
    #expect(
      mapped.cells.dropFirst(2) == [
        .integer(1),
        .text(
          #"{"fields":{"f":{"integerValue":"1"}},"name":"\#(Self.prefix)/Orders/o1","updateTime":"1970-01-01T00:00:00.000007Z"}"#
        ),
        .integer(7),
      ])
  }

  @Test("a misfit never moves the cells after it")
  func alignment() throws {
    let columns = [
      MappedColumn(name: "a", path: FieldPath(segments: ["a"]), kind: .integer),
      MappedColumn(name: "b", path: FieldPath(segments: ["m", "b"]), kind: .text),
    ]
    let mapped = try map(
      #"{"a":{"stringValue":"x"},"m":{"mapValue":{"fields":{"b":{"stringValue":"y"}}}}}"#, columns)
    #expect(mapped.cells.dropFirst(2) == [.null, .text("y"), .integer(7)])
  }
}
