package import Model
package import Store

/// Delivers the items of one kind; what all kinds share is done by `OutboxUpload`.
package protocol OutboxCarrier: Sendable {
  var kind: OutboxItem.Kind { get }

  /// Items that leave together at most.
  var batchSize: Int { get }

  /// Queues the parked items of the kind whose time has come.
  func wakeParked(at now: Instant, in writer: Writer) throws

  /// Tries to deliver the items and says what became of each attempt.
  ///
  /// Calls `sending` before its first request, with the items that requests are made for, and not at
  /// all when it makes none.
  ///
  /// - Parameters:
  ///   - items: queued and due, one or more.
  ///   - now: the run's instant.
  ///   - credentialsKnownGood: whether an earlier item of the run was delivered.
  ///   - sending: stores that the server may have these items from here on.
  /// - Returns: one for each item, in their order: what to store of the attempt, also when the item
  ///   or the server failed.
  /// - Throws: what ends the run: a cancellation, or a `StoreError`.
  func deliver(
    _ items: [OutboxItem], at now: Instant, credentialsKnownGood: Bool,
    sending: ([OutboxItem]) throws -> Void
  ) async throws -> [OutboxFate]
}

extension OutboxCarrier {
  /// Most kinds park nothing.
  package func wakeParked(at now: Instant, in writer: Writer) throws {}
}

/// A carrier whose server takes one item at a time.
package protocol SingleCarrier: OutboxCarrier {
  /// As for several, of one item.
  func deliver(
    _ item: OutboxItem, at now: Instant, credentialsKnownGood: Bool, sending: () throws -> Void
  ) async throws -> OutboxFate
}

extension SingleCarrier {
  package var batchSize: Int { 1 }

  package func deliver(
    _ items: [OutboxItem], at now: Instant, credentialsKnownGood: Bool,
    sending: ([OutboxItem]) throws -> Void
  ) async throws -> [OutboxFate] {
    var fates: [OutboxFate] = []
    for item in items {
      fates.append(
        try await deliver(
          item, at: now, credentialsKnownGood: credentialsKnownGood,
          sending: { try sending([item]) }))
    }
    return fates
  }
}

/// What became of an attempt to deliver an item.
package enum OutboxFate {
  /// The server has it, as the document or record of that name.
  case delivered(remoteName: String?)
  /// The server took none of several items that came together; it has to go by itself, now.
  case apart
  /// It waits for its backoff, or for longer when the server asks for that.
  case retryLater(OutboxFailure)
  /// It waits for something that no backoff brings; at `until` it may be tried again, nil: only an
  /// upgrade helps. `storing` joins the transaction that parks it.
  case parked(
    until: Instant?, reason: String, isAbsent: Bool = false,
    storing: (Writer) throws -> Void = { _ in })
  /// The item lacks something that its owner has to give; the others go on.
  case held(reason: String)
  /// It can never be delivered as it is.
  case rejected(reason: String)
  /// Nothing of the kind can be delivered now; this item and the others stay queued.
  case stopped(OutboxFailure)
}

/// Why an item was not delivered, and what that says about it.
package struct OutboxFailure: Sendable {
  package var error: any Error
  /// What the server asked to wait at least; nil when it did not.
  package var retryAfter: Duration?
  /// The server has said that it did not take the item; else it may have it.
  package var isAbsent: Bool

  package init(_ error: any Error, retryAfter: Duration? = nil, isAbsent: Bool = false) {
    self.error = error
    self.retryAfter = retryAfter
    self.isAbsent = isAbsent
  }
}
