package import Model

/// What the store knows of ratings and feedback, for the ratings report.
package struct RatingsData: Sendable {
  /// One rating, from the events of the app or of the tool's own commands.
  package struct Rating: Hashable, Sendable {
    package var at: Instant
    /// 1 to 5.
    package var stars: Int
    package var userId: String
    package var country: String?
    package var appVersion: String?
  }

  /// The ratings of one app version on one day.
  package struct VersionDay: Hashable, Sendable {
    package var version: String
    /// The start of the day in UTC.
    package var day: Instant
    /// By stars: index 0 is one star.
    package var stars: [Int]
  }

  /// Who gave a rating, and when.
  package struct Rater: Hashable, Sendable {
    package var at: Instant
    /// The person's number, in the order of their first ratings; nil for an unknown one.
    package var person: Int?

    package init(at: Instant, person: Int?) {
      self.at = at
      self.person = person
    }
  }

  /// The first rating of an app version in the ledger.
  package struct VersionStart: Hashable, Sendable {
    package var version: String
    package var at: Instant
    /// Ratings that name a version and came before it.
    package var ratingsBefore: Int
  }

  /// One feedback text with its origin and its state in the outbox.
  package struct FeedbackEntry: Hashable, Sendable {
    package enum Origin: String, CaseIterable, Codable, Sendable {
      /// Written in this workspace.
      case own
      /// Sent to Firestore by the app, and read from there.
      case foreign
    }

    package var feedback: Feedback
    package var origin: Origin = .own
    /// Who wrote an own text; nil for a foreign one.
    package var profile: String?
    /// Nil for a foreign text, which is never uploaded.
    package var state: OutboxItem.State?
    /// The name of its document in Firestore; nil for an own text without a known document.
    package var remoteName: String?
    /// Its key in the database, which delivery does not change: `own/12`, or the document's path.
    package var key: String = ""
    package var mark: FeedbackMark = FeedbackMark()

    /// What commands and pages call it: `own/12`, or the document's id; empty without a key.
    package var id: String {
      origin == .own ? key : key.split(separator: "/").last.map(String.init) ?? ""
    }

    package var isOpen: Bool { mark.doneAt == nil }

    /// The writer's user id, or the profile of an own text without one; empty when neither is known.
    package var writerId: String {
      guard feedback.userId.isEmpty, let profile else { return feedback.userId }
      return Profile.eventUserId(ofProfile: profile)
    }
  }

  /// The input of the rule that decides whether a profile is asked for a rating now.
  package struct PromptInput: Hashable, Sendable {
    package var profile: String
    package var counters: RatingCounters
    package var threshold: Int
    package var maxPrompts: Int
  }

  /// The input of the same rule for every profile.
  package struct PromptAudience: Hashable, Sendable {
    /// A profile by the id of its events.
    package struct Member: Hashable, Sendable {
      package var userId: String
      package var counters: RatingCounters
    }

    package var members: [Member]
    /// A profile must have sent and received more messages than this.
    package var threshold: Int
    package var maxPrompts: Int
  }

  /// The ratings of the period and the one before it, oldest first.
  package var ratings: [Rating]
  /// All feedback of the workspace, newest first.
  package var feedback: [FeedbackEntry]
  /// Items of every kind by state.
  package var outbox: [OutboxItem.State: Int]
  /// The profile whose rating dialog the pages show as it is now; nil shows only examples.
  package var prompt: PromptInput?
  /// Visits to the App Store of the period, oldest first.
  package var visits: [RatingVisit] = []
  package var audience: PromptAudience = PromptAudience(members: [], threshold: 0, maxPrompts: 0)
  /// The rating dialog's events of the period and the one before it, oldest first.
  package var prompts: [RatingPromptEvent] = []
  /// Nil when no review was ever read.
  package var reviews: ReviewData?
  /// What texts are sorted by, in the order of the list.
  package var themes: [Theme] = []
  /// The ratings of the 74 days up to now that name their version, by version and day, oldest
  /// first.
  package var versionDays: [VersionDay] = []
  /// Who gave the ratings of the 74 days up to now, oldest first.
  package var raters: [Rater] = []
  /// When each version was rated first of all, oldest first.
  package var versionStarts: [VersionStart] = []
}

/// What the store knows of the App Store's reviews, for the ratings report.
package struct ReviewData: Sendable {
  /// Reviews of one version in one country.
  package struct Group: Hashable, Sendable {
    /// Two lower-case letters of ISO 3166-1.
    package var country: String
    /// Empty when the feed does not name it.
    package var version: String
    /// By stars: index 0 for one star.
    package var counts: [Int]
    /// The counts of the period and of the one before it, also by stars.
    package var periodCounts: [Int]
    package var previousCounts: [Int]
  }

  /// Ordered by country, then version.
  package var groups: [Group]
  /// Newest first, up to the requested number.
  package var newest: [AppReview]
  /// When the feeds were last read successfully.
  package var fetchedAt: Instant
}
