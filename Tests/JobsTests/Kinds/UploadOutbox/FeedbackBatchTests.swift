import Emulator
import Fixtures
import HTTP
import JobsTesting
import Model
import Store
import SyncTesting
import Synchronization
import Testing

@testable import Firestore
@testable import Jobs
@testable import Sync

/// Feedback that leaves in batches, where each item has a status of its own.
@Suite struct FeedbackBatchTests {
  private let outbox: TestOutbox
  private let collection = TestOutbox.collection

  init() throws {
    outbox = try TestOutbox()
  }

  private func path(_ number: Int) -> String {
    "\(TestOutbox.collection)/\(Instant.morning.unixSeconds + Int64(number))"
  }

  private func documents(_ numbers: some Sequence<Int>) -> [String: [String: Value]] {
    Dictionary(
      uniqueKeysWithValues: numbers.map {
        ("\(Instant.morning.unixSeconds + Int64($0))", .feedback($0))
      })
  }

  @Test func `twenty leave together, the rest after them, at the pace of the ramp`() async throws {
    let pauses = Mutex<[Duration]>([])
    try await withServer { server, client in
      for number in 1...45 { _ = try outbox.enqueue(.numbered(number)) }
      let result = try await outbox.upload(
        client,
        sleep: { pause in
          pauses.withLock { $0.append(pause) }
        })
      #expect(result.delivered == 45)
      #expect(server.requests.map(\.path).allSatisfy { $0.hasSuffix(":batchWrite") })
      let counts = try server.requests.map { request in
        try JSON(parsing: request.body)["writes"]?.elements().count
      }
      #expect(counts == [20, 20, 5])
      #expect(try await client.contents(of: collection) == documents(1...45))
    }
    #expect(pauses.withLock { $0 } == [.milliseconds(40), .milliseconds(80)])
  }

  /// The answer to one of three items, its outcome, and whether the run ends.
  typealias Row = (RPCStatus, String, OutboxItem.State, waits: Bool, stops: Bool)

  private static let rows: [Row] = [
    (.unavailable, "", .queued, true, false), (.aborted, "", .queued, true, false),
    (.deadlineExceeded, "", .queued, true, false), (.internal, "", .queued, true, false),
    (.unknown, "", .queued, true, false),
    (.resourceExhausted, "Bandwidth exhausted", .queued, true, false),
    (.resourceExhausted, "Quota exceeded.", .queued, false, true),
    (.unauthenticated, "", .queued, false, true), (.notFound, "", .queued, false, true),
    (.failedPrecondition, "Datastore Mode", .queued, false, true),
    (.permissionDenied, "", .rejected, false, false),
    (.invalidArgument, "", .rejected, false, false), (.outOfRange, "", .rejected, false, false),
    (.unimplemented, "", .queued, false, true), (.cancelled, "", .queued, true, false),
    (.dataLoss, "", .queued, true, false),
  ]

  @Test(arguments: rows)
  func `the status of an item decides about that item; the others are delivered`(row: Row)
    async throws
  {
    let ids = try (1...3).map { try outbox.enqueue(.numbered($0)) }
    let firestore = MemoryFirestore()
    firestore.refuse(path(2), with: .refusal(row.0, row.1), times: 1)
    let result = try await outbox.upload(firestore)
    #expect(result.delivered == 2)
    #expect(try outbox.states(ids) == [.delivered, row.2, .delivered])
    #expect(try outbox.item(ids[1]).nextAttemptAt == (row.waits ? .morning + .seconds(60) : nil))
    #expect((result.stoppedBy != nil) == row.stops)
    #expect(result.problems.count == 1 && result.problems[0].hasPrefix("outbox item \(ids[1]): "))
    if row.2 == .rejected { try outbox.store.write { try $0.retry(id: ids[1]) } }
    #expect(try await outbox.upload(firestore, at: .morning + .seconds(60)).delivered == 1)
    #expect(firestore.contents(of: collection) == documents(1...3))
  }

  @Test func `an item's own RetryInfo is obeyed`() async throws {
    let ids = try (1...2).map { try outbox.enqueue(.numbered($0)) }
    let firestore = MemoryFirestore()
    let envelope = ErrorEnvelope(
      status: .unavailable, message: "", retryDelay: .seconds(7_200))
    firestore.refuse(
      path(1), with: .refused(Refusal(envelope, httpStatus: 503, request: "test")))
    #expect(try await outbox.upload(firestore).requeued == 1)
    #expect(try outbox.item(ids[0]).nextAttemptAt == .morning + .seconds(7_200))
  }

  @Test func `a batch that nobody is let in with keeps all items, as one problem`() async throws {
    let ids = try (1...3).map { try outbox.enqueue(.numbered($0)) }
    let firestore = MemoryFirestore()
    for number in 1...3 { firestore.refuse(path(number), with: .refusal(.permissionDenied)) }
    let result = try await outbox.upload(firestore)
    #expect(result.stoppedBy is FirestoreError)
    #expect(result.rejected == 0)
    #expect(result.problems.count == 1)
    #expect(result.problems.first?.hasPrefix("outbox items 1, 2, 3: ") == true)
    #expect(try outbox.states(ids) == [.queued, .queued, .queued])
  }

  private static let wholes: [FirestoreError] = [
    .refusal(.permissionDenied, "Batch writes require admin authentication."),
    .refusal(.unimplemented), .refusal(.invalidArgument, "a document is too large"),
  ]

  @Test(arguments: wholes)
  func `where batches are refused, each item goes by itself, and a bad one alone is rejected`(
    error: FirestoreError
  ) async throws {
    let ids = try (1...4).map { try outbox.enqueue(.numbered($0)) }
    let firestore = MemoryFirestore()
    firestore.refuseBatches(with: error)
    firestore.refuse(path(3), with: .refusal(.invalidArgument, "too large"))
    let result = try await outbox.upload(firestore)
    #expect((result.delivered, result.rejected, result.requeued) == (3, 1, 0))
    #expect(result.stoppedBy == nil)
    #expect(try outbox.states(ids) == [.delivered, .delivered, .rejected, .delivered])
    #expect(firestore.contents(of: collection) == documents([1, 2, 4]))
    #expect(
      firestore.calls
        == [.createAll((1...4).map(path))] + (1...4).map { .create(path($0)) })
  }

  @Test(arguments: 1...4)
  func `a run that dies while its items go apart leaves them to the next one`(step: Int)
    async throws
  {
    let ids = try (1...3).map { try outbox.enqueue(.numbered($0)) }
    let firestore = MemoryFirestore()
    firestore.refuseBatches(with: Self.wholes[0])
    for isCarriedOut in [false, true] {
      let port = FaultyPort(
        firestore, failingCall: step, trouble: .cancelled, isCarriedOut: isCarriedOut)
      do { _ = try await outbox.upload(port) } catch is CancellationError {}
    }
    _ = try await outbox.upload(firestore)
    #expect(try outbox.states(ids) == [.delivered, .delivered, .delivered])
    #expect(firestore.contents(of: collection) == documents(1...3))
  }

  @Test func `an item over which the server stumbles holds up the others once`() async throws {
    let ids = try (1...25).map { try outbox.enqueue(.numbered($0)) }
    let firestore = MemoryFirestore()
    firestore.refuseBatches(with: .refusal(.internal))
    let first = try await outbox.upload(firestore)
    #expect((first.delivered, first.requeued) == (0, 20))
    #expect(first.stoppedBy is FirestoreError)
    #expect(first.problems.count == 1)
    #expect(try outbox.item(ids[20]).attempts == 0)
    firestore.refuseBatches(with: nil)
    firestore.refuse(path(7), with: .refusal(.internal))
    firestore.forgetCalls()
    let second = try await outbox.upload(firestore, at: .morning + .seconds(60))
    #expect((second.delivered, second.requeued) == (24, 1))
    #expect(
      firestore.calls
        == [.createAll((21...25).map(path))]
        + (1...20).flatMap { [.document(path($0)), .create(path($0))] })
  }

  @Test(arguments: 1...3)
  func `an item that nobody may write ends the turn of others once, and is rejected next`(
    number: Int
  ) async throws {
    let ids = try (1...3).map { try outbox.enqueue(.numbered($0)) }
    let firestore = MemoryFirestore()
    firestore.refuseBatches(with: Self.wholes[0])
    firestore.refuse(path(number), with: .refusal(.permissionDenied))
    let first = try await outbox.upload(firestore)
    #expect(first.delivered == (number == 1 ? 0 : 2))
    #expect((first.stoppedBy != nil) == (number == 1))
    let second = try await outbox.upload(firestore)
    #expect(first.delivered + second.delivered == 2)
    #expect(first.rejected + second.rejected == 1)
    #expect(try outbox.item(ids[number - 1]).state == .rejected)
  }

  @Test
  func `items of one second and those that are taken find their places in one run`() async throws {
    let other: [String: Value] = ["feedback": .string("somebody else's")]
    let firestore = MemoryFirestore([path(1): other, path(2): other])
    var texts: Set<String> = []
    for number in [1, 1, 1, 2, 2] {
      var feedback = Feedback.numbered(number)
      feedback.text = "Text number \(texts.count), of second \(number)"
      texts.insert(feedback.text)
      _ = try outbox.enqueue(feedback)
    }
    #expect(try await outbox.upload(firestore).delivered == 5)
    let contents = firestore.contents(of: collection)
    #expect(contents.count == 7)
    #expect(contents.keys.sorted() == (1...7).map { "\(Instant.morning.unixSeconds + Int64($0))" })
    let delivered = contents.values.compactMap { fields -> String? in
      guard case .string(let text)? = fields["feedback"] else { return nil }
      return text
    }
    #expect(Set(delivered) == texts.union(["somebody else's"]))
  }
}
