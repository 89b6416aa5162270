import Fixtures
import Model
import StoreTesting
import Testing

@testable import Store

@Suite struct OutboxTests {
  let folder: TemporaryStore
  let store: Store
  let later = Instant.morning + .seconds(60)

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  enum Move: String, CaseIterable, Sendable {
    case send, deliver, requeue, park, reject, retry

    func perform(_ id: Int64, _ writer: Writer) throws {
      switch self {
      case .send: try writer.markSending(id: id, at: .morning)
      case .deliver: try writer.markDelivered(id: id, remoteName: "doc", at: .morning)
      case .requeue: try writer.requeue(id: id, nextAttemptAt: nil, error: "e")
      case .park: try writer.park(id: id, until: nil, reason: "r")
      case .reject: try writer.reject(id: id, reason: "r")
      case .retry: try writer.retry(id: id)
      }
    }
  }

  /// The way from `queued` into each state.
  private func item(in state: OutboxItem.State) throws -> Int64 {
    let id = try enqueue()
    let way: [Move] =
      switch state {
      case .queued: []
      case .sending: [.send]
      case .delivered: [.send, .deliver]
      case .parked: [.send, .park]
      case .rejected: [.send, .reject]
      }
    for move in way { try store.write { try move.perform(id, $0) } }
    return id
  }

  private func enqueue(_ kind: OutboxItem.Kind = .feedback) throws -> Int64 {
    try store.write {
      try $0.enqueue(kind, profile: "default", payload: #"{"a":"\u0000'"}"#, at: .morning)
    }
  }

  private func state(_ id: Int64) throws -> OutboxItem.State? {
    try store.read { try $0.outboxItem(id: id)?.state }
  }

  /// Where each allowed move leads; every other one is an error.
  static let moves: [OutboxItem.State: [Move: OutboxItem.State]] = [
    .queued: [.send: .sending, .requeue: .queued, .park: .parked, .reject: .rejected],
    .sending: [
      .deliver: .delivered, .requeue: .queued, .park: .parked, .reject: .rejected,
    ],
    .delivered: [:],
    .parked: [.retry: .queued],
    .rejected: [.retry: .queued],
  ]

  @Test(arguments: OutboxItem.State.allCases, Move.allCases)
  func `a move leads where the table says, or is refused and changes nothing`(
    start: OutboxItem.State, move: Move
  ) throws {
    let id = try item(in: start)
    #expect(try state(id) == start)
    let before = try store.read { try $0.outboxItem(id: id) }
    if let end = Self.moves[start]?[move] {
      try store.write { try move.perform(id, $0) }
      #expect(try state(id) == end)
    } else {
      #expect(throws: StoreError.self) { try store.write { try move.perform(id, $0) } }
      #expect(try store.read { try $0.outboxItem(id: id) } == before)
    }
  }

  @Test func `an item that is not there is named`() throws {
    let error = try #require(throws: StoreError.self) {
      try store.write { try $0.retry(id: 77) }
    }
    #expect(error == .noSuchOutboxItem(id: 77, states: ["rejected", "parked"]))
    #expect(error.description.contains("no rejected or parked item 77"))
  }

  @Test func `a queued item has nothing but what it was queued with`() throws {
    let id = try enqueue()
    #expect(
      try store.read { try $0.outboxItem(id: id) }
        == OutboxItem(
          id: id, profile: "default", kind: .feedback, state: .queued,
          payload: #"{"a":"\u0000'"}"#, createdAt: .morning))
  }

  @Test func `a delivery keeps its attempts, its time and its document`() throws {
    let id = try enqueue()
    try store.write { try $0.markSending(id: id, at: .morning) }
    try store.write { try $0.requeue(id: id, nextAttemptAt: later, error: "timed out") }
    var found = try #require(try store.read { try $0.outboxItem(id: id) })
    #expect(found.attempts == 1)
    #expect(found.nextAttemptAt == later)
    #expect(found.lastError == "timed out")
    try store.write { try $0.markSending(id: id, at: later) }
    try store.write { try $0.markDelivered(id: id, remoteName: "Feedback/1", at: later) }
    found = try #require(try store.read { try $0.outboxItem(id: id) })
    #expect(found.attempts == 2)
    #expect(found.deliveredAt == later)
    #expect(found.remoteName == "Feedback/1")
    #expect(found.lastError == nil)
    #expect(found.nextAttemptAt == nil)
  }

  @Test(arguments: [(-1, true), (0, true), (1, false)])
  func `an item is due at its time, not before`(seconds: Int, isDue: Bool) throws {
    let id = try item(in: .sending)
    try store.write {
      try $0.requeue(id: id, nextAttemptAt: later + .seconds(seconds), error: nil)
    }
    let due = try store.read { try $0.dueOutboxItems(kind: .feedback, at: later, limit: 9) }
    #expect(due.map(\.id) == (isDue ? [id] : []))
  }

  @Test func `an item that was tried comes after those that were tried less often`() throws {
    let ids = try (0..<4).map { _ in try enqueue() }
    for id in [ids[0], ids[0], ids[2]] {
      try store.write { writer in
        try writer.markSending(id: id, at: .morning)
        try writer.requeue(id: id, nextAttemptAt: nil, error: "e")
      }
    }
    let due = try store.read { try $0.dueOutboxItems(kind: .feedback, at: .morning, limit: 9) }
    #expect(due.map(\.id) == [ids[1], ids[3], ids[2], ids[0]])
  }

  @Test func `due items come oldest first, of their kind, at most as many as asked for`() throws {
    let ids = try (0..<3).map { _ in try enqueue() }
    _ = try enqueue(.moment)
    #expect(
      try store.read { try $0.dueOutboxItems(kind: .feedback, at: .morning, limit: 9).map(\.id) }
        == ids)
    #expect(
      try store.read { try $0.dueOutboxItems(kind: .feedback, at: .morning, limit: 2).map(\.id) }
        == Array(ids.prefix(2)))
    #expect(
      try store.read { try $0.dueOutboxItems(kind: .event, at: .morning, limit: 9) } == [])
  }

  @Test func `what a dead sender left is listed, and is not due`() throws {
    let sending = try item(in: .sending)
    _ = try enqueue()
    #expect(
      try store.read { try $0.sendingOutboxItems(kind: .feedback).map(\.id) } == [sending])
    #expect(try store.read { try $0.sendingOutboxItems(kind: .moment) } == [])
    let due = try store.read { try $0.dueOutboxItems(kind: .feedback, at: later, limit: 9) }
    #expect(!due.map(\.id).contains(sending))
  }

  @Test func `an upgrade queues the parked items of one profile and kind`() throws {
    let day = try enqueue(.moment)
    let upgrade = try enqueue(.moment)
    let other = try enqueue(.feedback)
    try store.write { writer in
      try writer.park(id: day, until: later, reason: "daily")
      try writer.park(id: upgrade, until: nil, reason: "total")
      try writer.park(id: other, until: later, reason: "other kind")
    }
    func requeued(_ profile: String) throws -> Int {
      try store.write { try $0.requeueParked(kind: .moment, profile: profile) }
    }
    #expect(try requeued("somebody") == 0)
    #expect(try requeued("default") == 2)
    #expect(try state(day) == .queued)
    #expect(try state(upgrade) == .queued)
    #expect(try state(other) == .parked)
  }

  @Test func `an item may have arrived until the server has said that it did not`() throws {
    func mayHaveArrived(_ id: Int64) throws -> Bool? {
      try store.read { try $0.outboxItem(id: id)?.mayHaveArrived }
    }
    let id = try enqueue(.moment)
    #expect(try mayHaveArrived(id) == false)
    try store.write { try $0.markSending(id: id, at: .morning) }
    #expect(try mayHaveArrived(id) == true)
    try store.write { try $0.requeue(id: id, nextAttemptAt: nil, error: "cut") }
    #expect(try mayHaveArrived(id) == true)
    try store.write { try $0.park(id: id, until: nil, reason: "total") }
    #expect(try mayHaveArrived(id) == true)
    try store.write { writer in
      try writer.retry(id: id)
      try writer.park(id: id, until: nil, reason: "total", isAbsent: true)
    }
    #expect(try mayHaveArrived(id) == false)
    try store.write { writer in
      try writer.retry(id: id)
      try writer.markSending(id: id, at: .morning)
      try writer.requeue(id: id, nextAttemptAt: nil, error: "no", isAbsent: true)
    }
    #expect(try mayHaveArrived(id) == false)
  }

  @Test func `items are counted and listed by state`() throws {
    #expect(try store.read { try $0.outboxCounts() } == [:])
    let ids = try OutboxItem.State.allCases.map { try item(in: $0) }
    _ = try enqueue(.event)
    #expect(
      try store.read { try $0.outboxCounts() }
        == [.queued: 2, .sending: 1, .delivered: 1, .parked: 1, .rejected: 1])
    #expect(try store.read { try $0.outboxItems(in: [.queued], kind: .event, limit: 9) }.count == 1)
    #expect(
      try store.read {
        try $0.outboxItems(in: [.sending, .parked], limit: 9).map(\.state)
      } == [.parked, .sending])
    #expect(
      try store.read { try $0.outboxItems(kind: .feedback, limit: 9).map(\.id) }
        == ids.reversed())
    #expect(try store.read { try $0.outboxItems(limit: 2).count } == 2)
  }

  @Test func `a state and its outbox row change together or not at all`() throws {
    #expect(throws: StoreTests.Stop.self) {
      try store.write { writer in
        try writer.save(Profile(name: "p"))
        _ = try writer.enqueue(.feedback, profile: "p", payload: "{}", at: .morning)
        throw StoreTests.Stop()
      }
    }
    #expect(try store.read { try $0.outboxItems(limit: 9) } == [])
    #expect(try store.read { try $0.profile(named: "p") } == nil)
  }
}
