package import Model
package import Store

/// The delivery of queued items of one kind, each exactly once; see `docs/outbox.md`.
///
/// Each step is stored before the next request is sent. An item that is `sending` at the start was
/// left by a process that died: it is delivered again, and the kind's sender finds out whether the
/// server already has it.
package struct OutboxUpload: Sendable {
  /// The number of consecutive failures after which the other items wait for the next run.
  package static let longestFailureRow = 3

  private let sender: any OutboxSender
  private let store: Store
  private let backoff = OutboxBackoff()
  private let random: @Sendable () -> Double
  private let elapsed: @Sendable () -> Duration
  private let sleep: @Sendable (Duration) async throws -> Void
  private let tried: @Sendable (_ items: Int) -> Void

  /// `random`, from 0 up to 1, provides the jitter of the backoff, `elapsed` the clock for the
  /// write rate.
  ///
  /// `tried` is called after each batch with the number of items, except those to send again alone.
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

  /// Delivers at most `maxItems` items that are due at `now`: fewest attempts first, then oldest.
  ///
  /// Items that are held do not count, since they stay due and would take the place of others in
  /// each run.
  ///
  /// - Precondition: the caller holds the workspace's lock, so no other process is sending.
  package func run(at now: Instant, maxItems: Int) async throws -> OutboxUploadResult {
    var result = OutboxUploadResult()
    var ramp = WriteRamp()
    var tried: Set<Int64> = []
    var wanted = maxItems
    while wanted > 0, result.stoppedBy == nil {
      let due = try dueItems(at: now, limit: maxItems + result.held)
      let items = Array(due.filter { !tried.contains($0.id) }.prefix(wanted))
      tried.formUnion(items.map(\.id))
      let held = result.held
      try await deliver(items, at: now, &result, &ramp)
      wanted = result.held - held
    }
    return result
  }

  /// Delivers the items, until the server seems not to respond.
  private func deliver(
    _ items: [OutboxItem], at now: Instant, _ result: inout OutboxUploadResult,
    _ ramp: inout WriteRamp
  ) async throws {
    var failuresInARow = 0
    var waiting = batches(of: items)[...]
    while let batch = waiting.popFirst() {
      try Task.checkCancellation()
      let pause = ramp.pause(before: batch.count, at: elapsed())
      if pause > .zero { try await sleep(pause) }
      let outcomes = try await deliver(batch, at: now, credentialsKnownGood: result.delivered > 0)
      result.add(outcomes, of: batch)
      tried(outcomes.count { !$0.splitsBatch })
      // Joining copies all waiting batches.
      let split = split(batch, by: outcomes)
      if !split.isEmpty { waiting = split + waiting }
      let failures = outcomes.count { $0.retriedError != nil }
      failuresInARow = outcomes.allSatisfy(\.saysNothing) ? failuresInARow + failures : 0
      if failuresInARow >= Self.longestFailureRow {
        result.stoppedBy = result.stoppedBy ?? outcomes.lazy.compactMap(\.retriedError).last
      }
      // Each of the other items would wait just as long for a server that does not respond.
      result.stoppedBy = result.stoppedBy ?? outcomes.lazy.compactMap(\.silence).first
      if result.stoppedBy != nil { return }
    }
  }

  /// Groups the items into batches.
  ///
  /// An item that failed or was interrupted before is sent alone, so that an item that the server
  /// cannot accept does not block others.
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

  /// Returns a separate batch for each item that has to be sent alone.
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
        try store.writeDurably { writer in
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

  private func dueItems(at now: Instant, limit: Int) throws -> [OutboxItem] {
    try store.write { writer in
      for item in try writer.sendingOutboxItems(kind: sender.kind) {
        try writer.requeue(id: item.id, nextAttemptAt: nil, error: item.lastError)
      }
      try sender.wakeParked(at: now, in: writer)
      return try writer.dueOutboxItems(kind: sender.kind, at: now, limit: limit)
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
