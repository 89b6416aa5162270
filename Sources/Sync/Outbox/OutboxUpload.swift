package import Model
package import Store

/// Delivers queued items of one kind, each exactly once; see `docs/jobs.md#outbox`.
///
/// Every step is stored before the next byte leaves. An item found `sending` at the start belonged
/// to a process that died; its delivery is tried again, and the kind's carrier finds out whether
/// the server has it.
package struct OutboxUpload: Sendable {
  package struct Result: Sendable {
    package var delivered = 0
    /// Failed for now; they wait for their next attempt.
    package var requeued = 0
    /// Wait for a day or an upgrade, which is no failure.
    package var parked = 0
    package var rejected = 0
    /// What made the upload stop before its end; nil when it went through all due items.
    package var stoppedBy: (any Error)?
    /// Sentences about items that failed.
    package var problems: [String] = []

    package init() {}
  }

  /// After this many items in a row failed for reasons of the network, the rest wait for the next run.
  package static let longestFailureRow = 3

  private let carrier: any OutboxCarrier
  private let store: Store
  private let backoff = Backoff()
  private let random: @Sendable () -> Double

  /// - Parameters:
  ///   - carrier: whoever takes items of the kind to their server.
  ///   - store: where the items are.
  ///   - random: from 0 up to 1, for the jitter of the backoff.
  package init(
    _ carrier: any OutboxCarrier, store: Store, random: @escaping @Sendable () -> Double
  ) {
    self.carrier = carrier
    self.store = store
    self.random = random
  }

  /// Delivers what is due at `now`, oldest first, at most `maxItems`.
  ///
  /// - Precondition: the caller holds the workspace's lock, so nobody else is sending.
  package func run(at now: Instant, maxItems: Int) async throws -> Result {
    var result = Result()
    var failuresInARow = 0
    for item in try dueItems(at: now, maxItems: maxItems) {
      try Task.checkCancellation()
      let fate = try await carrier.deliver(
        item, at: now, credentialsKnownGood: result.delivered > 0,
        sending: { try store.write { try $0.markSending(id: item.id, at: now) } })
      try store.write { try settle(item, fate, at: now, in: $0) }
      result.add(fate, of: item)
      guard case .retryLater(let failure) = fate else {
        failuresInARow = 0
        if result.stoppedBy != nil { return result }
        continue
      }
      failuresInARow += 1
      guard failuresInARow < Self.longestFailureRow else {
        result.stoppedBy = failure.error
        return result
      }
    }
    return result
  }

  private func dueItems(at now: Instant, maxItems: Int) throws -> [OutboxItem] {
    try store.write { writer in
      for item in try writer.sendingOutboxItems(kind: carrier.kind) {
        try writer.requeue(id: item.id, nextAttemptAt: nil, error: item.lastError)
      }
      try carrier.wakeParked(at: now, in: writer)
      return try writer.dueOutboxItems(kind: carrier.kind, at: now, limit: maxItems)
    }
  }

  private func settle(
    _ item: OutboxItem, _ fate: OutboxFate, at now: Instant, in writer: Writer
  ) throws {
    switch fate {
    case .delivered(let remoteName):
      try writer.markDelivered(id: item.id, remoteName: remoteName, at: now)
    case .retryLater(let failure):
      let next = backoff.nextAttempt(
        after: now, attempts: item.attempts + 1, retryAfter: failure.retryAfter, random: random())
      try writer.requeue(
        id: item.id, nextAttemptAt: next, error: "\(failure.error)", isAbsent: failure.isAbsent)
    case .parked(let until, let reason, let isAbsent, let storing):
      try writer.park(id: item.id, until: until, reason: reason, isAbsent: isAbsent)
      try storing(writer)
    case .held(let reason):
      try writer.requeue(id: item.id, nextAttemptAt: nil, error: reason)
    case .rejected(let reason):
      try writer.reject(id: item.id, reason: reason)
    case .stopped(let failure):
      try writer.requeue(
        id: item.id, nextAttemptAt: nil, error: "\(failure.error)", isAbsent: failure.isAbsent)
    }
  }
}

extension OutboxUpload.Result {
  fileprivate mutating func add(_ fate: OutboxFate, of item: OutboxItem) {
    switch fate {
    case .delivered: delivered += 1
    case .parked: parked += 1
    case .retryLater(let failure):
      requeued += 1
      problems.append("outbox item \(item.id): \(failure.error)")
    case .held(let reason):
      requeued += 1
      problems.append("outbox item \(item.id): \(reason)")
    case .rejected(let reason):
      rejected += 1
      problems.append("outbox item \(item.id): \(reason)")
    case .stopped(let failure):
      stoppedBy = failure.error
      problems.append("outbox item \(item.id): \(failure.error)")
    }
  }
}
