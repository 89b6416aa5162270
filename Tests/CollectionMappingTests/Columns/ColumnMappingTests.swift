import JobsTesting
import Firestore
import Model
import Testing

@testable import CollectionMapping
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

  @Test(arguments: [("Orders/o1", "o1"), ("Shops/ü b/Orders/%2F", "%2F")])
  func `a row begins with the document's path and id, and ends with its update time`(
    path: String, id: String
  ) throws {
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
    (#"{"booleanValue":true}"#, .plainJSON, .text("true")),
    (#"{"integerValue":"9223372036854775807"}"#, .plainJSON, .text("9223372036854775807")),
    (#"{"doubleValue":0.5}"#, .plainJSON, .text("0.5")),
    (#"{"doubleValue":"NaN"}"#, .plainJSON, .text(#""NaN""#)),
    (#"{"doubleValue":"-Infinity"}"#, .plainJSON, .text(#""-Infinity""#)),
    (#"{"stringValue":"a\"é"}"#, .plainJSON, .text(#""a\"é""#)),
    (
      #"{"timestampValue":"2026-01-31T08:00:00.000001Z"}"#, .plainJSON,
      .text(#""2026-01-31T08:00:00.000001Z""#)
    ),
    (#"{"bytesValue":"AP8="}"#, .plainJSON, .text(#""AP8=""#)),
    (
      #"{"referenceValue":"projects/p/databases/(default)/documents/Users/u1"}"#, .plainJSON,
      .text(#""Users/u1""#)
    ),
    (
      #"{"geoPointValue":{"latitude":1.5}}"#, .plainJSON,
      .text(#"{"latitude":1.5,"longitude":0.0}"#)
    ),
    (#"{"arrayValue":{}}"#, .plainJSON, .text("[]")),
    (
      #"{"arrayValue":{"values":[{"nullValue":null},{"integerValue":"1"}]}}"#, .plainJSON,
      .text("[null,1]")
    ),
    (
      #"{"mapValue":{"fields":{"b":{"mapValue":{}},"a":{"stringValue":""}}}}"#, .plainJSON,
      .text(#"{"a":"","b":{}}"#)
    ),
    (
      #"{"mapValue":{"fields":{"__type__":{"stringValue":"__vector__"},"value":{"arrayValue":{"values":[{"doubleValue":0.5}]}}}}}"#,
      .plainJSON, .text("[0.5]")
    ),
    (#"{"futureValue":[1]}"#, .plainJSON, .text("[1]")),
  ]

  @Test(arguments: 0..<fitting.count)
  func `a value that fits its column is stored without loss`(index: Int) throws {
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

  @Test(arguments: 0..<misfits.count)
  func `a value that does not fit its column is NULL, and counted`(index: Int) throws {
    let (value, kind, name) = Self.misfits[index]
    let mapped = try map(#"{"f":\#(value)}"#, [column("f", kind)])
    #expect(mapped.cells[2] == .null)
    #expect(mapped.notes == ["c (\(name))": 1])
  }

  @Test(arguments: MappedColumn.Kind.allCases)
  func `null and missing are NULL and no misfit`(kind: MappedColumn.Kind) throws {
    let missing = try map("{}", [column("f", kind)])
    #expect(missing.cells[2] == .null)
    #expect(missing.notes.isEmpty)
    guard kind != .json else { return }
    let null = try map(#"{"f":{"nullValue":null}}"#, [column("f", kind)])
    #expect(null.cells[2] == .null)
    #expect(null.notes.isEmpty)
  }

  private static let user = "projects/p/databases/(default)/documents/Users/u1"

  private static let forms: [(String, MappedColumn.Form, Cell)] = [
    (#"{"timestampValue":"1970-01-01T00:00:01.9Z"}"#, .micros, .integer(1_900_000)),
    (#"{"timestampValue":"1970-01-01T00:00:01.999999Z"}"#, .seconds, .integer(1)),
    (#"{"timestampValue":"1969-12-31T23:59:59.999999Z"}"#, .seconds, .integer(-1)),
    (#"{"timestampValue":"1969-12-31T23:59:59Z"}"#, .seconds, .integer(-1)),
    (#"{"integerValue":"7"}"#, .seconds, .integer(7)),
    (
      #"{"timestampValue":"1970-01-01T00:00:01Z"}"#, .iso,
      .text("1970-01-01T00:00:01.000000Z")
    ),
    (#"{"referenceValue":"\#(user)"}"#, .id, .text("u1")),
    (#"{"referenceValue":"\#(user)"}"#, .path, .text("Users/u1")),
    (#"{"stringValue":"a/b"}"#, .id, .text("a/b")),
    (#"{"geoPointValue":{"latitude":-1.5,"longitude":2}}"#, .latitude, .real(-1.5)),
    (#"{"geoPointValue":{"latitude":-1.5,"longitude":2}}"#, .longitude, .real(2)),
    (#"{"geoPointValue":{}}"#, .longitude, .real(0)),
    (#"{"nullValue":null}"#, .latitude, .null),
  ]

  @Test(arguments: 0..<forms.count)
  func `a column takes one kind in the form that it names`(index: Int) throws {
    let (value, form, cell) = Self.forms[index]
    let column = MappedColumn(
      name: "c", source: .field(try ValuePath(parsing: "f")), kind: form.kind, form: form)
    let mapped = try map(#"{"f":\#(value)}"#, [column])
    #expect(mapped.cells[2] == cell)
    #expect(mapped.notes.isEmpty)
  }

  @Test func `half of a geo point is taken of nothing else`() throws {
    let column = MappedColumn(
      name: "c", source: .field(try ValuePath(parsing: "f")), kind: .real, form: .latitude)
    let mapped = try map(#"{"f":{"doubleValue":1}}"#, [column])
    #expect(mapped.cells[2] == .null)
    #expect(mapped.notes == ["c (double)": 1])
  }

  private static let list = #"""
    {"tags":{"arrayValue":{"values":[{"stringValue":"a"},{"integerValue":"2"}]}},
     "lines":{"arrayValue":{"values":[{"nullValue":null},{"mapValue":{"fields":{
       "sku":{"stringValue":"x-1"},"sizes":{"arrayValue":{"values":[{"integerValue":"7"}]}}}}}]}},
     "empty":{"arrayValue":{}},"text":{"stringValue":"s"},"map":{"mapValue":{"fields":{}}}}
    """#

  private static let paths: [(String, MappedColumn.Kind, Cell, String?)] = [
    ("tags[0]", .text, .text("a"), nil), ("tags[1]", .integer, .integer(2), nil),
    ("tags[2]", .text, .null, nil), ("tags[1]", .text, .null, "integer"),
    ("lines[1].sku", .text, .text("x-1"), nil), ("lines[0].sku", .text, .null, nil),
    ("lines[1].sizes[0]", .integer, .integer(7), nil),
    ("lines[1].sizes", .plainJSON, .text("[7]"), nil), ("empty[0]", .text, .null, nil),
    ("text.city", .text, .null, "string where a map was expected"),
    ("text[0]", .text, .null, "string where an array was expected"),
    ("text.city", .plainJSON, .null, "string where a map was expected"),
    ("tags.city", .text, .null, "array where a map was expected"),
    ("map[0]", .json, .null, "map where an array was expected"),
    ("map.city", .text, .null, nil), ("missing.city", .text, .null, nil),
    ("tags[0].city", .text, .null, "string where a map was expected"),
  ]

  @Test(arguments: 0..<17)
  func `a path leads through maps and arrays, and says what it met instead`(index: Int) throws {
    let (path, kind, cell, note) = Self.paths[index]
    let column = MappedColumn(
      name: "c", source: .field(try ValuePath(parsing: path)), kind: kind)
    let mapped = try map(Self.list, [column])
    #expect(mapped.cells[2] == cell)
    #expect(mapped.notes == note.map { ["c (\($0))": 1] } ?? [:])
  }

  @Test func `parts of the document are columns, and a parent that is not there is NULL`() throws {
    let columns = try [
      "@id", "@path", "@parent(1).id", "@parent(1).path", "@parent(2).id", "@parent(2).path",
      "@parent(3).id",
    ].map { text in
      MappedColumn(name: "c", source: .document(try #require(DocumentPart(text))), kind: .text)
    }
    let mapped = try map("{}", columns, path: "Users/u/Chats/c/Messages/m")
    #expect(
      mapped.cells.dropFirst(2).dropLast() == [
        .text("m"), .text("Users/u/Chats/c/Messages/m"), .text("c"), .text("Users/u/Chats/c"),
        .text("u"), .text("Users/u"), .null,
      ])
    let time = MappedColumn(name: "c", source: .document(.updateTime), kind: .integer)
    #expect(try map("{}", [time]).cells[2] == .integer(7))
  }

  @Test(arguments: [
    "@", "@name", "@parent", "@parent(0).id", "@parent(100).id", "@parent(1)", "@ID",
  ])
  func `there are no other parts of a document`(text: String) {
    #expect(DocumentPart(text) == nil)
  }

  @Test func `the whole document comes before the update time`() throws {
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

  @Test func `a misfit never moves the cells after it`() throws {
    let columns = [
      MappedColumn(name: "a", path: FieldPath(segments: ["a"]), kind: .integer),
      MappedColumn(name: "b", path: FieldPath(segments: ["m", "b"]), kind: .text),
    ]
    let mapped = try map(
      #"{"a":{"stringValue":"x"},"m":{"mapValue":{"fields":{"b":{"stringValue":"y"}}}}}"#, columns)
    #expect(mapped.cells.dropFirst(2) == [.null, .text("y"), .integer(7)])
  }
}
