import Testing

@testable import Firestore

/// Documents that are like the one before, and such as only look like it.
@Suite struct FieldShapesTests {
  private static let wanted = ["name", "age", "名", "twice", "twice", "quote\"d", ""]

  /// The fields of a page whose documents have these, in their JSON.
  private func fields(_ documents: [String]) throws -> [[Scan.Field]] {
    let elements = documents.enumerated().map { index, fields in
      #"{"document":{"name":"C/\#(index)","fields":{\#(fields)}}}"#
    }
    return try Scan("[" + elements.joined(separator: ",") + "]", fields: Self.wanted)
      .documents.map(\.fields)
  }

  private static let ann =
    #""name":{"stringValue":"Ann"},"age":{"integerValue":"31"},"#
    + #""名":{"booleanValue":true},"twice":{"doubleValue":1.5}"#
  private static let annRead: [Scan.Field] = [
    .text("Ann"), .integer(31), .boolean(true), .double(1.5.bitPattern), .double(1.5.bitPattern),
    .missing, .missing,
  ]

  @Test func `documents with the same fields are read alike`() throws {
    #expect(try fields([Self.ann, Self.ann, Self.ann]) == Array(repeating: Self.annRead, count: 3))
  }

  @Test(arguments: [
    ("", [:]),
    (#""age":{"integerValue":"9"}"#, [1: Scan.Field.integer(9)]),
    (#""name":{"integerValue":"9"}"#, [0: .integer(9)]),
    (#""name":{"stringValue":7}"#, [0: .malformed]),
    (#""name":{"stringValue":"a","stringValue":"b"}"#, [0: .text("b")]),
    (#""name":{"stringValue":"a","integerValue":"1"}"#, [0: .malformed]),
    (#""name":{"integerValue":"1","stringValue":"a"}"#, [0: .malformed]),
    (#""name":{"futureValue":1,"futureValue":2}"#, [0: .other(.unknown)]),
    (#""name":{"futureValue":1,"otherValue":2}"#, [0: .malformed]),
    (#""name":{"nullValue":null}"#, [0: .null]),
    (#""name":{"mapValue":{}},"age":{"arrayValue":{}}"#, [0: .other(.map), 1: .other(.array)]),
    (#""name" :{"stringValue":"a"}"#, [0: .text("a")]),
    (#""name":{ "stringValue":"a"}"#, [0: .text("a")]),
    (#""n\u0061me":{"string\u0056alue":"a"}"#, [0: .text("a")]),
    (#""name":{"stringValue":"a"},"name":{"stringValue":"b"}"#, [0: .text("b")]),
    (#""age":{"integerValue":"9"},"name":{"stringValue":"a"}"#, [0: .text("a"), 1: .integer(9)]),
    (#""names":{"stringValue":"a"}"#, [:]), (#""nam":{"stringValue":"a"}"#, [:]),
    (#""other":{"stringValue":"a"},"age":{"integerValue":"9"}"#, [1: .integer(9)]),
    (#""quote\"d":{"stringValue":"a"},"":{"stringValue":"b"}"#, [5: .text("a"), 6: .text("b")]),
    (#""twice":{"stringValue":"a"}"#, [3: .text("a"), 4: .text("a")]),
  ])
  func `a document unlike the one before it is read as it is, and so is the one after it`(
    document: String, expected: [Int: Scan.Field]
  ) throws {
    let read = Self.wanted.indices.map { expected[$0] ?? .missing }
    #expect(
      try fields([Self.ann, document, Self.ann, document, document])
        == [Self.annRead, read, Self.annRead, read, read])
  }

  @Test func `a page that ends inside a field that was expected is cut short`() throws {
    let page =
      #"[{"document":{"name":"C/1","fields":{\#(Self.ann)}}},"#
      + #"{"document":{"name":"C/2","fields":{\#(Self.ann)}}}]"#
    let bytes = Array(page.utf8)
    for end in bytes.indices {
      #expect(throws: (any Error).self, "cut at \(end)") {
        try Scan(Array(bytes[..<end]), fields: Self.wanted)
      }
    }
  }
}
