import Firestore
import Synchronization
import Testing

@testable import Emulator

@Suite struct DocumentStoreTests {
  private static let root = "projects/p/databases/(default)/documents"

  private func document(_ path: String, _ fields: [String: Value] = [:]) -> Document {
    Document(name: "\(Self.root)/\(path)", fields: fields)
  }

  private func put(_ document: Document, _ precondition: Write.Precondition? = nil) -> StoredWrite {
    StoredWrite(Write(.update(document, mask: nil), precondition: precondition))
  }

  @Test func `commit times grow even when the clock stands still or goes back`() throws {
    let clock = Mutex<[Int64]>([100, 100, 50, 500])
    let store = DocumentStore {
      clock.withLock { Timestamp(microseconds: $0.isEmpty ? 500 : $0.removeFirst()) }
    }
    let times = try (0..<4).map { number in
      try store.commit([put(document("c/\(number)"))]).commitTime.microseconds
    }
    #expect(times == [100, 101, 102, 500])
  }

  @Test func `a refused write leaves nothing of its commit`() throws {
    let store = DocumentStore { Timestamp(microseconds: 1) }
    let writes = [put(document("c/a")), put(document("c/b"), .exists(true))]
    #expect(throws: RefusedRequest(.notFound, "No document to update: \(Self.root)/c/b")) {
      try store.commit(writes)
    }
    #expect(store.documents(in: try ResourceName(parsing: "\(Self.root)/c")) == [])
  }

  @Test func `ids that only look alike are two documents`() throws {
    let store = DocumentStore { Timestamp(microseconds: 1) }
    try store.seed([document("c/é", ["n": .integer(1)]), document("c/e\u{301}")])
    #expect(store.documents(in: try ResourceName(parsing: "\(Self.root)/c")).count == 2)
  }

  @Test func `databases and projects do not see each other`() throws {
    let store = DocumentStore { Timestamp(microseconds: 1) }
    try store.seed([document("c/a")])
    for other in ["projects/q/databases/(default)", "projects/p/databases/other"] {
      let name = try ResourceName(parsing: "\(other)/documents/c")
      #expect(store.documents(in: name) == [])
      store.wipe(databaseOf: name)
    }
    let own = try ResourceName(parsing: "\(Self.root)/c")
    #expect(store.documents(in: own).count == 1)
    store.wipe(databaseOf: own)
    #expect(store.documents(in: own) == [])
  }

  static let badNames = [
    "", "c/a", "projects/p/databases/d/documents", "projects/p/databases/d/documents/c",
    "projects/p/databases/d/documents/c/a/b", "projects/p/databases/d/documents/c/",
    "projects/p/databases/d/documents/c/.", "projects/p/databases/d/documents/c/..",
    "projects/p/databases/d/documents/c/__x__", "projects//databases/d/documents/c/a",
    "projects/p/databases/d/documents/c/" + String(repeating: "x", count: 1501),
  ]

  @Test(arguments: badNames) func `names that are no document's are refused`(name: String) {
    let store = DocumentStore { Timestamp(microseconds: 1) }
    #expect(throws: RefusedRequest.self) { try store.seed([Document(name: name, fields: [:])]) }
  }

  @Test func `an id of 1500 bytes is accepted`() throws {
    let store = DocumentStore { Timestamp(microseconds: 1) }
    try store.seed([document("c/" + String(repeating: "x", count: 1500))])
    #expect(store.documents(in: try ResourceName(parsing: "\(Self.root)/c")).count == 1)
  }
}
