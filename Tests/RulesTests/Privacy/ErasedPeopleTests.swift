import Model
import Testing

@testable import Rules

struct ErasedPeopleTests {
  private let hash = KeyedHash(low: 1, high: 2)
  private var people: ErasedPeople {
    ErasedPeople(hash, hashes: Set(["u1", "anna"].map { hash.of(Array($0.utf8)) }))
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
    #expect(!ErasedPeople(other, hashes: [hash.of(Array("u1".utf8))]).contains("u1"))
  }

  @Test(arguments: [
    ("Users/u1", true), ("Users/u1/Posts/p", true), ("Users/u2/Posts/p", false), ("u1", true),
    ("Users/u11", false), ("", false), ("/", false),
  ])
  func `a path names who is a part of it`(path: String, isNamed: Bool) {
    #expect(bytes(path) { people.areNamed(inPath: $0) } == isNamed)
  }

  @Test(arguments: [
    (#"{"a":"u1"}"#, true), (#"{"u1":true}"#, true), (#"{"a":"u2","b":["x","anna"]}"#, true),
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
      ("Orders/o", "u1", true, false), ("Orders/o", "a/u1", false, false),
      ("Orders/o", #"["anna"]"#, true, false),
    ] {
      rows.append(text: key)
      rows.append(text: text)
      #expect(people.areNamed(inLastRowOf: rows) == isNamed, "\(key) \(text)")
      #expect(people.areNamed(inKeyOfLastRowOf: rows) == isKeyNamed, "\(key) \(text)")
    }
  }
}
