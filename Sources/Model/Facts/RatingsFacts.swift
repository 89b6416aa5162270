/// What the store knows of ratings and feedback, for the ratings report.
package struct RatingsFacts: Sendable {
  /// One rating, from the events of the app or of the tool's own commands.
  package struct Rating: Hashable, Sendable {
    package var at: Instant
    /// 1 to 5.
    package var stars: Int
    package var userId: String
    package var country: String?
    package var appVersion: String?

    package init(
      at: Instant, stars: Int, userId: String, country: String?, appVersion: String?
    ) {
      self.at = at
      self.stars = stars
      self.userId = userId
      self.country = country
      self.appVersion = appVersion
    }
  }

  /// One feedback text with where it is on its way to Firestore.
  package struct FeedbackEntry: Hashable, Sendable {
    package var feedback: Feedback
    package var state: OutboxItem.State
    /// The document it became; nil until delivered.
    package var remoteName: String?

    package init(feedback: Feedback, state: OutboxItem.State, remoteName: String?) {
      self.feedback = feedback
      self.state = state
      self.remoteName = remoteName
    }
  }

  /// Of the period and the one before it, oldest first.
  package var ratings: [Rating]
  /// Newest first, all that the workspace holds.
  package var feedback: [FeedbackEntry]
  /// Items by state, for every kind.
  package var outbox: [OutboxItem.State: Int]

  package init(
    ratings: [Rating], feedback: [FeedbackEntry], outbox: [OutboxItem.State: Int]
  ) {
    self.ratings = ratings
    self.feedback = feedback
    self.outbox = outbox
  }
}
