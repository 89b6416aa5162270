import Testing

@testable import Firestore

@Suite("ResourceName")
struct ResourceNameTests {
  private let root = ResourceName(project: "demo")

  @Test func `knows documents, collections and the root apart`() throws {
    let collection = try root.appending(path: "Users")
    let document = try collection.appending(["u1"])
    #expect(document.description == "projects/demo/databases/(default)/documents/Users/u1")
    #expect(try ResourceName(parsing: document.description) == document)
    #expect(document.isDocument && !document.isCollection && document.id == "u1")
    #expect(collection.isCollection && !collection.isDocument)
    #expect(!root.isDocument && !root.isCollection && root.id == nil && root.parent == nil)
    #expect(document.parent == collection && collection.parent == root)
  }

  @Test(arguments: [
    ("a b", "a%20b"), ("50%", "50%25"), ("a?b", "a%3Fb"), ("a#b", "a%23b"), ("a+b", "a%2Bb"),
    ("a:runQuery", "a%3ArunQuery"), ("🤩", "%F0%9F%A4%A9"), ("é", "%C3%A9"), ("(x)", "(x)"),
    ("a.b-c_d~e", "a.b-c_d~e"), ("\n", "%0A"),
  ])
  func `encodes ids so that none can leave its place in the path`(id: String, encoded: String)
    throws
  {
    let name = try root.appending(["C", id])
    #expect(name.encodedPath == "projects/demo/databases/(default)/documents/C/\(encoded)")
  }

  @Test(arguments: ["", ".", "..", "a/b", "____", "__x__", String(repeating: "x", count: 1501)])
  func `refuses ids that Firestore refuses`(id: String) {
    #expect(throws: WireError.self) { try root.appending(["C", id]) }
  }

  @Test(arguments: ["...", "___", "__x", "x__", String(repeating: "x", count: 1500)])
  func `takes ids at the edge of the rule`(id: String) {
    #expect(throws: Never.self) { try root.appending(["C", id]) }
  }

  @Test(arguments: ["\u{301}e", "\u{200D}x", "\u{FE0F}", "e\u{301}"])
  func `an id may begin with what joins the character before it`(id: String) throws {
    let name = try root.appending(path: "C/\(id)/D/\(id)")
    #expect(name.segments.map { Array($0.utf8) } == ["C", id, "D", id].map { Array($0.utf8) })
    #expect(try ResourceName(parsing: name.description).segments.count == 4)
    #expect(Array(Document(name: name.description, fields: [:]).id.utf8) == Array(id.utf8))
    #expect(try ResourceName(parsing: name.parent?.description ?? "").isCollection)
  }

  @Test(arguments: [
    "", "Users/u1", "projects/p/databases/d", "projects//databases/d/documents",
    "projects/p/databases/d/documents/", "projects/p/databases/d/documents/C//D",
    "project/p/databases/d/documents/C",
  ])
  func `refuses text that is no name`(text: String) {
    #expect(throws: WireError.self) { try ResourceName(parsing: text) }
  }
}

@Suite("The order of document names")
struct NameOrderTests {
  @Test func `names come segment by segment, parents first, numbered ids before all others`() {
    let sorted = [
      "C/__id-5__", "C/__id2__", "C/__id2__/D/x", "C/__id10__", "C/A", "C/__id__", "C/__idx__",
      "C/a", "C/a/D/b", "C/a b", "C/a-", "C/é", "C/\u{FFFF}", "C/😀", "D/a",
    ]
    for (left, name) in sorted.enumerated() {
      for (right, other) in sorted.enumerated() {
        let order = NameOrder.compare(name, other)
        #expect(order.signum() == (left - right).signum(), "\(name) \(other)")
      }
    }
  }
}
