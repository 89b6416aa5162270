import GRDB
package import Model

extension Readable {
  /// The rating events from `start` (inclusive) to `end` (exclusive), oldest first; nil means all
  /// users, and all platforms.
  package func ratings(
    from start: Instant, to end: Instant, of userId: String? = nil, on platform: String? = nil
  ) throws -> [RatingsData.Rating] {
    let people = StringInterner()
    return try reader.rows(
      """
      SELECT at, stars, user_id, country, platform FROM events
      WHERE stars IS NOT NULL AND at >= ?1 AND at < ?2 AND (?3 IS NULL OR user_id = ?3)
        AND \(Event.isOfPlatform("?4"))
      ORDER BY at, id
      """, [start.microseconds, end.microseconds, userId, platform]
    ) { row in
      let id = row.wholeText(2)
      return RatingsData.Rating(
        at: Instant(microseconds: row[0]), person: id.isEmpty ? nil : people.number(of: id),
        stars: row[1], country: row[3], platform: row[4])
    }
  }

  /// The App Store's reviews from `start` (inclusive) to `end` (exclusive), oldest first; nobody is
  /// named.
  package func reviewRatings(from start: Instant, to end: Instant) throws -> [RatingsData.Rating] {
    try reader.rows(
      """
      SELECT updated_at, stars, country FROM app_store_reviews
      WHERE updated_at >= ? AND updated_at < ? ORDER BY updated_at, id
      """, [start.microseconds, end.microseconds]
    ) { row in
      RatingsData.Rating(
        at: Instant(microseconds: row[0]), person: nil, stars: row[1],
        country: StoreCountries.name(of: row[2]))
    }
  }

  /// The ratings from `start` (inclusive) to `end` (exclusive) that name their app version, by
  /// version and day of UTC, oldest first.
  package func versionDays(
    from start: Instant, to end: Instant, on platform: String? = nil
  ) throws -> [RatingsData.VersionDay] {
    var days: [RatingsData.VersionDay] = []
    try reader.forEachRow(
      """
      SELECT app_version, at / 86400000000 AS day, stars, COUNT(*) FROM events
      WHERE stars BETWEEN 1 AND 5 AND stars IS NOT NULL AND at >= ?1 AND at < ?2
        AND app_version IS NOT NULL AND app_version <> '' AND \(Event.isOfPlatform("?3"))
      GROUP BY day, app_version, stars ORDER BY day, app_version, stars
      """, [start.microseconds, end.microseconds, platform]
    ) { row in
      let version: String = row[0]
      let day = Instant(unixSeconds: row[1] * 86_400)
      if days.last?.version != version || days.last?.day != day {
        days.append(RatingsData.VersionDay(version: version, day: day, stars: [0, 0, 0, 0, 0]))
      }
      let stars: Int = row[2]
      days[days.count - 1].stars[stars - 1] = row[3]
    }
    return days
  }

  /// The first rating of each version that any rating before `end` (exclusive) names, oldest first.
  package func versionStarts(
    until end: Instant, on platform: String? = nil
  ) throws -> [RatingsData.VersionStart] {
    try reader.rows(
      """
      WITH named AS (
        SELECT app_version, at, ROW_NUMBER() OVER (ORDER BY at, id) - 1 AS earlier FROM events
        WHERE stars IS NOT NULL AND at < ?1 AND app_version <> ''
          AND \(Event.isOfPlatform("?2"))
      )
      SELECT app_version, MIN(at), MIN(earlier) FROM named
      GROUP BY app_version ORDER BY MIN(earlier)
      """, [end.microseconds, platform]
    ) { row in
      RatingsData.VersionStart(
        version: row[0], at: Instant(microseconds: row[1]), ratingsBefore: row[2])
    }
  }

  /// The events of the rating dialog from `start` (inclusive) to `end` (exclusive), oldest first;
  /// nil means all users, and all platforms.
  ///
  /// It reads one entry of the index `events_rating_prompts` for each event: its condition is in
  /// the query word by word.
  package func ratingPrompts(
    from start: Instant, to end: Instant, of userId: String? = nil, on platform: String? = nil
  ) throws -> [RatingPromptEvent] {
    try reader.rows(
      """
      \(Event.columns)
      WHERE feature IS NULL AND name GLOB 'rating_prompt_*' AND at >= ?1 AND at < ?2
        AND (?3 IS NULL OR user_id = ?3) AND \(Event.isOfPlatform("?4"))
      ORDER BY at, id
      """, [start.microseconds, end.microseconds, userId, platform]
    ) { RatingPromptEvent(try Event($0)) }.compactMap(\.self)
  }
}

extension Writer {
  /// Stores a profile's rating for the feedback list; call it in the transaction that queues its
  /// feedback.
  ///
  /// `outboxId` is the outbox item of the feedback; nil without feedback.
  package func recordRating(
    _ stars: Int, _ feedback: String?, of profile: Profile, at now: Instant, outboxId: Int64?
  ) throws {
    try insert(
      into: "ratings",
      [
        ("profile", profile.name), ("user_id", profile.userId ?? ""),
        ("gender", profile.gender ?? ""), ("country", profile.country ?? ""),
        ("app_version", profile.appVersion ?? ""), ("stars", stars), ("feedback", feedback),
        ("at", now.microseconds), ("tries", profile.rating.tries), ("outbox_id", outboxId),
      ])
  }
}
