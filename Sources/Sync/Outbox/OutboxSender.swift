package import Model
package import Store

/// Delivers the items of one kind; `OutboxUpload` does what all kinds share.
package protocol OutboxSender: Sendable {
  var kind: OutboxItem.Kind { get }

  /// Items that leave together, at most.
  var batchSize: Int { get }

  /// Queues the parked items of the kind whose time has come.
  func wakeParked(at now: Instant, in writer: Writer) throws

  /// Tries to deliver items, which are queued and due; one or more.
  ///
  /// Calls `sending` before its first request, with the items that it makes requests for; not at
  /// all when it makes none. It stores that the server may have these items from then on. The
  /// credentials are known to be good when an earlier item of the run was delivered.
  ///
  /// - Returns: the outcome of each item, in their order; a failure of an item or of the server is
  ///   an outcome.
  /// - Throws: a cancellation or a `StoreError`, which end the run.
  func deliver(
    _ items: [OutboxItem], at now: Instant, credentialsKnownGood: Bool,
    sending: ([OutboxItem]) throws -> Void
  ) async throws -> [DeliveryOutcome]
}

extension OutboxSender {
  /// Most kinds park nothing.
  package func wakeParked(at now: Instant, in writer: Writer) throws {}
}

/// A sender whose server accepts one item a request.
package protocol SingleItemSender: OutboxSender {
  /// The same for one item; see `OutboxSender.deliver`.
  func deliver(
    _ item: OutboxItem, at now: Instant, credentialsKnownGood: Bool, sending: () throws -> Void
  ) async throws -> DeliveryOutcome
}

extension SingleItemSender {
  package var batchSize: Int { 1 }

  package func deliver(
    _ items: [OutboxItem], at now: Instant, credentialsKnownGood: Bool,
    sending: ([OutboxItem]) throws -> Void
  ) async throws -> [DeliveryOutcome] {
    var outcomes: [DeliveryOutcome] = []
    for item in items {
      outcomes.append(
        try await deliver(
          item, at: now, credentialsKnownGood: credentialsKnownGood,
          sending: { try sending([item]) }))
    }
    return outcomes
  }
}

package enum DeliveryOutcome {
  /// The server has the item, as the document or record of that name.
  case delivered(remoteName: String?)
  /// The server accepted none of a batch; the item has to leave alone, now.
  case splitBatch
  /// The item waits for its backoff, or for longer when the server asks for that.
  case retryLater(OutboxFailure)
  /// The item waits until an instant; nil waits for an upgrade. `storing` joins the transaction
  /// that parks it.
  case parked(
    until: Instant?, reason: String, isAbsent: Bool = false,
    storing: (Writer) throws -> Void = { _ in })
  /// The item lacks something that its profile has to provide; the others go on.
  case held(reason: String)
  /// The item can never be delivered as it is.
  case rejected(reason: String)
  /// No item of the kind can be delivered now; all stay queued.
  case stopped(OutboxFailure)
}

package struct OutboxFailure: Sendable {
  package var error: any Error
  /// The server's `Retry-After`; nil when it named none.
  package var retryAfter: Duration?
  /// Whether the server has said that it does not have the item; otherwise it may have it.
  package var isAbsent: Bool
  /// Whether the server did not answer at all.
  package var isSilence: Bool

  package init(
    _ error: any Error, retryAfter: Duration? = nil, isAbsent: Bool = false, isSilence: Bool
  ) {
    self.error = error
    self.retryAfter = retryAfter
    self.isAbsent = isAbsent
    self.isSilence = isSilence
  }
}
