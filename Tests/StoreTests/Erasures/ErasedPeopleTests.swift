import Model
import Testing

@testable import Store

struct ErasedPeopleTests {
  private let hash = KeyedHash(low: 1, high: 2)
  private var people: ErasedPeople {
    ErasedPeople(
      hash, hashes: Set(["u1", "anna"].map { Int64(bitPattern: hash.of(Array($0.utf8))) }))
  }

  private func bytes<Result>(
    _ text: String, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    Array(text.utf8).withUnsafeBytes(body)
  }

  @Test(arguments: [("u1", true), ("anna", true), ("u2", false), ("", false), ("u11", false)])
  func `an id is known by its hash`(id: String, isKnown: Bool) {
    #expect(people.contains(id) == isKnown)
    #expect(!ErasedPeople.none.contains(id))
  }

  @Test func `another key knows nobody`() {
    let other = KeyedHash(low: 1, high: 3)
    #expect(
      !ErasedPeople(other, hashes: [Int64(bitPattern: hash.of(Array("u1".utf8)))]).contains("u1"))
  }

  @Test(arguments: [
    ("Users/u1", true), ("Users/u1/Posts/p", true), ("Users/u2/Posts/p", false), ("u1", true),
    ("Users/u11", false), ("", false), ("/", false), ("u1/x", false), ("Users/x/u1/y", false),
    ("Users/x/u1", false), ("/u1", false), ("Users/u1/", false), ("Users/u2/Posts/anna", true),
    ("projects/p/databases/d/documents/Users/u1", true),
    ("projects/u1/databases/anna/documents/Users/x", false),
  ])
  func `a path names whose id is that of a document, not of a collection`(
    path: String, isNamed: Bool
  ) {
    #expect(bytes(path) { people.areNamed(inValue: $0) } == isNamed)
    #expect(!bytes(path) { ErasedPeople.none.areNamed(inValue: $0) })
  }

  @Test(arguments: [
    (#"{"a":"u1"}"#, true), (#"{"u1":true}"#, false), (#"{"u1" : "x"}"#, false),
    (#"{"a":{"stringValue":"u1"}}"#, true), (#"{"a":{"integerValue":"u1"}}"#, false),
    (#"{"a":{"bytesValue":"anna"}}"#, false), (#"{"createTime":"u1"}"#, false),
    (#"{"a":{"referenceValue":"projects/p/databases/d/documents/Users/u1"}}"#, true),
    (#"{"a":{"referenceValue":"projects/p/databases/d/documents/u1/x"}}"#, false),
    (#"{"a":{"stringValue":"about u1"}}"#, false), (#"{"a":"\u0075\u0031"}"#, true),
    (#"{"integerValue":{"stringValue":"u1"}}"#, true), (#"["u1"]"#, true), (#""u1""#, true),
    (#"{"a":"u2","b":["x","anna"]}"#, true),
    (#"{"a":"u1 "}"#, false), (#"{"a":"\"u1"}"#, false), (#"{"a":"x\\","b":"u1"}"#, true),
    (#"{"a":u1}"#, false), ("", false), (#""u1"#, false), (#"{"a":"","b":"anna"}"#, true),
  ])
  func `JSON names whose id is one of its texts`(json: String, isNamed: Bool) {
    #expect(bytes(json) { people.areNamed(inJSON: $0) } == isNamed)
    #expect(!bytes(json) { ErasedPeople.none.areNamed(inJSON: $0) })
  }

  @Test(arguments: [
    ("no event of u1", true), ("u1", true), ("u11 xu1 u1_", false), ("", false),
    (#"{"a":"anna""#, true), ("Anna", false), ("(anna)", true),
  ])
  func `free text names whose id is a word of it`(text: String, isNamed: Bool) {
    #expect(people.areNamed(inText: text) == isNamed)
    #expect(!ErasedPeople.none.areNamed(inText: text))
  }

  @Test func `a row is judged by its texts, and its key as a path`() {
    var rows = TableRows(width: 2)
    for (key, text, isNamed, isKeyNamed) in [
      ("Users/u1", "x", true, true), ("Users/u2", "x", false, false),
      ("Orders/o", "u1", true, false), ("Orders/o", "u1/a", false, false),
      ("Orders/o", #"["anna"]"#, true, false),
    ] {
      rows.append(text: key)
      rows.append(text: text)
      #expect(people.areNamed(inLastRowOf: rows, cells: .all) == isNamed, "\(key) \(text)")
      #expect(people.areNamed(inKeyOfLastRowOf: rows) == isKeyNamed, "\(key) \(text)")
      let isSecond = people.areNamed(inLastRowOf: rows, cells: .id(1))
      #expect(isSecond == (text == "u1"), "\(key) \(text)")
    }
  }
}
