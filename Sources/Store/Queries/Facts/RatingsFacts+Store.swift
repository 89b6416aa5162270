package import Model

extension Readable {
  /// What the ratings report needs: ratings of the frame's period and the one before it.
  ///
  /// The prompt is that of the profile, as it was saved or as it would begin, by the `settings`. Of
  /// one user alone when an id is given; the outbox is everybody's.
  package func ratingsFacts(
    _ frame: ReportFrame, settings: Settings, profile: String = Profile.defaultName,
    of userId: String? = nil
  ) throws -> RatingsFacts {
    func counts(_ id: String) -> Bool { userId == nil || id == userId }
    return RatingsFacts(
      ratings: try ratings(from: frame.previousStart, to: frame.end).filter { counts($0.userId) },
      feedback: try feedbackEntries().filter { counts($0.feedback.userId) },
      outbox: try outboxCounts(),
      prompt: RatingsFacts.Prompt(
        profile: profile,
        counters: try self.profile(named: profile)?.rating ?? RatingCounters(),
        threshold: settings.value(.ratingThreshold) ?? 0,
        maxPrompts: settings.value(.ratingMaxPrompts) ?? 0))
  }
}
