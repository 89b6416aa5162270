import Fixtures
import Testing

@testable import Firestore

/// Documents of elsewhere in an answer.
@Suite struct DocumentOriginTests {
  private static let root = ResourceName(project: "p", database: "d")
  private static let prefix = "projects/p/databases/d/documents"

  private func origin(
    _ id: String?, group: Bool = false, under path: String? = nil
  ) throws -> DocumentOrigin {
    let query = StructuredQuery(from: [.init(collectionId: id, allDescendants: group)])
    return DocumentOrigin(
      query, under: try path.map { try Self.root.appending(path: $0) } ?? Self.root)
  }

  @Test(arguments: [
    ("\(prefix)/C/a", true), ("\(prefix)/C/a/b", false), ("\(prefix)/C/a/C/b", false),
    ("\(prefix)/D/a", false), ("\(prefix)/C/", false), ("\(prefix)/C", false), ("", false),
    ("\(prefix)/CC/a", false), ("\(prefix)/c/a", false),
    ("projects/q/databases/d/documents/C/a", false),
    ("projects/p/databases/e/documents/C/a", false),
    ("projects/p/databases/d/document/C/a", false), ("C/a", false),
    ("\(prefix)/C/名", true), ("x\(prefix)/C/a", false),
  ])
  func `a document of the collection itself is taken, of any other place refused`(
    name: String, isTaken: Bool
  ) throws {
    #expect(try origin("C").holds(name) == isTaken)
    #expect(DocumentOrigin(collection: try Self.root.appending(path: "C")).holds(name) == isTaken)
  }

  @Test(arguments: [
    ("\(prefix)/C/a", true), ("\(prefix)/D/x/C/a", true), ("\(prefix)/D/x/E/y/C/a", true),
    ("\(prefix)/C/a/D/b", false), ("\(prefix)/D/C", false), ("\(prefix)/D/x/C", false),
    ("projects/q/databases/d/documents/C/a", false),
  ])
  func `a group's documents are at any depth, in collections of its id alone`(
    name: String, isTaken: Bool
  ) throws {
    #expect(try origin("C", group: true).holds(name) == isTaken)
  }

  @Test func `below a document, only what is below it`() throws {
    #expect(try origin("C", under: "D/x").holds("\(Self.prefix)/D/x/C/a"))
    #expect(try !origin("C", under: "D/x").holds("\(Self.prefix)/D/y/C/a"))
    #expect(try !origin("C", under: "D/x").holds("\(Self.prefix)/C/a"))
    #expect(try origin("C", group: true, under: "D/x").holds("\(Self.prefix)/D/x/E/y/C/a"))
    #expect(try !origin("C", group: true, under: "D/x").holds("\(Self.prefix)/D/xx/C/a"))
    #expect(try origin(nil).holds("\(Self.prefix)/E/a"))
    #expect(try !origin(nil).holds("\(Self.prefix)/E/a/F/b"))
    #expect(try origin(nil, group: true).holds("\(Self.prefix)/E/a/F/b"))
  }

  @Test func `an answer with one stray document is no answer: nothing of it counts`() async throws {
    let root = "projects/demo/databases/(default)/documents"
    let page = #"[{"document":{"name":"\#(root)/C/a"}},{"document":{"name":"\#(root)/D/b"}}]"#
    let query = StructuredQuery(from: [.init(collectionId: "C")])
    let stage = try Stage([.json(page)], retry: RetryPolicy(attemptLimit: 2, random: { 0.5 }))
    let error = await #expect(throws: FirestoreError.self) {
      try await stage.client.runQuery(query)
    }
    let words = ": the server answered with `\(root)/D/b`, but nobody asked for it (HTTP 200)."
    #expect(error?.description.contains(words) == true)
    #expect(stage.server.requests.count == 2)
    var scanner = DocumentScanner(fields: [])
    scanner.origin = try stage.client.origin(of: query, under: nil)
    var bytes = Array(page.utf8)
    #expect(throws: WireError.self) { try scanner.scan(&bytes) { _, _ in } }
    let list = try Stage([.json(#"{"documents":[{"name":"\#(root)/D/b"}]}"#)], retry: .once)
    await #expect(throws: FirestoreError.self) {
      try await list.client.documentIds(in: try list.root.appending(path: "C"), count: 1)
    }
    let found = #"[{"found":{"name":"\#(root)/D/b"}},{"missing":"\#(root)/C/a"}]"#
    let batch = try Stage([.json(found)], retry: .once)
    await #expect(throws: FirestoreError.self) {
      try await batch.client.documents(at: ["C/a"])
    }
  }
}

extension RetryPolicy {
  fileprivate static var once: RetryPolicy { RetryPolicy(attemptLimit: 1, random: { 0.5 }) }
}
