import FoundationEssentials
package import Model
package import Rules
package import Store

/// What became of a submitted rating.
package enum RatingAnswer: Hashable, Sendable {
  /// `outboxId` is the queued feedback; nil when there is none to deliver.
  case accepted(RatingOutcome, outboxId: Int64?)
  /// Nothing was stored; the verdict's `problem` says why.
  case refused(FeedbackRule.Verdict)
}

extension Session {
  /// Submits a rating: counters, event, rating row and queued feedback in one transaction.
  package func submitRating(
    _ stars: StarRating, feedback: String?, now: Instant
  ) throws -> RatingAnswer {
    try store.write { try submitRating(stars, feedback: feedback, now: now, in: $0) }
  }

  /// The same as a part of the caller's transaction.
  package func submitRating(
    _ stars: StarRating, feedback: String?, now: Instant, in writer: Writer
  ) throws -> RatingAnswer {
    let profile = try profile(in: writer)
    let submission = RatingRule.submit(
      stars, feedback: feedback, counters: profile.rating, appName: app.name)
    switch submission {
    case .refused(let verdict): return .refused(verdict)
    case .accepted(let outcome):
      let outboxId = try store(outcome, stars: stars, of: profile, now: now, in: writer)
      return .accepted(outcome, outboxId: outboxId)
    }
  }

  /// "Maybe later": counts the messages anew.
  package func rateLater() throws {
    try updateProfile { $0.rating = RatingRule.later($0.rating) }
  }

  /// Adds messages to the counters; `received` are those of others only.
  package func recordMessages(sent: Int64, received: Int64) throws {
    try updateProfile {
      $0.rating = RatingPromptRule.record(sent: sent, received: received, in: $0.rating)
    }
  }

  private func store(
    _ outcome: RatingOutcome, stars: StarRating, of profile: Profile, now: Instant,
    in writer: Writer
  ) throws -> Int64? {
    try updateProfile(in: writer) { $0.rating = outcome.counters }
    try append(
      outcome.eventKeys.map { ratingEvent($0, of: profile, now: now) }, of: profile, now: now,
      in: writer)
    let outboxId = try outcome.feedback.map { text in
      let feedback = feedback(text, stars: stars, of: profile, now: now)
      return try writer.enqueue(
        .feedback, profile: profileName, payload: try Self.payload(feedback), at: now)
    }
    try writer.record(
      RatingRecord(
        profile: profileName, userId: profile.userId ?? "", gender: profile.gender ?? "",
        country: profile.country ?? "", appVersion: profile.appVersion ?? "",
        stars: stars.rawValue, feedback: outcome.feedback, at: now,
        tries: profile.rating.tries, outboxId: outboxId))
    return outboxId
  }

  private func ratingEvent(_ key: String, of profile: Profile, now: Instant) -> Event {
    let prefix = app.platform
    return Event(
      name: RatingRule.eventName, at: now, userId: profile.userId ?? "",
      parameters: [
        key: .integer(1),
        "\(prefix)_session_id": .string(id),
        "\(prefix)_session_event_number": .integer(tally.nextEventNumber()),
      ], country: profile.country, appVersion: profile.appVersion)
  }

  private func feedback(
    _ text: String, stars: StarRating, of profile: Profile, now: Instant
  ) -> Feedback {
    Feedback(
      userId: profile.userId ?? "", gender: profile.gender ?? "",
      country: profile.country ?? "", appVersion: profile.appVersion ?? "", text: text,
      timestamp: now.unixSeconds, stars: stars.rawValue)
  }

  /// The feedback as the outbox keeps it: JSON with sorted keys.
  private static func payload(_ feedback: Feedback) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(feedback), as: UTF8.self)
  }
}
