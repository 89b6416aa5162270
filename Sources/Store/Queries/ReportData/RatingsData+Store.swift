import GRDB
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
    let earliest = context.now - .seconds(86_400 * Self.versionDayCount)
    data.versionDays = try versionDays(from: earliest, to: context.now)
    data.raters = try raters(from: earliest, to: context.now)
    data.versionStarts = try versionStarts(until: context.now)
    return data
  }
}

extension Readable {
  private func raters(from start: Instant, to end: Instant) throws -> [RatingsData.Rater] {
    let rows = try Row.fetchCursor(
      reader.database,
      sql: """
        SELECT at, user_id FROM events WHERE stars IS NOT NULL AND at >= ? AND at < ? ORDER BY at
        """, arguments: [start.microseconds, end.microseconds])
    let people = StringInterner()
    var found: [RatingsData.Rater] = []
    while let row = try rows.next() {
      let id = row.wholeText(1)
      found.append(
        RatingsData.Rater(
          at: Instant(microseconds: row[0]), person: id.isEmpty ? nil : people.number(of: id)))
    }
    return found
  }

  /// What the ratings report needs of the App Store's reviews; nil when none were ever read.
  ///
  /// One pass over the reviews, which are few: Apple shows 500 a country.
  package func reviewData(_ context: ReportContext, newest: Int) throws -> ReviewData? {
    guard let fetchedAt = try reviewsFetchedAt() else { return nil }
    return ReviewData(
      groups: try reviewGroups(context), newest: try reviews(limit: newest), fetchedAt: fetchedAt)
  }

  private func reviewGroups(_ context: ReportContext) throws -> [ReviewData.Group] {
    let before =
      context.comparison.main?.previous ?? context.previousStart..<context.previousStart
    let rows = try Row.fetchCursor(
      reader.database,
      sql: """
        SELECT country, version, stars, count(*), sum(updated_at >= ?1 AND updated_at < ?2),
          sum(updated_at >= ?3 AND updated_at < ?4)
        FROM app_store_reviews GROUP BY country, version, stars ORDER BY country, version
        """,
      arguments: [
        context.start.microseconds, context.end.microseconds, before.lowerBound.microseconds,
        before.upperBound.microseconds,
      ])
    let none = [0, 0, 0, 0, 0]
    var groups: [ReviewData.Group] = []
    while let row = try rows.next() {
      let (country, version) = (row.wholeText(0), row.wholeText(1))
      if groups.last?.country != country || groups.last?.version != version {
        groups.append(
          ReviewData.Group(
            country: country, version: version, counts: none, periodCounts: none,
            previousCounts: none))
      }
      let (group, stars): (Int, Int) = (groups.count - 1, row[2])
      groups[group].counts[stars - 1] += row[3]
      groups[group].periodCounts[stars - 1] += row[4]
      groups[group].previousCounts[stars - 1] += row[5]
    }
    return groups
  }
}
