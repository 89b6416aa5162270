import Testing

@testable import Firestore

@Suite("Document and Write")
struct DocumentTests {
  private static let name = "projects/p/databases/(default)/documents/Users/u1"

  @Test func `reads name, fields and times, and writes them back`() throws {
    let text = """
      {"createTime":"2026-01-01T00:00:00Z","fields":{"a":{"integerValue":"1"}},\
      "name":"\(Self.name)","updateTime":"2026-01-02T00:00:00.000001Z"}
      """
    let document = try Document(json: JSON(parsing: text.utf8))
    #expect(document.id == "u1")
    #expect(document.fields == ["a": .integer(1)])
    #expect(document.updateTime == Timestamp(rfc3339: "2026-01-02T00:00:00.000001Z"))
    #expect(String(decoding: document.json.serialized(), as: UTF8.self) == text)
  }

  @Test func `reads a document that leaves out its fields`() throws {
    let document = try Document(json: .object(["name": .string(Self.name)]))
    #expect(document == Document(name: Self.name, fields: [:]))
    #expect(document.json == .object(["name": .string(Self.name)]))
  }

  @Test func `names the field that is malformed`() throws {
    let json = try JSON(parsing: #"{"name":"n","fields":{"age":{"integerValue":"x"}}}"#.utf8)
    #expect(throws: WireError("is not a 64-bit integer", at: ["fields", "age", "integerValue"])) {
      try Document(json: json)
    }
  }

  @Test(arguments: [
    (
      Write(.delete(name: name), precondition: .exists(true)),
      #"{"currentDocument":{"exists":true},"delete":"\#(name)"}"#
    ),
    (
      Write(
        .update(Document(name: name, fields: ["a": .null]), mask: nil),
        precondition: .exists(false)),
      #"{"currentDocument":{"exists":false},"#
        + #""update":{"fields":{"a":{"nullValue":null}},"name":"\#(name)"}}"#
    ),
    (
      Write(
        .update(Document(name: name, fields: [:]), mask: [FieldPath(segments: ["a", "b c"])]),
        precondition: .updateTime(Timestamp(microseconds: 0))),
      #"{"currentDocument":{"updateTime":"1970-01-01T00:00:00Z"},"update":{"name":"\#(name)"},"#
        + #""updateMask":{"fieldPaths":["a.`b c`"]}}"#
    ),
  ])
  func `a write travels both ways`(write: Write, text: String) throws {
    #expect(String(decoding: write.json.serialized(), as: UTF8.self) == text)
  }

  @Test func `a write never carries the times that only the server sets`() {
    let document = Document(name: "n", fields: [:], createTime: .init(microseconds: 0))
    #expect(
      Write(.update(document, mask: nil)).json
        == .object(["update": .object(["name": .string("n")])]))
  }

  @Test(arguments: [
    "{}", #"{"exists":true,"updateTime":"1970-01-01T00:00:00Z"}"#, #"{"exists":1}"#,
  ])
  func `a precondition is one of two`(text: String) throws {
    let json = try JSON(parsing: text.utf8)
    #expect(throws: WireError.self) { try Write.Precondition(json: json) }
  }
}
