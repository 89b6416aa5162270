package import Model
package import Store

/// Delivers queued items of one kind, each exactly once; see `docs/jobs.md#outbox`.
///
/// Every step is stored before the next byte leaves. An item found `sending` at the start belonged
/// to a process that died; its delivery is tried again, and the kind's carrier finds out whether
/// the server has it.
package struct OutboxUpload: Sendable {
  /// After this many items in a row failed for reasons of the network, the rest wait for the next run.
  package static let longestFailureRow = 3

  private let carrier: any OutboxCarrier
  private let store: Store
  private let backoff = Backoff()
  private let random: @Sendable () -> Double
  private let elapsed: @Sendable () -> Duration
  private let sleep: @Sendable (Duration) async throws -> Void

  /// - Parameters:
  ///   - carrier: whoever takes items of the kind to their server.
  ///   - store: where the items are.
  ///   - random: from 0 up to 1, for the jitter of the backoff.
  ///   - elapsed: a clock that never goes back, for the pace of writes.
  ///   - sleep: waits until the next items may leave.
  package init(
    _ carrier: any OutboxCarrier, store: Store, random: @escaping @Sendable () -> Double,
    elapsed: @escaping @Sendable () -> Duration,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.carrier = carrier
    self.store = store
    self.random = random
    self.elapsed = elapsed
    self.sleep = sleep
  }

  /// Delivers what is due at `now`, fewest attempts first, then oldest, at most `maxItems`.
  ///
  /// - Precondition: the caller holds the workspace's lock, so nobody else is sending.
  package func run(at now: Instant, maxItems: Int) async throws -> Result {
    var result = Result()
    var failuresInARow = 0
    var ramp = WriteRamp()
    var waiting = batches(of: try dueItems(at: now, maxItems: maxItems))[...]
    while let batch = waiting.popFirst() {
      try Task.checkCancellation()
      let pause = ramp.pause(before: batch.count, at: elapsed())
      if pause > .zero { try await sleep(pause) }
      let fates = try await deliver(batch, at: now, credentialsKnownGood: result.delivered > 0)
      result.add(fates, of: batch)
      waiting = apart(batch, fates) + waiting
      let failures = fates.count { $0.retriedError != nil }
      failuresInARow = fates.allSatisfy(\.saysNothing) ? failuresInARow + failures : 0
      if failuresInARow >= Self.longestFailureRow {
        result.stoppedBy = result.stoppedBy ?? fates.lazy.compactMap(\.retriedError).last
      }
      if result.stoppedBy != nil { return result }
    }
    return result
  }

  /// Items that leave together.
  ///
  /// One that failed or was cut off before goes by itself, so that an item over which the server
  /// stumbles cannot hold up others.
  private func batches(of items: [OutboxItem]) -> [[OutboxItem]] {
    items.reduce(into: []) { batches, item in
      let last = batches.indices.last
      if let last, item.attempts == 0, batches[last][0].attempts == 0,
        batches[last].count < carrier.batchSize
      {
        batches[last].append(item)
      } else {
        batches.append([item])
      }
    }
  }

  private func apart(_ batch: [OutboxItem], _ fates: [OutboxFate]) -> ArraySlice<[OutboxItem]> {
    zip(batch, fates).filter(\.1.isApart).map { [$0.0] }[...]
  }

  private func deliver(
    _ batch: [OutboxItem], at now: Instant, credentialsKnownGood: Bool
  ) async throws -> [OutboxFate] {
    let fates = try await carrier.deliver(
      batch, at: now, credentialsKnownGood: credentialsKnownGood,
      sending: { items in
        try store.write { writer in
          for item in items { try writer.markSending(id: item.id, at: now) }
        }
      })
    try store.write { writer in
      for (item, fate) in zip(batch, fates) { try settle(item, fate, at: now, in: writer) }
    }
    return fates
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
    case .apart:
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
