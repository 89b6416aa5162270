import Firestore
import Fixtures
import JobsTesting
import Model
import Store
import StoreTesting
import SyncTesting
import Testing

@testable import Jobs
@testable import Sync

/// Feedback of a database that was restored; held against `docs/outbox.md#after-a-restore`.
@Suite struct LostFeedbackTests {
  private static let other: [String: Value] = ["feedback": .string("somebody else's")]

  private func path(_ offset: Int) -> String {
    "\(TestOutbox.collection)/\(Instant.morning.unixSeconds + 1 + Int64(offset))"
  }

  /// An outbox as it was restored: nothing is known of what happened to its items.
  private func restored(_ feedback: [Feedback]) throws -> TestOutbox {
    let outbox = try TestOutbox()
    for feedback in feedback { _ = try outbox.enqueue(feedback) }
    #expect(
      try outbox.store.write { try $0.markMayHaveArrived(at: .morning) } == feedback.count)
    return outbox
  }

  private func texts(in firestore: MemoryFirestore) -> [String] {
    firestore.contents(of: TestOutbox.collection).values.compactMap { fields in
      guard fields != Self.other, case .string(let text)? = fields["feedback"] else { return nil }
      return text
    }.sorted()
  }

  /// Feedback of one second and one user.
  private static let three: [Feedback] = (1...3).map { number in
    var feedback = Feedback.numbered(1)
    feedback.text = "Text \(number)"
    return feedback
  }

  /// The seconds that others hold, as offsets; the search for a free one leaps over some gaps.
  private static let taken: [[Int]] = [[], [0], [0, 1, 2, 4, 5, 6], [0, 1, 3], Array(0..<40)]

  @Test(arguments: taken, 0...3)
  func `what was delivered after the backup is not sent again`(taken: [Int], count: Int)
    async throws
  {
    let firestore = MemoryFirestore(
      Dictionary(uniqueKeysWithValues: taken.map { (path($0), Self.other) }))
    let first = try TestOutbox()
    for feedback in Self.three.prefix(count) { _ = try first.enqueue(feedback) }
    #expect(try await first.upload(firestore).delivered == count)
    let before = firestore.contents(of: TestOutbox.collection)
    let outbox = try restored(Self.three)
    #expect(try await outbox.upload(firestore).delivered == 3)
    #expect(texts(in: firestore) == Self.three.map(\.text))
    let after = firestore.contents(of: TestOutbox.collection)
    #expect(before.allSatisfy { after[$0.key] == $0.value })
    #expect(after.count == taken.count + 3)
    #expect(try await outbox.upload(firestore).delivered == 0)
  }

  @Test(arguments: 0...3)
  func `where the collection cannot be searched, the seconds are walked`(count: Int) async throws {
    let firestore = MemoryFirestore([path(0): Self.other])
    let first = try TestOutbox()
    for feedback in Self.three.prefix(count) { _ = try first.enqueue(feedback) }
    _ = try await first.upload(firestore)
    let outbox = try restored(Self.three)
    let port = UnsearchablePort(firestore)
    #expect(try await outbox.upload(port).delivered == 3)
    #expect(texts(in: firestore) == Self.three.map(\.text))
  }

  @Test
  func `a search that fails for now keeps the item as one that may have arrived`() async throws {
    let firestore = MemoryFirestore()
    let outbox = try restored([.numbered(1)])
    let result = try await outbox.upload(
      FaultyPort(firestore, failingCall: 1, trouble: .unavailable))
    #expect((result.delivered, result.requeued) == (0, 1))
    #expect(try outbox.item(1).mayHaveArrived)
    #expect(firestore.contents(of: TestOutbox.collection).isEmpty)
    #expect(try await outbox.upload(firestore, at: .morning + .seconds(60)).delivered == 1)
    #expect(texts(in: firestore).count == 1)
  }

  @Test
  func `a lost item costs a read or two, and is created at once when it never arrived`()
    async throws
  {
    let firestore = MemoryFirestore([path(0): .feedback(1)])
    let outbox = try restored([.numbered(1), .numbered(2)])
    #expect(try await outbox.upload(firestore).delivered == 2)
    let kinds = firestore.calls.map { call in
      switch call {
      case .page: "page"
      case .document: "document"
      case .create: "create"
      default: "\(call)"
      }
    }
    #expect(kinds == ["page", "document", "page", "create"])
  }
}

/// A Firestore whose rules allow reading and writing documents, and no queries.
private struct UnsearchablePort: FirestorePort {
  private let port: MemoryFirestore

  init(_ port: MemoryFirestore) { self.port = port }

  func page(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?,
    scan: (inout [UInt8]) throws -> ScannedPage
  ) async throws {
    throw FirestoreError.refusal(.permissionDenied)
  }

  func count(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?
  ) async throws -> Int {
    throw FirestoreError.refusal(.permissionDenied)
  }

  func document(at path: String, readTime: Timestamp?) async throws -> Document? {
    try await port.document(at: path, readTime: readTime)
  }

  func documents(at paths: [String]) async throws -> [String: Document] {
    try await port.documents(at: paths)
  }

  func create(documentId: String, in collection: String, fields: [String: Value]) async throws {
    try await port.create(documentId: documentId, in: collection, fields: fields)
  }

  func create(_ documents: [String: [String: Value]]) async throws -> [String: FirestoreError] {
    try await port.create(documents)
  }
}
