import Testing

@testable import Firestore

/// Fields inside maps, the JSON of fields, and the JSON of whole documents.
@Suite struct WantedFieldTests {
  private struct Found: Equatable {
    var fields: [Scan.Field] = []
    var json: [String] = []
    var document = ""
  }

  private func scan(
    _ fields: String, _ wanted: [WantedField], extent: DocumentScanner.Extent = .init()
  ) throws -> Found {
    var scanner = DocumentScanner(fields: wanted, extent: extent)
    var bytes = Array(#"[{"document":{"name":"n","fields":\#(fields)}}]"#.utf8)
    var found = Found()
    _ = try scanner.scan(&bytes) { document, buffer in
      found.fields = document.fields.map { Scan.Field($0, buffer) }
      found.json = wanted.indices.map { String(decoding: document.json(of: $0), as: UTF8.self) }
      found.document = String(decoding: document.json, as: UTF8.self)
    }
    return found
  }

  private func field(_ path: String, _ form: WantedField.Representation = .value) throws
    -> WantedField
  {
    WantedField(try FieldPath(parsing: path), form)
  }

  private let address = #"""
    {"address":{"mapValue":{"fields":{
      "city":{"stringValue":"K\u00f6ln"},
      "geo":{"mapValue":{"fields":{"lat":{"doubleValue":50.9}}}},
      "none":{"nullValue":null}}}},
     "city":{"stringValue":"top"}}
    """#

  @Test
  func `a field inside maps is read, at every depth and beside one of its name at the top`() throws
  {
    let wanted = try ["address.geo.lat", "city", "address.city", "address.none", "address.zip"]
      .map { try field($0) }
    let found = try scan(address, wanted)
    #expect(
      found.fields == [
        .double(50.9.bitPattern), .text("top"), .text("Köln"), .null, .missing,
      ])
  }

  @Test func `a map is read as a whole, in part and as JSON at the same time`() throws {
    let wanted = try [
      field("address"), field("address", .json), field("address.city"),
      field("address.city", .json), field("address.geo.lat", .json),
    ]
    let found = try scan(address, wanted)
    #expect(found.fields[0] == .other(.map))
    #expect(found.fields[1] == .missing)
    #expect(found.fields[2] == .text("Köln"))
    #expect(
      found.json[1] == #"{"mapValue":{"fields":{"city":{"stringValue":"Köln"},"#
        + #""geo":{"mapValue":{"fields":{"lat":{"doubleValue":50.9}}}},"none":{"nullValue":null}}}}"#
    )
    #expect(found.json[3] == #"{"stringValue":"Köln"}"#)
    #expect(found.json[4] == #"{"doubleValue":50.9}"#)
    #expect(found.json[0] == "")
  }

  @Test(
    arguments: [
      (#"{"stringValue":"a\u0062"}"#, .string), (#"{"mapValue":{}}"#, nil),
      (#"{"mapValue":{"fields":{}}}"#, nil), (#"{"mapValue":null}"#, nil),
      (#"{"mapValue":{"fields":[1]}}"#, nil), (#"{"arrayValue":{"values":[]}}"#, .array),
      (#"{"nullValue":null}"#, nil), ("{}", .unknown), ("[]", .unknown), ("null", .unknown),
    ] as [(String, FieldKind?)])
  func `what is no map holds no fields, and is named unless it is null`(
    value: String, kind: FieldKind?
  ) throws {
    let wanted = try [field("a.b"), field("c")]
    let found = try scan(#"{"a":\#(value),"c":{"integerValue":"1"}}"#, wanted)
    #expect(found.fields == [kind.map { .unreachable($0) } ?? .missing, .integer(1)])
  }

  @Test(arguments: [
    #"{"mapValue" : {"fields" : {"b" : {"integerValue" : "1"}}}}"#,
    #" { "mapValue": { "fields": { "b": { "integerValue": 1 } } } } "#,
    #"{"m\u0061pValue":{"f\u0069elds":{"\u0062":{"integer\u0056alue":"1"}}}}"#,
    "\n{\n  \"mapValue\": {\n    \"fields\": {\n      \"b\": {\n\"integerValue\": \"1\"\n}}}}",
  ])
  func `a map is one with white space and escapes, too`(value: String) throws {
    let found = try scan(#"{"a": \#(value), "c":{"nullValue":null}}"#, [field("a.b"), field("c")])
    #expect(found.fields == [.integer(1), .null])
  }

  @Test func `a field that occurs twice keeps its last value and JSON`() throws {
    let wanted = try [field("a"), field("a", .json)]
    let found = try scan(#"{"a":{"integerValue":"1"},"a":{"integerValue":"2"}}"#, wanted)
    #expect(found.fields[0] == .integer(2))
    #expect(found.json[1] == #"{"integerValue":"2"}"#)
  }

  @Test func `the second document has nothing of the first`() throws {
    var scanner = DocumentScanner(
      fields: try [field("a.b"), field("a", .json)], extent: .init(hasDocument: true))
    var bytes = Array(
      #"""
      [{"document":{"name":"x","fields":{"a":{"mapValue":{"fields":{"b":{"nullValue":null}}}}}}},
       {"document":{"name":"y"}}]
      """#.utf8)
    var seen: [Found] = []
    _ = try scanner.scan(&bytes) { document, buffer in
      seen.append(
        Found(
          fields: document.fields.map { Scan.Field($0, buffer) },
          json: [String(decoding: document.json(of: 1), as: UTF8.self)],
          document: String(decoding: document.json, as: UTF8.self)))
    }
    #expect(seen.map(\.fields.first) == [.null, .missing])
    #expect(seen.last?.json == [""])
    #expect(seen.last?.document == #"{"name":"y"}"#)
  }

  @Test func `a document's JSON is in one form, however it came`() throws {
    let fields = #"{ "n":{"integerValue":7.0e0}, "a b" : {"stringValue" : " \u0022 \\ \u00e9 " } }"#
    let found = try scan(fields, [try field("`a b`")], extent: .init(hasDocument: true))
    #expect(
      found.document
        == #"{"fields":{"a b":{"stringValue":" \" \\ é "},"n":{"integerValue":"7"}},"name":"n"}"#
    )
    #expect(found.fields == [.text(" \" \\ é ")])
  }

  /// Integers as a server may send them, and Google's form: at, below and above 18 digits.
  static let integers = [
    ("0", "0"), ("00", "0"), ("007", "7"), ("-0", "0"), ("-7", "-7"), ("1", "1"),
    ("12345678901234567", "12345678901234567"), ("123456789012345678", "123456789012345678"),
    ("1234567890123456789", "1234567890123456789"),
    ("000000000000000001", "1"), ("9223372036854775807", "9223372036854775807"), ("1e2", "100"),
  ]

  @Test(arguments: integers)
  func `an integer in a text is in Google's form`(sent: String, written: String) throws {
    let found = try scan(#"{"a":{"integerValue":"\#(sent)"}}"#, [try field("a", .json)])
    #expect(found.json == [#"{"integerValue":"\#(written)"}"#])
  }

  @Test func `keys are sorted by their bytes, and of a repeated key the last stays`() throws {
    let value = #"{"nullValue":null}"#
    func map(_ keys: String...) -> String {
      let members = keys.map { #""\#($0)":\#(value)"# }
      return #"{"mapValue":{"fields":{\#(members.joined(separator: ","))}}}"#
    }
    let sent = #"{"a":\#(map("b", "aa", "é", "a", "", "B"))}"#
    #expect(
      try scan(sent, [try field("a", .json)]).json == [map("", "B", "a", "aa", "b", "é")])
    let member = #""b":{"integerValue":"1"},"a":\#(value),"b":\#(value)"#
    let twice = #"{"a":{"mapValue":{"fields":{\#(member)}}}}"#
    #expect(try scan(twice, [try field("a", .json)]).json == [map("a", "b")])
  }

  @Test(arguments: [(31, true), (32, false)])
  func `nesting has the same limit however a value is wanted`(levels: Int, isAccepted: Bool) throws
  {
    let open = String(repeating: #"{"mapValue":{"fields":{"a":"#, count: levels)
    let value = open + #"{"nullValue":null}"# + String(repeating: "}}}", count: levels)
    let path = FieldPath(segments: Array(repeating: "a", count: levels + 1))
    let wishes: [[WantedField]] = [
      [WantedField(path)], [WantedField(path, .json)], [try field("a", .json)], [],
    ]
    for wanted in wishes {
      let text = #"{"a":\#(value)}"#
      guard isAccepted else {
        #expect(throws: JSONError.self) { try scan(text, wanted, extent: .init()) }
        continue
      }
      let expected = wanted.map { $0.form == .value ? Scan.Field.null : .missing }
      #expect(try scan(text, wanted, extent: .init(hasDocument: true)).fields == expected)
    }
  }
}
