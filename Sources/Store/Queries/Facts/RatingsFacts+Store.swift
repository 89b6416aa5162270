package import Model

extension Readable {
  /// What the ratings report needs: ratings of the frame's period and the one before it.
  ///
  /// The prompt is that of the profile, as it was saved or as it would begin, by the `settings`.
  package func ratingsFacts(
    _ frame: ReportFrame, settings: Settings, profile: String = Profile.defaultName
  ) throws -> RatingsFacts {
    RatingsFacts(
      ratings: try ratings(from: frame.previousStart, to: frame.end),
      feedback: try feedbackEntries(),
      outbox: try outboxCounts(),
      prompt: RatingsFacts.Prompt(
        profile: profile,
        counters: try self.profile(named: profile)?.rating ?? RatingCounters(),
        threshold: settings.value(.ratingThreshold) ?? 0,
        maxPrompts: settings.value(.ratingMaxPrompts) ?? 0))
  }
}
