import Emulator
import Firestore
import Fixtures
import Foundation
import HTTP
import JobsTesting
import Model
import Store
import SyncTesting
import Testing

@testable import Jobs
@testable import Sync

/// Deliveries over real HTTP to the embedded server.
@Suite struct OutboxUploadTests {
  private let outbox: TestOutbox
  private let collection = TestOutbox.collection

  init() throws {
    outbox = try TestOutbox()
  }

  @Test func `every item becomes one document, with the content it was queued with`() async throws {
    try await withServer { server, client in
      let ids = try (1...3).map { try outbox.enqueue(.numbered($0)) }
      let result = try await outbox.upload(client)
      #expect(result.delivered == 3)
      #expect(server.requests.count == 1)
      #expect(result.problems.isEmpty)
      #expect(result.stoppedBy == nil)
      for (id, number) in zip(ids, 1...3) {
        let item = try outbox.item(id)
        #expect(item.state == .delivered)
        #expect(item.attempts == 1)
        #expect(item.deliveredAt == .morning)
        #expect(item.remoteName == "\(collection)/\(Feedback.numbered(number).timestamp)")
      }
      #expect(try await client.contents(of: collection) == documents(1...3))
      #expect(try await outbox.upload(client).delivered == 0)
    }
  }

  @Test(
    arguments: [1, 5],
    [1, 3])
  func `a write that was carried out though its answer was lost is found again`(
    attempts: Int, count: Int
  ) async throws {
    for fault in [Fault.lostAnswer, .cut(afterBytes: 10), .truncatedArray] {
      let outbox = try TestOutbox()
      try await withServer(attempts: attempts) { server, client in
        let ids = try (1...count).map { try outbox.enqueue(.numbered($0)) }
        server.inject(fault, matching: "POST")
        let first = try await outbox.upload(client)
        // What came as a success is read back at once, what did not come is asked for again.
        let isFound = if case .truncatedArray = fault { true } else { attempts > 1 }
        #expect(first.delivered == (isFound ? count : 0))
        #expect(first.requeued == (isFound ? 0 : count))
        _ = try await outbox.upload(client, at: .morning + .seconds(86_400))
        #expect(try outbox.states(ids).allSatisfy { $0 == .delivered })
        #expect(try await client.contents(of: collection) == documents(1...count))
      }
    }
  }

  @Test(arguments: [false, true])
  func `an item of a process that died is delivered once`(hadArrived: Bool) async throws {
    try await withServer { _, client in
      let id = try outbox.enqueue(.numbered(1))
      try outbox.store.write { try $0.markSending(id: id, at: .morning) }
      if hadArrived { try await client.put(["\(collection)/1769846401": .feedback(1)]) }
      #expect(try await outbox.upload(client).delivered == 1)
      #expect(try outbox.item(id).state == .delivered)
      #expect(try await client.contents(of: collection) == documents(1...1))
    }
  }

  @Test func `a second that is taken by other content leads to the next free one`() async throws {
    try await withServer { _, client in
      let other: [String: Value] = ["feedback": .string("somebody else's")]
      try await client.put([
        "\(collection)/1769846401": other, "\(collection)/1769846402": .feedback(9),
      ])
      let id = try outbox.enqueue(.numbered(1))
      #expect(try await outbox.upload(client).delivered == 1)
      #expect(try outbox.item(id).remoteName == "\(collection)/1769846403")
      #expect(
        try await client.contents(of: collection) == [
          "1769846401": other, "1769846402": .feedback(9), "1769846403": .feedback(1),
        ])
    }
  }

  @Test func `two equal items make one document, two of one second make two`() async throws {
    try await withServer { _, client in
      var other = Feedback.numbered(1)
      other.text = "Something else entirely"
      _ = try outbox.enqueue(.numbered(1))
      _ = try outbox.enqueue(.numbered(1))
      _ = try outbox.enqueue(other)
      #expect(try await outbox.upload(client).delivered == 3)
      let contents = try await client.contents(of: collection)
      #expect(contents.keys.sorted() == ["1769846401", "1769846402"])
      #expect(contents["1769846401"] == .feedback(1))
      #expect(contents["1769846402"]?["feedback"] == .string("Something else entirely"))
    }
  }

  /// The refusal of a batch that is sent with a token under Security Rules.
  private static let noBatches = Fault.status(
    .permissionDenied, message: "Batch writes require admin authentication.")

  /// Failures that stop a run and blame no item.
  private static let stops: [Fault] = [
    .status(.unauthenticated), .status(.permissionDenied),
    .status(.resourceExhausted, message: "Quota exceeded."),
    .status(.notFound, message: "The database (default) does not exist for project demo"),
    .status(.failedPrecondition, message: "The project is in Datastore Mode."),
  ]

  @Test(arguments: stops)
  func `missing rights, a used-up quota and a missing database keep all items`(fault: Fault)
    async throws
  {
    try await withServer { server, client in
      let ids = try (1...3).map { try outbox.enqueue(.numbered($0)) }
      server.inject(fault, times: nil, matching: "POST")
      let result = try await outbox.upload(client)
      #expect(result.stoppedBy is FirestoreError)
      #expect(result.problems.count == 1)
      #expect(result.delivered + result.requeued + result.rejected == 0)
      for id in ids {
        let item = try outbox.item(id)
        #expect(item.state == .queued)
        #expect(item.nextAttemptAt == nil)
      }
      server.clearFaults()
      #expect(try await outbox.upload(client).delivered == 3)
      #expect(try await client.contents(of: collection) == documents(1...3))
    }
  }

  @Test func `a 401 is answered with a new token once`() async throws {
    try await withServer { server, client in
      _ = try outbox.enqueue(.numbered(1))
      server.inject(.status(.unauthenticated), times: 1, matching: "POST")
      #expect(try await outbox.upload(client).delivered == 1)
    }
  }

  @Test func `a 403 after a delivery is about the item, which is rejected`() async throws {
    try await withServer { server, client in
      let ids = try (1...3).map { try outbox.enqueue(.numbered($0)) }
      server.inject(Self.noBatches, times: nil, matching: ":batchWrite")
      server.inject(.status(.permissionDenied, message: "not this one"), matching: "1769846402")
      let result = try await outbox.upload(client)
      #expect((result.delivered, result.rejected) == (2, 1))
      #expect(try outbox.states(ids) == [.delivered, .rejected, .delivered])
      #expect(try outbox.item(ids[1]).lastError?.contains("not this one") == true)
      #expect(
        try await client.contents(of: collection)
          == documents(1...1).merging(documents(3...3)) {
            $1
          })
    }
  }

  @Test
  func `what Firestore calls invalid is rejected with the reason, and can be retried`() async throws
  {
    try await withServer { server, client in
      let ids = try (1...2).map { try outbox.enqueue(.numbered($0)) }
      server.inject(.status(.invalidArgument, message: "too odd"), matching: ":batchWrite")
      server.inject(.status(.invalidArgument, message: "too odd"), matching: "1769846401")
      let result = try await outbox.upload(client)
      #expect((result.delivered, result.rejected) == (1, 1))
      #expect(result.stoppedBy == nil)
      #expect(try outbox.item(ids[0]).lastError?.contains("too odd") == true)
      #expect(try await outbox.upload(client).rejected == 0)
      try outbox.store.write { try $0.retry(id: ids[0]) }
      #expect(try await outbox.upload(client).delivered == 1)
      #expect(try await client.contents(of: collection) == documents(1...2))
    }
  }

  @Test
  func `a payload that is no feedback is rejected without a request, the rest goes`() async throws {
    try await withServer { server, client in
      let bad = try ["", "{", "{}", "null"].map { try outbox.enqueue(payload: $0) }
      _ = try outbox.enqueue(.numbered(1))
      let result = try await outbox.upload(client)
      #expect((result.delivered, result.rejected) == (1, 4))
      #expect(try outbox.states(bad) == [.rejected, .rejected, .rejected, .rejected])
      #expect(server.requests.count == 1)
    }
  }

  @Test func `an item that fails for now waits for its backoff, and the rest goes`() async throws {
    let firestore = MemoryFirestore()
    let ids = try (1...3).map { try outbox.enqueue(.numbered($0)) }
    firestore.refuse("\(collection)/1769846401", with: .refusal(.unavailable), times: 2)
    let result = try await outbox.upload(firestore)
    #expect((result.delivered, result.requeued) == (2, 1))
    #expect(result.stoppedBy == nil)
    var item = try outbox.item(ids[0])
    #expect((item.state, item.attempts) == (.queued, 1))
    #expect(item.nextAttemptAt == .morning + .seconds(60))
    let early = try await outbox.upload(firestore, at: .morning + .seconds(60) - .microseconds(1))
    #expect((early.delivered, early.requeued) == (0, 0))
    #expect(try await outbox.upload(firestore, at: .morning + .seconds(60)).requeued == 1)
    item = try outbox.item(ids[0])
    #expect(item.nextAttemptAt == .morning + .seconds(180))
    #expect(try await outbox.upload(firestore, at: .morning + .seconds(180)).delivered == 1)
    #expect(firestore.contents(of: collection) == documents(1...3))
  }

  @Test func `a Retry-After beyond the backoff is obeyed`() async throws {
    try await withServer { server, client in
      let id = try outbox.enqueue(.numbered(1))
      server.inject(.status(.unavailable, retryAfterSeconds: 7_200), matching: "POST")
      #expect(try await outbox.upload(client).requeued == 1)
      #expect(try outbox.item(id).nextAttemptAt == .morning + .seconds(7_200))
    }
  }

  @Test(arguments: [200, 403])
  func `an answer that is not Firestore's says nothing against an item`(status: Int) {
    let error = FirestoreError.malformedAnswer(
      request: "test", httpStatus: status, problem: "not JSON")
    #expect(FeedbackFailure(error, credentialsKnownGood: true) == .transient)
    let tls = FirestoreError.transport(request: "test", .tls(host: "h", reason: "expired"))
    #expect(FeedbackFailure(tls, credentialsKnownGood: true) == .transient)
  }

  @Test
  func `three failures in a row end the run; a delivery between them starts the count anew`()
    async throws
  {
    try await withServer(attempts: 1) { server, client in
      let ids = try (1...7).map { try outbox.enqueue(.numbered($0)) }
      server.inject(Self.noBatches, times: nil, matching: ":batchWrite")
      for number in [1, 2, 4, 5, 6] { server.inject(.drop, matching: "176984640\(number)") }
      let result = try await outbox.upload(client)
      #expect((result.delivered, result.requeued) == (1, 5))
      #expect(result.stoppedBy is FirestoreError)
      #expect(try outbox.item(ids[6]).attempts == 1)
      let later = try await outbox.upload(client, at: .morning + .seconds(60))
      #expect((later.delivered, later.requeued) == (6, 0))
      #expect(try await client.contents(of: collection) == documents(1...7))
    }
  }

  @Test(arguments: [0, 1, 2, 3, 4])
  func `the oldest items go first, no more than allowed`(maximum: Int) async throws {
    try await withServer { _, client in
      let ids = try (1...3).map { try outbox.enqueue(.numbered($0)) }
      #expect(try await outbox.upload(client, maxItems: maximum).delivered == min(maximum, 3))
      let expected = (1...3).map { $0 <= maximum ? OutboxItem.State.delivered : .queued }
      #expect(try outbox.states(ids) == expected)
    }
  }

  private func documents(_ numbers: ClosedRange<Int>) -> [String: [String: Value]] {
    Dictionary(
      uniqueKeysWithValues: numbers.map {
        (String(Feedback.numbered($0).timestamp), .feedback($0))
      })
  }
}
