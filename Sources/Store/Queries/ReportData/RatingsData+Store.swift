package import Model

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
    func counts(_ id: String) -> Bool { userId.map(id.hasSameBytes(as:)) ?? true }
    var data = RatingsData(
      ratings: try ratings(from: context.previousStart, to: context.end).filter {
        counts($0.userId)
      },
      feedback: try feedbackEntries().filter { counts($0.writerId) },
      outbox: try outboxCounts(),
      prompt: RatingsData.PromptInput(
        profile: profile,
        counters: try self.profile(named: profile)?.rating ?? RatingCounters(),
        threshold: settings.value(.ratingThreshold) ?? 0,
        maxPrompts: settings.value(.ratingMaxPrompts) ?? 0),
      visits: try ratingVisits(from: context.start, to: context.end, of: userId),
      audience: RatingsData.PromptAudience(
        members: try profiles().map { .init(userId: $0.eventUserId, counters: $0.rating) }
          .filter { counts($0.userId) },
        threshold: settings.value(.ratingThreshold) ?? 0,
        maxPrompts: settings.value(.ratingMaxPrompts) ?? 0),
      prompts: try ratingPrompts(from: context.previousStart, to: context.end, of: userId),
      reviews: try reviewData(context, newest: newest))
    data.versionDays = try versionDays(
      from: context.now - .seconds(86_400 * Self.versionDayCount), to: context.now)
    data.versionStarts = try versionStarts(until: context.now)
    return data
  }
}
