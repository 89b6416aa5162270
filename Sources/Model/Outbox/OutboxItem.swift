/// Something to be delivered, and how far its delivery got.
package struct OutboxItem: Hashable, Codable, Sendable {
  /// The longest wait of a queued item for its next attempt; docs/outbox.md.
  package static let longestWait = Duration.seconds(24 * 3600)

  package enum Kind: String, CaseIterable, Codable, Sendable {
    case feedback, moment, event
  }

  package enum State: String, CaseIterable, Codable, Sendable {
    /// Waits for a run, or until `nextAttemptAt`.
    case queued
    /// Is being sent. At the start of a run: its sender died, and whether it arrived is unknown.
    case sending
    case delivered
    /// Waits for a day or an upgrade; `lastError` says which.
    case parked
    /// The server refused it for good; `lastError` says why.
    case rejected
  }

  /// The row's id, in the order of queueing.
  package var id: Int64
  package var profile: String
  package var kind: Kind
  package var state: State
  /// JSON; for `feedback` an encoded `Feedback`.
  package var payload: String
  package var createdAt: Instant
  package var attempts = 0
  /// The earliest time of the next attempt; nil means now.
  package var nextAttemptAt: Instant?
  /// The last failure as a sentence; nil without one.
  package var lastError: String?
  package var deliveredAt: Instant?
  /// The document or record that the item became; nil until it is delivered.
  package var remoteName: String?
  /// The document path of the last attempt; nil without an attempt, and in old rows.
  package var target: String?
  /// Whether it was sent and the server has not said that it lacks it.
  package var mayHaveArrived = false

  package init(
    id: Int64, profile: String, kind: Kind, state: State, payload: String, createdAt: Instant
  ) {
    self.id = id
    self.profile = profile
    self.kind = kind
    self.state = state
    self.payload = payload
    self.createdAt = createdAt
  }
}

/// A user's text about a low rating, as a document of Firestore.
package struct Feedback: Hashable, Codable, Sendable {
  package var userId: String
  package var gender: String
  package var country: String
  package var appVersion: String
  package var text: String
  /// Unix seconds; also the preferred document id.
  package var timestamp: Int64
  /// 1 to 3.
  package var stars: Int

  package init(
    userId: String, gender: String, country: String, appVersion: String, text: String,
    timestamp: Int64, stars: Int
  ) {
    self.userId = userId
    self.gender = gender
    self.country = country
    self.appVersion = appVersion
    self.text = text
    self.timestamp = timestamp
    self.stars = stars
  }
}

/// What a person noted about a feedback text.
package struct FeedbackMark: Hashable, Sendable {
  package enum ThemeChoice: Hashable, Sendable {
    /// Nobody chose: the words of the text decide.
    case byWords
    /// It belongs to no theme, whatever its words.
    case none
    /// The id of a theme, which the list may no longer have.
    case chosen(String)
  }

  package var theme: ThemeChoice
  /// Nil while it is open.
  package var doneAt: Instant?

  package init(theme: ThemeChoice = .byWords, doneAt: Instant? = nil) {
    self.theme = theme
    self.doneAt = doneAt
  }
}
