package import Model
package import Store

/// The delivery of one kind of items; `OutboxUpload` contains what all kinds share.
package protocol OutboxSender: Sendable {
  var kind: OutboxItem.Kind { get }

  /// The most items sent in one batch.
  var batchSize: Int { get }

  /// Queues the kind's parked items that are due.
  func wakeParked(at now: Instant, in writer: Writer) throws

  /// Tries to deliver one or more items that are queued and due.
  ///
  /// Before its first request it calls `sending` with the items that its requests are about;
  /// without a request it does not call it. The callback stores that the server may have these
  /// items. `credentialsKnownGood` is true once an earlier item of the run was delivered.
  ///
  /// - Returns: the outcome of each item, in order; a failure of an item or of the server is an
  ///   outcome.
  /// - Throws: a cancellation or a `StoreError`, which end the run.
  func deliver(
    _ items: [OutboxItem], at now: Instant, credentialsKnownGood: Bool,
    sending: ([OutboxItem]) throws -> Void
  ) async throws -> [DeliveryOutcome]
}

extension OutboxSender {
  /// Does nothing: most kinds never park an item.
  package func wakeParked(at now: Instant, in writer: Writer) throws {}
}

/// A sender whose server accepts one item per request.
package protocol SingleItemSender: OutboxSender {
  /// Tries to deliver one item; see `OutboxSender.deliver`.
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
  /// The server has the item, as the document or record with this name.
  case delivered(remoteName: String?)
  /// The server accepted no item of a batch; each item has to be sent alone, now.
  case splitBatch
  /// The item is retried after its backoff, or later if the server requests that.
  case retryLater(OutboxFailure)
  /// The item waits until an instant, or with nil for an upgrade; `storing` joins the transaction
  /// that parks it.
  case parked(
    until: Instant?, reason: String, isAbsent: Bool = false,
    storing: (Writer) throws -> Void = { _ in })
  /// The item lacks something that its profile has to provide; other items are still sent.
  case held(reason: String)
  /// The item can never be delivered as it is.
  case rejected(reason: String)
  /// No item of the kind can be delivered now; all stay queued.
  case stopped(OutboxFailure)
}

package struct OutboxFailure: Sendable {
  package var error: any Error
  /// The server's `Retry-After`; nil when it sent none.
  package var retryAfter: Duration?
  /// Whether the server reported that it does not have the item; otherwise it may have it.
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
