import Firestore
import Model
import Store
import Testing

@testable import Sync

/// Uploads that fail at every step, before the server acted and after it.
@Suite struct OutboxUploadFaultTests {
  /// Two ids are taken: one by other content, one by that of the first item.
  private func firestore() -> MemoryFirestore {
    MemoryFirestore([
      "\(TestOutbox.collection)/1769846402": ["feedback": .string("somebody else's")],
      "\(TestOutbox.collection)/1769846401": .feedback(1),
    ])
  }

  /// Create all, read 1 and 2, create 2 (its second is that of 3), read that, create 2.
  private static let callCount = 5
  private static let expected: [String: [String: Value]] = [
    "1769846401": .feedback(1), "1769846402": ["feedback": .string("somebody else's")],
    "1769846403": .feedback(3), "1769846404": .feedback(2),
  ]

  private func filledOutbox() throws -> (outbox: TestOutbox, ids: [Int64]) {
    let outbox = try TestOutbox()
    return (outbox, try (1...3).map { try outbox.enqueue(.numbered($0)) })
  }

  @Test("an undisturbed upload takes the calls that the others fail at")
  func undisturbed() async throws {
    let (outbox, ids) = try filledOutbox()
    let firestore = firestore()
    #expect(try await outbox.upload(firestore).delivered == 3)
    #expect(firestore.calls.count == Self.callCount)
    #expect(firestore.contents(of: TestOutbox.collection) == Self.expected)
    #expect(try outbox.states(ids) == [.delivered, .delivered, .delivered])
  }

  private static let steps = FaultyPort.Trouble.allCases.flatMap { trouble in
    (1...callCount).flatMap { step in [(trouble, step, false), (trouble, step, true)] }
  }

  @Test("whatever fails wherever, every item becomes exactly one document", arguments: steps)
  func everyStep(trouble: FaultyPort.Trouble, step: Int, isCarriedOut: Bool) async throws {
    let (outbox, ids) = try filledOutbox()
    let firestore = firestore()
    let port = FaultyPort(
      firestore, failingCall: step, trouble: trouble, isCarriedOut: isCarriedOut)
    do {
      let result = try await outbox.upload(port)
      let atWork = [3, 2, 1, 1, 1][step - 1]
      #expect((result.delivered, result.requeued, result.rejected) == (3 - atWork, atWork, 0))
      #expect(trouble != .cancelled)
    } catch is CancellationError {
      #expect(trouble == .cancelled)
      #expect(try outbox.states(ids) == [.sending, .sending, .sending])
    }
    let later = Instant.morning + .seconds(86_400)
    _ = try await outbox.upload(firestore, at: later)
    #expect(try outbox.states(ids) == [.delivered, .delivered, .delivered])
    let documents = firestore.contents(of: TestOutbox.collection)
    #expect(documents.count == Self.expected.count)
    for number in 1...3 {
      #expect(documents.values.filter { $0 == .feedback(number) }.count == 1)
    }
    for (id, number) in zip(ids, 1...3) {
      let name = try #require(try outbox.item(id).remoteName)
      #expect(documents[String(name.suffix(10))] == .feedback(number))
    }
    #expect(try await outbox.upload(firestore, at: later).delivered == 0)
  }

  @Test(
    "a batch that was carried out in part before its answer was lost is completed", arguments: 0...5
  )
  func partly(count: Int) async throws {
    let outbox = try TestOutbox()
    let ids = try (1...5).map { try outbox.enqueue(.numbered($0)) }
    let firestore = MemoryFirestore()
    firestore.refuseBatches(with: .refusal(.unavailable), carriedOut: count)
    #expect(try await outbox.upload(firestore).requeued == 5)
    #expect(firestore.contents(of: TestOutbox.collection).count == count)
    firestore.refuseBatches(with: nil)
    let later = Instant.morning + .seconds(86_400)
    #expect(try await outbox.upload(firestore, at: later).delivered == 5)
    #expect(try outbox.states(ids) == Array(repeating: .delivered, count: 5))
    let expected = (1...5).map { (String(1_769_846_400 + $0), [String: Value].feedback($0)) }
    #expect(
      firestore.contents(of: TestOutbox.collection) == Dictionary(uniqueKeysWithValues: expected))
  }

  @Test("a server that finds every id taken is not asked for ever")
  func everythingTaken() async throws {
    let outbox = try TestOutbox()
    let id = try outbox.enqueue(.numbered(1))
    let firestore = MemoryFirestore(
      Dictionary(
        uniqueKeysWithValues: (0..<FeedbackUpload.longestWalk).map {
          ("\(TestOutbox.collection)/\(1_769_846_401 + $0)", ["feedback": .string("taken")])
        }))
    #expect(try await outbox.upload(firestore).rejected == 1)
    #expect(try outbox.item(id).lastError?.contains("1000 ids") == true)
    #expect(firestore.calls.count == 2 * FeedbackUpload.longestWalk)
  }
}
