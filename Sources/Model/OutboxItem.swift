/// One thing that has to leave the workspace, and how far it got.
package struct OutboxItem: Hashable, Codable, Sendable {
  package enum Kind: String, CaseIterable, Codable, Sendable {
    case feedback, moment, event
  }

  package enum State: String, CaseIterable, Codable, Sendable {
    /// Waits for its turn, or for `nextAttemptAt`.
    case queued
    /// Was being sent; found at the start of a run it means the sender died and the outcome is unknown.
    case sending
    case delivered
    /// Waits for a day or an upgrade, see `lastError`.
    case parked
    /// The server refused it for good; `lastError` says why.
    case rejected
  }

  /// The row's id; ascending in the order of queueing.
  package var id: Int64
  package var profile: String
  package var kind: Kind
  package var state: State
  /// JSON; for `feedback` an encoded `Feedback`.
  package var payload: String
  package var createdAt: Instant
  /// Attempts that reached the network.
  package var attempts: Int
  /// Not before this instant; nil means at once.
  package var nextAttemptAt: Instant?
  /// A sentence about the last failure; nil when none.
  package var lastError: String?
  package var deliveredAt: Instant?
  /// The document or record that the item became; nil until delivered.
  package var remoteName: String?
  /// Whether it was sent and no answer of the server has said that it was not taken.
  package var mayHaveArrived: Bool

  package init(
    id: Int64, profile: String, kind: Kind, state: State, payload: String, createdAt: Instant,
    attempts: Int = 0, nextAttemptAt: Instant? = nil, lastError: String? = nil,
    deliveredAt: Instant? = nil, remoteName: String? = nil, mayHaveArrived: Bool = false
  ) {
    self.id = id
    self.profile = profile
    self.kind = kind
    self.state = state
    self.payload = payload
    self.createdAt = createdAt
    self.attempts = attempts
    self.nextAttemptAt = nextAttemptAt
    self.lastError = lastError
    self.deliveredAt = deliveredAt
    self.remoteName = remoteName
    self.mayHaveArrived = mayHaveArrived
  }
}
