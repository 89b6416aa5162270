import GRDB
package import Model

/// What the store knows of ratings and feedback, for the ratings report.
package struct RatingsData: Sendable {
  /// One rating, from the events of the app or of the tool's own commands, or the App Store's.
  package struct Rating: Hashable, Sendable {
    package var at: Instant
    /// The number of who gave it, in the order of their first ratings; nil for an unknown one.
    package var person: Int?
    /// 1 to 5.
    package var stars: Int
    package var country: String?
    /// Nil where the events do not say, and for the App Store's.
    package var platform: String?
  }

  /// The ratings of one app version on one day.
  package struct VersionDay: Hashable, Sendable {
    package var version: String
    /// The start of the day in UTC.
    package var day: Instant
    /// By stars: index 0 is one star.
    package var stars: [Int]
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
    /// The writer of an own text; nil for a foreign one.
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

    /// The writer's user id, or the profile of an own text without one; empty when neither is
    /// known.
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

  /// The ratings of the period and the one before it, oldest first.
  package var ratings: [Rating]
  /// All feedback of the workspace, newest first.
  package var feedback: [FeedbackEntry]
  /// Items of every kind by state.
  package var outbox: [OutboxItem.State: Int]
  /// The profile whose rating dialog the pages show as it is now; nil shows only examples.
  package var prompt: PromptInput?
  /// Nil when no review was ever read.
  package var reviews: ReviewData?
  /// What texts are sorted by, in the order of the list.
  package var themes: [Theme] = []
  /// The ratings of the 74 days up to now that name their version, by version and day, oldest
  /// first.
  package var versionDays: [VersionDay] = []
  /// The people behind the ratings of the 74 days up to now, oldest first.
  package var raters: [Rating] = []
  /// The App Store's reviews of the same days, oldest first, by when they were last changed.
  package var reviewers: [Rating] = []
  /// When each version was rated first of all, oldest first.
  package var versionStarts: [VersionStart] = []
}

/// What the store knows of the App Store's reviews, for the ratings report.
package struct ReviewData: Sendable {
  /// The reviews that are held, and the sum of their stars.
  package var count: Int
  package var stars: Int
  /// Newest first, up to the requested number.
  package var newest: [AppReview]
  /// When the feeds were last read successfully.
  package var fetchedAt: Instant
}

extension Readable {
  /// How far back app versions are compared: docs/findings.md#releases.
  private static var versionDayCount: Int { 74 }

  /// What the ratings report needs: ratings of the context's period and the one before it.
  ///
  /// The prompt is that of the profile, as it was saved or as it would begin, by the `settings`; at
  /// most `newest` reviews are named one by one. Of one user alone when an id is given; the outbox
  /// and the reviews are everybody's.
  package func ratingsData(
    _ context: ReportContext, settings: Settings, profile: String = Profile.defaultName,
    newest: Int,
    of userId: String? = nil
  ) throws -> RatingsData {
    let earliest = context.now - .seconds(86_400 * Self.versionDayCount)
    return RatingsData(
      ratings: try ratings(
        from: context.previousStart, to: context.end, of: userId, on: context.platform),
      feedback: try feedbackEntries().filter { entry in
        userId.map(entry.writerId.hasSameBytes(as:)) ?? true
      },
      outbox: try outboxCounts(),
      prompt: RatingsData.PromptInput(
        profile: profile,
        counters: try self.profile(named: profile)?.rating ?? RatingCounters(),
        threshold: settings.value(.ratingThreshold) ?? 0,
        maxPrompts: settings.value(.ratingMaxPrompts) ?? 0),
      reviews: try reviewData(newest: newest),
      versionDays: try versionDays(from: earliest, to: context.now, on: context.platform),
      raters: try ratings(from: earliest, to: context.now, on: context.platform),
      reviewers: try reviewRatings(from: earliest, to: context.now),
      versionStarts: try versionStarts(until: context.now, on: context.platform))
  }

  /// What the ratings report needs of the App Store's reviews; nil when none were ever read.
  package func reviewData(newest: Int) throws -> ReviewData? {
    guard let fetchedAt = try reviewsFetchedAt() else { return nil }
    return ReviewData(
      count: try reader.count("SELECT count(*) FROM app_store_reviews"),
      stars: try reader.count("SELECT ifnull(sum(stars), 0) FROM app_store_reviews"),
      newest: try reviews(limit: newest), fetchedAt: fetchedAt)
  }
}
