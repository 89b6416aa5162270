import Firestore
import Fixtures
import JobsTesting
import Model
import Store
import SyncTesting
import Testing

@testable import Jobs
@testable import Sync

/// Much feedback of one second: what it costs, and that nothing is lost or doubled.
@Suite struct DenseSecondsTests {
  private static let second: Int64 = 1_769_846_401
  private static let other: [String: Value] = ["feedback": .string("somebody else's")]

  private func path(_ offset: Int) -> String {
    "\(TestOutbox.collection)/\(Self.second + Int64(offset))"
  }

  /// A collection whose first seconds others have taken.
  private func firestore(taken count: Int) -> MemoryFirestore {
    MemoryFirestore(
      Dictionary(uniqueKeysWithValues: (0..<count).map { (path($0), Self.other) }))
  }

  private func enqueue(_ count: Int, in outbox: TestOutbox, named name: String) throws -> [Int64] {
    try (0..<count).map { number in
      var feedback = Feedback.numbered(1)
      feedback.text = "Text number \(number) of \(name)"
      return try outbox.enqueue(feedback)
    }
  }

  /// Billed reads.
  private func reads(of firestore: MemoryFirestore) -> Int {
    firestore.calls.map { call in
      switch call {
      case .document: 1
      case .documents(let paths): paths.count
      default: 0
      }
    }.reduce(0, +)
  }

  /// The texts of the collection's documents, without those of others.
  private func texts(in firestore: MemoryFirestore) -> [String] {
    firestore.contents(of: TestOutbox.collection).values.compactMap { fields -> String? in
      guard fields != Self.other, case .string(let text)? = fields["feedback"] else { return nil }
      return text
    }.sorted()
  }

  @Test
  func `three hundred items of one second are created at once, and nothing is read`() async throws {
    let outbox = try TestOutbox()
    let ids = try enqueue(300, in: outbox, named: "one")
    let firestore = firestore(taken: 0)
    #expect(try await outbox.upload(firestore, maxItems: 1_000).delivered == 300)
    #expect(reads(of: firestore) == 0)
    #expect(firestore.calls.count == 15)
    #expect(Set(try ids.map { try outbox.item($0).remoteName }).count == 300)
    #expect(
      firestore.contents(of: TestOutbox.collection).keys.sorted()
        == (0..<300).map { "\(Self.second + Int64($0))" })
  }

  @Test(arguments: [1, 2, 20, 21, 999, 1_000, 1_001, 5_000])
  func `seconds that others have taken cost reads as their logarithm, once`(count: Int) async throws
  {
    let outbox = try TestOutbox()
    _ = try enqueue(45, in: outbox, named: "one")
    let firestore = firestore(taken: count)
    let result = try await outbox.upload(firestore)
    #expect((result.delivered, result.rejected, result.requeued) == (45, 0, 0))
    let bits = Int.bitWidth - count.leadingZeroBitCount
    #expect(reads(of: firestore) <= FeedbackSender.batchSize + 2 * (bits + 1))
    #expect(
      firestore.contents(of: TestOutbox.collection).keys.sorted()
        == (0..<count + 45).map { "\(Self.second + Int64($0))" }.sorted())
    firestore.forgetCalls()
    _ = try enqueue(3, in: outbox, named: "later")
    #expect(try await outbox.upload(firestore).delivered == 3)
    #expect(reads(of: firestore) == 0)
    #expect(firestore.calls.count == 1)
  }

  @Test(arguments: [0, 1_000])
  func `one item that comes a day is no dearer`(taken: Int) async throws {
    let outbox = try TestOutbox()
    let firestore = firestore(taken: taken)
    for day in 0..<30 {
      _ = try enqueue(1, in: outbox, named: "day \(day)")
      #expect(try await outbox.upload(firestore).delivered == 1)
    }
    #expect(reads(of: firestore) <= 22)
    #expect(texts(in: firestore).count == 30)
  }

  @Test func `an item that is the same as one that was delivered is that document`() async throws {
    let outbox = try TestOutbox()
    let firestore = firestore(taken: 2)
    let first = try enqueue(3, in: outbox, named: "one")
    #expect(try await outbox.upload(firestore).delivered == 3)
    firestore.forgetCalls()
    let again = try enqueue(3, in: outbox, named: "one")
    #expect(try await outbox.upload(firestore).delivered == 3)
    #expect(firestore.calls.isEmpty)
    for (id, other) in zip(first, again) {
      #expect(try outbox.item(id).remoteName == outbox.item(other).remoteName)
    }
  }

  /// The calls that an undisturbed upload of `died` makes, and one beyond.
  private static let steps = 1...20

  @Test(arguments: steps, [false, true])
  func `killed at any step, before or after the server acted, each item becomes one document`(
    step: Int, isCarriedOut: Bool
  ) async throws {
    let outbox = try TestOutbox()
    let firestore = firestore(taken: 6)
    var ids = try enqueue(3, in: outbox, named: "one")
    let port = FaultyPort(
      firestore, failingCall: step, trouble: .cancelled, isCarriedOut: isCarriedOut)
    do { _ = try await outbox.upload(port) } catch is CancellationError {}
    ids += try enqueue(2, in: outbox, named: "between")
    do { _ = try await outbox.upload(port) } catch is CancellationError {}
    #expect(try await outbox.upload(firestore).requeued == 0)
    #expect(try outbox.states(ids).allSatisfy { $0 == .delivered })
    #expect(Set(try ids.map { try outbox.item($0).remoteName }).count == 5)
    #expect(texts(in: firestore).count == 5)
    #expect(Set(texts(in: firestore)).count == 5)
    for id in ids {
      let item = try outbox.item(id)
      #expect(item.target == item.remoteName)
    }
  }

  @Test
  func `a success that proves nothing is asked for; what is not there stays in the outbox`()
    async throws
  {
    let outbox = try TestOutbox()
    let ids = try enqueue(1, in: outbox, named: "one")
    let firestore = firestore(taken: 0)
    firestore.refuse(
      path(0),
      with: .malformedAnswer(request: "create it", httpStatus: 200, problem: "name: is missing"),
      times: 1)
    let first = try await outbox.upload(firestore)
    #expect((first.delivered, first.requeued, first.rejected) == (0, 1, 0))
    #expect(firestore.calls == [.create(path(0)), .document(path(0))])
    #expect(try outbox.item(ids[0]).lastError?.contains("name: is missing") == true)
    #expect(try outbox.item(ids[0]).mayHaveArrived == false)
    #expect(try await outbox.upload(firestore, at: .morning + .seconds(60)).delivered == 1)
    #expect(texts(in: firestore).count == 1)
  }
}
