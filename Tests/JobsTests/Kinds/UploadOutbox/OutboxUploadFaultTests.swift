import Firestore
import Fixtures
import JobsTesting
import Model
import Store
import SyncTesting
import Testing

@testable import Jobs
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

  /// Create all, read 1 and 2, look for a place for 2 behind 3, create 2 there.
  private static let callCount = 4
  private static let expected: [String: [String: Value]] = [
    "1769846401": .feedback(1), "1769846402": ["feedback": .string("somebody else's")],
    "1769846403": .feedback(3), "1769846404": .feedback(2),
  ]

  private func filledOutbox() throws -> (outbox: TestOutbox, ids: [Int64]) {
    let outbox = try TestOutbox()
    return (outbox, try (1...3).map { try outbox.enqueue(.numbered($0)) })
  }

  @Test func `an undisturbed upload takes the calls that the others fail at`() async throws {
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

  /// Items that wait for the next run: all of the step, unless a read has settled them.
  private static func itemsLeft(
    by trouble: FaultyPort.Trouble, at step: Int, isCarriedOut: Bool
  ) -> Int {
    let isCreate = step == 1 || step == callCount
    if trouble == .malformed, isCreate { return isCarriedOut ? 0 : 1 }
    return [3, 2, 1, 1][step - 1]
  }

  @Test(arguments: steps)
  func `whatever fails wherever, every item becomes exactly one document`(
    trouble: FaultyPort.Trouble, step: Int, isCarriedOut: Bool
  ) async throws {
    let (outbox, ids) = try filledOutbox()
    let firestore = firestore()
    let port = FaultyPort(
      firestore, failingCall: step, trouble: trouble, isCarriedOut: isCarriedOut)
    do {
      let result = try await outbox.upload(port)
      let atWork = Self.itemsLeft(by: trouble, at: step, isCarriedOut: isCarriedOut)
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

  @Test(arguments: 0...5)
  func `a batch that was carried out in part before its answer was lost is completed`(count: Int)
    async throws
  {
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
    let expected = (1...5).map {
      (String(Instant.morning.unixSeconds + Int64($0)), [String: Value].feedback($0))
    }
    #expect(
      firestore.contents(of: TestOutbox.collection) == Dictionary(uniqueKeysWithValues: expected))
  }
}
