package import Model
package import Store

/// Delivers queued items of one kind, each exactly once; see `docs/outbox.md`.
///
/// Every step is stored before the next byte leaves. An item that is `sending` at the start
/// belonged to a process that died; it is delivered again, and the kind's sender finds out whether
/// the server has it.
package struct OutboxUpload: Sendable {
  /// After this number of failures of the network in a row, the other items wait for the next run.
  package static let longestFailureRow = 3

  private let sender: any OutboxSender
  private let store: Store
  private let backoff = OutboxBackoff()
  private let random: @Sendable () -> Double
  private let elapsed: @Sendable () -> Duration
  private let sleep: @Sendable (Duration) async throws -> Void
  private let tried: @Sendable (_ items: Int) -> Void

  /// `random`, from 0 up to 1, is for the jitter of the backoff, `elapsed` for the pace of writes.
  ///
  /// `tried` is called with the items of each batch, whatever became of them.
  package init(
    _ sender: any OutboxSender, store: Store, random: @escaping @Sendable () -> Double,
    elapsed: @escaping @Sendable () -> Duration,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    tried: @escaping @Sendable (_ items: Int) -> Void = { _ in }
  ) {
    self.sender = sender
    self.store = store
    self.random = random
    self.elapsed = elapsed
    self.sleep = sleep
    self.tried = tried
  }

  /// Delivers what is due at `now`, fewest attempts first, then oldest, at most `maxItems`.
  ///
  /// - Precondition: the caller holds the workspace's lock, so nobody else is sending.
  package func run(at now: Instant, maxItems: Int) async throws -> OutboxUploadResult {
    var result = OutboxUploadResult()
    var failuresInARow = 0
    var ramp = WriteRamp()
    var waiting = batches(of: try dueItems(at: now, maxItems: maxItems))[...]
    while let batch = waiting.popFirst() {
      try Task.checkCancellation()
      let pause = ramp.pause(before: batch.count, at: elapsed())
      if pause > .zero { try await sleep(pause) }
      let outcomes = try await deliver(batch, at: now, credentialsKnownGood: result.delivered > 0)
      result.add(outcomes, of: batch)
      tried(outcomes.count { !$0.splitsBatch })
      // Joining copies all that wait.
      let split = split(batch, by: outcomes)
      if !split.isEmpty { waiting = split + waiting }
      let failures = outcomes.count { $0.retriedError != nil }
      failuresInARow = outcomes.allSatisfy(\.saysNothing) ? failuresInARow + failures : 0
      if failuresInARow >= Self.longestFailureRow {
        result.stoppedBy = result.stoppedBy ?? outcomes.lazy.compactMap(\.retriedError).last
      }
      // Each of the other items would wait as long for a server that does not answer.
      result.stoppedBy = result.stoppedBy ?? outcomes.lazy.compactMap(\.silence).first
      if result.stoppedBy != nil { return result }
    }
    return result
  }

  /// The items that leave together.
  ///
  /// An item that failed or was interrupted before leaves alone, so that one that the server cannot
  /// take does not hold up others.
  private func batches(of items: [OutboxItem]) -> [[OutboxItem]] {
    items.reduce(into: []) { batches, item in
      let last = batches.indices.last
      if let last, item.attempts == 0, batches[last][0].attempts == 0,
        batches[last].count < sender.batchSize
      {
        batches[last].append(item)
      } else {
        batches.append([item])
      }
    }
  }

  /// A batch of its own for each item that has to leave alone.
  private func split(
    _ batch: [OutboxItem], by outcomes: [DeliveryOutcome]
  ) -> ArraySlice<[OutboxItem]> {
    zip(batch, outcomes).filter(\.1.splitsBatch).map { [$0.0] }[...]
  }

  private func deliver(
    _ batch: [OutboxItem], at now: Instant, credentialsKnownGood: Bool
  ) async throws -> [DeliveryOutcome] {
    let outcomes = try await sender.deliver(
      batch, at: now, credentialsKnownGood: credentialsKnownGood,
      sending: { items in
        try store.write { writer in
          for item in items { try writer.markSending(id: item.id, at: now) }
        }
      })
    try store.write { writer in
      for (item, outcome) in zip(batch, outcomes) {
        try record(outcome, of: item, at: now, in: writer)
      }
    }
    return outcomes
  }

  private func dueItems(at now: Instant, maxItems: Int) throws -> [OutboxItem] {
    try store.write { writer in
      for item in try writer.sendingOutboxItems(kind: sender.kind) {
        try writer.requeue(id: item.id, nextAttemptAt: nil, error: item.lastError)
      }
      try sender.wakeParked(at: now, in: writer)
      return try writer.dueOutboxItems(kind: sender.kind, at: now, limit: maxItems)
    }
  }

  private func record(
    _ outcome: DeliveryOutcome, of item: OutboxItem, at now: Instant, in writer: Writer
  ) throws {
    switch outcome {
    case .delivered(let remoteName):
      try writer.markDelivered(id: item.id, remoteName: remoteName, at: now)
    case .splitBatch:
      try writer.requeue(id: item.id, nextAttemptAt: nil, error: item.lastError)
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
