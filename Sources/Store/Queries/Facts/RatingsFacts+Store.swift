package import Model

extension Readable {
  /// What the ratings report needs: ratings of the frame's period and the one before it.
  ///
  /// The prompt is that of the profile, as it was saved or as it would begin, by the `settings`; at
  /// most `newest` reviews are named one by one. Of one user alone when an id is given; the outbox and
  /// the reviews are everybody's.
  package func ratingsFacts(
    _ frame: ReportFrame, settings: Settings, profile: String = Profile.defaultName, newest: Int,
    of userId: String? = nil
  ) throws -> RatingsFacts {
    func counts(_ id: String) -> Bool { userId.map(id.hasSameBytes(as:)) ?? true }
    return RatingsFacts(
      ratings: try ratings(from: frame.previousStart, to: frame.end).filter { counts($0.userId) },
      feedback: try feedbackEntries().filter { counts($0.feedback.userId) },
      outbox: try outboxCounts(),
      prompt: RatingsFacts.Prompt(
        profile: profile,
        counters: try self.profile(named: profile)?.rating ?? RatingCounters(),
        threshold: settings.value(.ratingThreshold) ?? 0,
        maxPrompts: settings.value(.ratingMaxPrompts) ?? 0),
      visits: try ratingVisits(from: frame.start, to: frame.end, of: userId),
      asking: RatingsFacts.Asking(
        counters: try profiles().map(\.rating), threshold: settings.value(.ratingThreshold) ?? 0,
        maxPrompts: settings.value(.ratingMaxPrompts) ?? 0),
      reviews: try reviewFacts(frame, newest: newest))
  }
}
