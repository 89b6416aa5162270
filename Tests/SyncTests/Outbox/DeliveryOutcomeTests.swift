import Fixtures
import GRDB
import Model
import StoreTesting
import Testing

@testable import Store
@testable import Sync

/// What the loop that all kinds share does with a sender's outcomes.
@Suite struct DeliveryOutcomeTests {
  private let workspace: TemporaryStore

  init() throws {
    workspace = try TemporaryStore()
  }

  private struct Refused: Error, CustomStringConvertible {
    var description: String { "refused" }
  }

  /// Answers with one outcome for each item, in order; the last one repeats.
  private struct ScriptedSender: SingleItemSender {
    var outcomes: @Sendable (Int64) -> DeliveryOutcome
    var isSending = true

    var kind: OutboxItem.Kind { .event }

    func deliver(
      _ item: OutboxItem, at now: Instant, credentialsKnownGood: Bool, sending: () throws -> Void
    ) async throws -> DeliveryOutcome {
      let outcome = outcomes(item.id)
      if case .held = outcome { return outcome }
      if isSending { try sending() }
      return outcome
    }
  }

  private func enqueue(_ count: Int, kind: OutboxItem.Kind = .event) throws -> [Int64] {
    try workspace.store.write { writer in
      try (0..<count).map { _ in
        try writer.enqueue(kind, profile: "default", payload: "{}", at: .morning)
      }
    }
  }

  private func upload(
    isSending: Bool = true, maxItems: Int = 100,
    _ outcomes: @escaping @Sendable (Int64) -> DeliveryOutcome
  ) async throws -> OutboxUploadResult {
    try await OutboxUpload(
      ScriptedSender(outcomes: outcomes, isSending: isSending), store: workspace.store,
      random: { 0.5 },
      elapsed: { .zero }, sleep: { _ in }
    ).run(at: .morning, maxItems: maxItems)
  }

  private func item(_ id: Int64) throws -> OutboxItem {
    try #require(try workspace.store.read { try $0.outboxItem(id: id) })
  }

  @Test
  func `a parked item waits with its reason, is no failure, and stores what the outcome says`()
    async throws
  {
    let ids = try enqueue(2)
    let tomorrow = Instant.morning + .seconds(86_400)
    let result = try await upload { id in
      .parked(until: tomorrow, reason: "Not today.", isAbsent: true) { writer in
        try writer.setMark("parked", named: "item \(id)")
      }
    }
    #expect((result.parked, result.requeued, result.rejected) == (2, 0, 0))
    #expect(result.problems.isEmpty && result.stoppedBy == nil)
    for id in ids {
      let item = try item(id)
      #expect(item.state == .parked)
      #expect((item.nextAttemptAt, item.lastError) == (tomorrow, "Not today."))
      #expect(!item.mayHaveArrived)
      #expect(try workspace.store.read { try $0.mark(named: "item \(id)") } == "parked")
    }
  }

  @Test
  func `an item whose outcome is unknown stays so until the server has said otherwise`()
    async throws
  {
    let id = try enqueue(1)[0]
    #expect(try !item(id).mayHaveArrived)
    _ = try await upload { _ in .stopped(OutboxFailure(Refused(), isSilence: false)) }
    #expect(try item(id).mayHaveArrived)
    _ = try await upload { _ in .held(reason: "Say who you are.") }
    #expect(try item(id).mayHaveArrived)
    _ = try await upload { _ in .stopped(OutboxFailure(Refused(), isAbsent: true, isSilence: false))
    }
    #expect(try !item(id).mayHaveArrived)
  }

  @Test
  func `an item that makes no request counts no attempt, and the others go on`() async throws {
    let ids = try enqueue(5)
    let result = try await upload { _ in .held(reason: "Say who you are.") }
    #expect((result.requeued, result.problems.count) == (5, 5))
    #expect(result.stoppedBy == nil)
    for id in ids {
      let item = try item(id)
      #expect((item.state, item.attempts, item.nextAttemptAt) == (.queued, 0, nil))
      #expect(item.lastError == "Say who you are.")
    }
  }

  @Test func `items that are held take no other's place in a run`() async throws {
    let ids = try enqueue(6)
    let result = try await upload(maxItems: 2) { id in
      ids[..<3].contains(id) ? .held(reason: "Say who you are.") : .delivered(remoteName: nil)
    }
    #expect((result.delivered, result.requeued) == (2, 3))
    let states = try ids.map { try item($0).state }
    #expect(states == [.queued, .queued, .queued, .delivered, .delivered, .queued])
  }

  @Test func `an item that fails counts towards the items of a run`() async throws {
    let ids = try enqueue(3)
    let result = try await upload(maxItems: 2) { id in
      id == ids[0]
        ? .retryLater(OutboxFailure(Refused(), isSilence: false)) : .delivered(remoteName: nil)
    }
    #expect((result.delivered, result.requeued) == (1, 1))
    #expect(try item(ids[2]).attempts == 0)
  }

  /// Records how each commit was synced: 2 is at once, 1 at the next checkpoint.
  private final class SyncRecorder: TransactionObserver {
    private(set) var levels: [Int] = []

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidRollback(_ database: Database) {}

    func databaseDidCommit(_ database: Database) {
      guard let level = try? Int.fetchOne(database, sql: "PRAGMA synchronous") else { return }
      levels.append(level)
    }
  }

  @Test func `that an item is sent is on the disk before the request`() async throws {
    _ = try enqueue(1)
    let recorder = SyncRecorder()
    workspace.store.connection.add(transactionObserver: recorder)
    _ = try await upload { _ in .delivered(remoteName: nil) }
    // The list of what is due, that it is being sent, that it was delivered.
    #expect(recorder.levels == [1, 2, 1])
  }

  @Test func `items of other kinds are left alone`() async throws {
    let others = try enqueue(2, kind: .feedback) + enqueue(1, kind: .moment)
    try workspace.store.write { try $0.markSending(id: others[0], at: .morning) }
    _ = try enqueue(1)
    #expect(try await upload { _ in .delivered(remoteName: nil) }.delivered == 1)
    #expect(try others.map { try item($0).state } == [.sending, .queued, .queued])
  }

  @Test func `what was stopped before its end leaves the rest as it was`() async throws {
    let ids = try enqueue(3)
    let result = try await upload { id in
      id == ids[1]
        ? .stopped(OutboxFailure(Refused(), isSilence: false)) : .delivered(remoteName: "x")
    }
    #expect(result.delivered == 1)
    #expect(result.stoppedBy is Refused)
    #expect(try ids.map { try item($0).attempts } == [1, 1, 0])
    #expect(try ids.map { try item($0).state } == [.delivered, .queued, .queued])
  }
}
