import Fixtures
import Testing

@testable import Firestore

/// Documents whose stored `updateTime` is still theirs: found without reading their fields.
@Suite struct UnchangedDocumentTests {
  private static let root = "projects/demo/databases/(default)/documents/Users"
  private static let time = "2026-01-31T08:00:00.123456Z"
  private static let microseconds: Int64 = 1_769_846_400_123_456

  /// A document as Firestore writes it, with these fields.
  private static func element(_ id: String, _ fields: String, time: String = time) -> String {
    """
    {"document": {"name": "\(root)/\(id)", "fields": {\(fields)},
    "createTime": "2026-01-01T00:00:00Z", "updateTime": "\(time)"}, "readTime": "\(time)"}
    """
  }

  private struct Found: Equatable {
    var names: [String] = []
    var times: [Int64?] = []
    /// Nil for an unchanged document.
    var fields: [[Scan.Field]?] = []
    var last: [Scan.Field] = []
    var page = ScannedPage()
  }

  private static func scan(
    _ elements: [String], fields: [String] = ["a"], stored: [String: Int64] = [:]
  ) throws -> Found {
    try scan(Array("[\(elements.joined(separator: ",\n"))]".utf8), fields: fields, stored: stored)
  }

  private static func scan(
    _ page: [UInt8], fields: [String] = ["a"], stored: [String: Int64]
  ) throws -> Found {
    var bytes = page
    var found = Found()
    var scanner = DocumentScanner(fields: fields)
    let time: DocumentScanner.StoredTime = { name in
      stored[String(String(decoding: name, as: UTF8.self).split(separator: "/").last ?? "")]
    }
    found.page = try scanner.scan(&bytes, stored: time) { document, buffer in
      found.names.append(String(decoding: buffer[document.name], as: UTF8.self))
      found.times.append(document.updateTime)
      found.fields.append(
        document.isUnchanged ? nil : document.fields.map { Scan.Field($0, buffer) })
    }
    found.last = bytes.withUnsafeBytes { buffer in
      scanner.lastFields.map { Scan.Field($0, buffer) }
    }
    return found
  }

  private static let text = #""a": {"stringValue": "x"}"#

  @Test(arguments: [(-1, false), (0, true), (1, false)])
  func `only a document with exactly the stored time is unchanged`(
    difference: Int64, isUnchanged: Bool
  ) throws {
    let elements = ["1", "2", "3"].map { Self.element($0, Self.text) }
    let found = try Self.scan(elements, stored: ["2": Self.microseconds + difference])
    #expect(found.fields == [[.text("x")], isUnchanged ? nil : [.text("x")], [.text("x")]])
    #expect(found.names == ["1", "2", "3"].map { "\(Self.root)/\($0)" })
    #expect(found.times == [Self.microseconds, Self.microseconds, Self.microseconds])
    #expect(found.page.documentCount == 3)
    #expect(found.page.lastName == "\(Self.root)/3")
  }

  @Test
  func `the fields of the last document are read, since the next page may begin after them`() throws
  {
    let elements = ["1", "2"].map { Self.element($0, #""a": {"integerValue": "\#($0)"}"#) }
    let stored = ["1": Self.microseconds, "2": Self.microseconds]
    let found = try Self.scan(elements, stored: stored)
    #expect(found.fields == [nil, nil])
    #expect(found.last == [.integer(2)])
    let others = ["{\"readTime\": \"\(Self.time)\"}", #"{"document": null}"#]
    #expect(try Self.scan(elements + others, stored: stored).last == [.integer(2)])
    #expect(try Self.scan([elements[0]], stored: [:]).last == [.integer(1)])
  }

  /// What a field may hold that looks like the end of the document.
  @Test(arguments: [
    #""updateTime": {"stringValue": "2026-01-31T08:00:00.123456Z"}"#,
    #""a": {"stringValue": "\"updateTime\": \"2026-01-31T08:00:00.123456Z\""}"#,
    #""a": {"stringValue": "updateTime"}, "updateTime" : {"nullValue": null}"#,
    #""a": {"mapValue": {"fields": {"updateTime": {"mapValue": {}}}}}"#,
    #""a": {"stringValue": "\\"}, "document": {"stringValue": "b"}"#,
    #""document": {"mapValue": {"fields": {"document": {"integerValue": "1"}}}}"#,
    #""a": {"arrayValue": {"values": [{"stringValue": "document"}, {"stringValue": ":"}]}}"#,
    #""udT": {"stringValue": "updateTim"}, "documents": {"nullValue": null}"#,
    "",
  ])
  func `nothing in a document's fields is taken for its time`(fields: String) throws {
    let other = "2026-01-31T08:00:00.123457Z"
    let elements = [
      Self.element("1", fields), Self.element("2", Self.text),
      Self.element("3", fields, time: other), Self.element("4", Self.text),
      Self.element("5", fields),
    ]
    let whole = try Self.scan(elements)
    let stored = ["1": Self.microseconds, "3": Self.microseconds, "5": Self.microseconds]
    var found = try Self.scan(elements, stored: stored)
    for position in [0, 4] where found.fields[position] == nil {
      found.fields[position] = whole.fields[position]
    }
    #expect(found.fields[2] != nil)
    #expect(found == whole)
  }

  @Test func `a document without a time does not take the next one's`() throws {
    let bare = #"{"document": {"name": "\#(Self.root)/1", "fields": {\#(Self.text)}}}"#
    let elements = [bare, Self.element("2", Self.text), bare, bare]
    let found = try Self.scan(elements, stored: ["1": Self.microseconds, "2": Self.microseconds])
    #expect(found.times == [nil, Self.microseconds, nil, nil])
    #expect(found.fields == [[.text("x")], nil, [.text("x")], [.text("x")]])
  }

  @Test
  func `a time that is no time, or is escaped, is read with the rest of the document`() throws {
    let escaped = Self.time.replacing(":", with: "\\u003a")
    let elements = [Self.element("1", Self.text, time: escaped), Self.element("2", Self.text)]
    let found = try Self.scan(elements, stored: ["1": Self.microseconds])
    #expect(found.times == [Self.microseconds, Self.microseconds])
    #expect(found.fields == [[.text("x")], [.text("x")]])
    #expect(throws: WireError.self) {
      try Self.scan([Self.element("1", Self.text, time: "soon")], stored: ["1": 0])
    }
  }

  @Test func `the keys of a document and of its name may come in any order`() throws {
    let early = """
      {"document": {"updateTime": "\(Self.time)", "name": "\(Self.root)/1", "fields": {\(Self.text)}}}
      """
    let nameless = """
      {"document": {"fields": {\(Self.text)}, "updateTime": "\(Self.time)", "name": "\(Self.root)/1"}}
      """
    for element in [early, nameless] {
      let found = try Self.scan(
        [element, Self.element("2", Self.text)], stored: ["1": Self.microseconds])
      #expect(found.fields == [[.text("x")], [.text("x")]])
    }
  }

  /// Members that no answer of Firestore has, between a document's fields and its time.
  @Test(arguments: [
    #""meta":{"updateTime":"TIME"}"#, #""meta": {"a": 1, "updateTime": "TIME"}"#,
    #""meta":{"x":{},"updateTime":"TIME"}"#, #""meta":{"updateTime":"TIME"},"updateTime2":0"#,
    #""meta":[{"updateTime":"TIME"}]"#, #""meta":{"a":{"updateTime":"TIME"}}"#,
    #""a":{},"createTime":"TIME","meta":{"fields":{},"createTime":"TIME","updateTime":"TIME"}"#,
    #""meta":{"createTime":"TIME","updateTime":"TIME"}"#, #""meta":"x""#, #""meta":{}"#,
  ])
  func `a time in another member of the document is not its own`(member: String) throws {
    let member = member.replacing("TIME", with: Self.time)
    let elements = ["1", "2"].map { id in
      #"{"document":{"name":"\#(Self.root)/\#(id)","fields":{\#(Self.text)},\#(member),"#
        + #""updateTime":"\#(Self.time)"},"readTime":"\#(Self.time)"}"#
    }
    let found = try Self.scan(elements, stored: ["1": Self.microseconds, "2": Self.microseconds])
    #expect(found.times == [Self.microseconds, Self.microseconds])
    #expect(found.page.documentCount == 2)
  }

  @Test(arguments: [
    #""\u0064ocument""#, #""d\u006fcument""#, #""documen\u0074""#, #""do\u0063ume\u006Et""#,
    #""\u0064\u006f\u0063\u0075\u006d\u0065\u006e\u0074""#,
  ])
  func `the next document is not passed over, however its key is written`(key: String) throws {
    let bare = #"{"document": {"name": "\#(Self.root)/1", "fields": {\#(Self.text)}}}"#
    let next = Self.element("2", Self.text).replacing(#""document""#, with: key)
    let found = try Self.scan(
      [bare, next, Self.element("3", Self.text)], stored: ["1": Self.microseconds])
    #expect(found.names == ["1", "2", "3"].map { "\(Self.root)/\($0)" })
    #expect(found.times == [nil, Self.microseconds, Self.microseconds])
    #expect(found.fields == [[.text("x")], [.text("x")], [.text("x")]])
  }

  @Test func `escapes that Google writes hinder nothing`() throws {
    let text = #""a": {"stringValue": "\u003cb\u003e \u0027 \n \\ \u0000 \u00e9"}"#
    let elements = ["1", "2"].map { Self.element($0, text) }
    let found = try Self.scan(elements, stored: ["1": Self.microseconds])
    #expect(found.fields[0] == nil)
  }

  @Test(arguments: [
    #""updateTime":"A","fields":{},"updateTime":"B""#,
    #""fields":{},"updateTime":"A","updateTime":"B""#,
    #""fields":{},"updateTime":"A","createTime":"A","updateTime":"A""#,
    #""fields":{},"updateTime":"B","\u0075pdateTime":"A""#,
    #""updateTime":null,"updateTime":"B""#, #""updateTime":"B","updateTime":null"#,
  ])
  func `a document with two times is refused, whichever is stored`(members: String) throws {
    let members = members.replacing(#""A""#, with: "\"\(Self.time)\"")
      .replacing(#""B""#, with: "\"2026-01-31T08:00:01Z\"")
    let element = #"{"document":{"name":"\#(Self.root)/1",\#(members)}}"#
    for stored in [[:], ["1": Self.microseconds], ["1": Self.microseconds + 876_544]] {
      let elements = [element, Self.element("2", Self.text)]
      #expect(throws: WireError.self) { try Self.scan(elements, stored: stored) }
    }
  }

  @Test(arguments: 1...120)
  func `an answer that ends within an unchanged document is cut short`(missing: Int) throws {
    let page = Array("[\(Self.element("1", Self.text)),\(Self.element("2", Self.text))]".utf8)
    let stored = ["1": Self.microseconds, "2": Self.microseconds]
    #expect(throws: (any Error).self) {
      try Self.scan(Array(page.dropLast(missing)), stored: stored)
    }
  }

  @Test(arguments: FuzzCases.seeds(60, orMany: 400))
  func `whatever is stored, the same documents are found as without`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let elements = (0..<12).map { number in
      let fields = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        let key = ["a", "b", "updateTime", "document", "ü"].randomElement(using: &random) ?? "a"
        let padding = String(repeating: " ", count: Int.random(in: 0...20, using: &random))
        return "\"\(key)\":\(padding){\"stringValue\":\(padding)\"updateTime\\\": \\\"\"}"
      }
      return Self.element("\(number)", fields.joined(separator: ","))
    }
    let stored = Dictionary(
      uniqueKeysWithValues: (0..<12).filter { _ in Bool.random(using: &random) }.map {
        ("\($0)", Self.microseconds)
      })
    let whole = try Self.scan(elements)
    var found = try Self.scan(elements, stored: stored)
    for number in 0..<12 where found.fields[number] == nil {
      #expect(stored["\(number)"] != nil)
      found.fields[number] = whole.fields[number]
    }
    #expect(found == whole, "seed \(seed)")
  }
}
