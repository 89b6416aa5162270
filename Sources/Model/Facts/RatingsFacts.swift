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

  /// What decides whether a profile is asked for a rating now.
  package struct Prompt: Hashable, Sendable {
    package var profile: String
    package var counters: RatingCounters
    package var threshold: Int
    package var maxPrompts: Int

    package init(profile: String, counters: RatingCounters, threshold: Int, maxPrompts: Int) {
      self.profile = profile
      self.counters = counters
      self.threshold = threshold
      self.maxPrompts = maxPrompts
    }
  }

  /// Whom the settings let be asked for a rating.
  package struct Asking: Hashable, Sendable {
    /// Of each profile.
    package var counters: [RatingCounters]
    /// Messages sent, and received, of which a profile needs more.
    package var threshold: Int
    package var maxPrompts: Int

    package init(counters: [RatingCounters], threshold: Int, maxPrompts: Int) {
      self.counters = counters
      self.threshold = threshold
      self.maxPrompts = maxPrompts
    }
  }

  /// Of the period and the one before it, oldest first.
  package var ratings: [Rating]
  /// Newest first, all that the workspace holds.
  package var feedback: [FeedbackEntry]
  /// Items by state, for every kind.
  package var outbox: [OutboxItem.State: Int]
  /// Of the profile whose state the pages show; nil shows none.
  package var prompt: Prompt?
  /// Visits to the App Store of the period, oldest first.
  package var visits: [RatingVisit]
  package var asking: Asking
  /// Nil when no reviews were ever read.
  package var reviews: ReviewFacts?

  package init(
    ratings: [Rating], feedback: [FeedbackEntry], outbox: [OutboxItem.State: Int],
    prompt: Prompt? = nil, visits: [RatingVisit] = [],
    asking: Asking = Asking(counters: [], threshold: 0, maxPrompts: 0),
    reviews: ReviewFacts? = nil
  ) {
    self.ratings = ratings
    self.feedback = feedback
    self.outbox = outbox
    self.prompt = prompt
    self.visits = visits
    self.asking = asking
    self.reviews = reviews
  }
}
