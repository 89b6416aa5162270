package import Model
import Store
import Workspace

package enum RatingResult: Hashable, Sendable {
  /// `outboxId` is the queued feedback; nil without feedback.
  case accepted(RatingOutcome, outboxId: Int64?)
  /// Nothing was stored; a sentence says why.
  case refused(String)
  /// Nothing was stored: a high rating takes no feedback.
  case unwantedFeedback
}

extension ProfileSession {
  /// Submits a rating: counters, event, rating row and queued feedback in one transaction.
  package func submitRating(
    _ stars: StarRating, feedback: String?, now: Instant
  ) throws -> RatingResult {
    try store.write { try submitRating(stars, feedback: feedback, now: now, in: $0) }
  }

  func submitRating(
    _ stars: StarRating, feedback: String?, now: Instant, in writer: Writer
  ) throws -> RatingResult {
    let profile = try profile(in: writer)
    let submission = RatingRule.submit(
      stars, feedback: feedback, counters: profile.rating, appName: app.keyName)
    switch submission {
    case .refused(let problem): return .refused(problem)
    case .unwantedFeedback: return .unwantedFeedback
    case .accepted(let outcome):
      let outboxId = try store(outcome, stars: stars, of: profile, now: now, in: writer)
      return .accepted(outcome, outboxId: outboxId)
    }
  }

  /// Records that the rating dialog is shown, due or not, and returns whether it was due.
  ///
  /// Stores only the event, from which the show rate is counted.
  package func showRatingPrompt(now: Instant) throws -> RatingPromptDecision {
    try store.write { writer in
      let stored = try SessionChanges(of: self, at: now, in: writer, creatingProfile: false)
        .snapshot
      let (profile, decision) = (stored.profile, stored.ratingPrompt)
      let trigger: RatingPromptEvent.Trigger = decision.isDue ? .due : .settings
      let event = promptEvent(
        .shown, of: profile, now: now, [.trigger: .string(trigger.rawValue)])
      try append([event], of: profile, now: now, in: writer)
      return decision
    }
  }

  /// Records the choice "Maybe later", which resets the message counters.
  package func rateLater(now: Instant) throws {
    try store.write { writer in
      let profile = try profile(in: writer)
      try updateProfile(in: writer) { $0.rating = RatingRule.later($0.rating) }
      try append([promptEvent(.later, of: profile, now: now)], of: profile, now: now, in: writer)
    }
  }

  /// Adds messages to the counters.
  ///
  /// If the conditions for the dialog become true, an event is recorded in the same transaction:
  /// docs/ratings.md#rating-events.
  package func recordMessages(sent: Int64, received: Int64, now: Instant) throws {
    try store.write { writer in
      let before = try profile(in: writer).rating
      let profile = try updateProfile(in: writer) {
        $0.rating = RatingPromptRule.record(sent: sent, received: received, in: $0.rating)
      }
      guard !settings.ratingPrompt(before).isDue, settings.ratingPrompt(profile.rating).isDue
      else { return }
      try append([promptEvent(.due, of: profile, now: now)], of: profile, now: now, in: writer)
    }
  }

  private func store(
    _ outcome: RatingOutcome, stars: StarRating, of profile: Profile, now: Instant,
    in writer: Writer
  ) throws -> Int64? {
    try updateProfile(in: writer) { $0.rating = outcome.counters }
    let details: [RatingPromptEvent.Parameter: EventValue] = [
      .stars: .integer(Int64(stars.rawValue))
    ]
    let events =
      [promptEvent(.stars, of: profile, now: now, details)]
      + outcome.eventKeys.map { profile.event(RatingRule.eventName, at: now, [$0: .integer(1)]) }
      + [promptEvent(outcome.opensStore ? .store : .feedback, of: profile, now: now, details)]
    try append(events, of: profile, now: now, in: writer)
    let outboxId = try outcome.feedback.map { text in
      let feedback = feedback(text, stars: stars, of: profile, now: now)
      return try writer.enqueue(
        .feedback, profile: profileName, payload: try StoredJSON.text(of: feedback), at: now)
    }
    try writer.recordRating(
      stars.rawValue, outcome.feedback, of: profile, at: now, outboxId: outboxId)
    return outboxId
  }

  /// An event of the dialog, with the counters and settings before the event.
  private func promptEvent(
    _ kind: RatingPromptEvent.Kind, of profile: Profile, now: Instant,
    _ details: [RatingPromptEvent.Parameter: EventValue] = [:]
  ) -> Event {
    func integer(_ setting: SettingKey) -> EventValue {
      .integer(Int64(settings.value(setting) ?? 0))
    }
    let values: [RatingPromptEvent.Parameter: EventValue] = [
      .threshold: integer(.ratingThreshold), .maxPrompts: integer(.ratingMaxPrompts),
      .sent: .integer(profile.rating.sent), .received: .integer(profile.rating.received),
      .tries: .integer(profile.rating.tries),
    ]
    return profile.event(
      kind.rawValue, at: now, parameters(values.merging(details) { _, given in given }))
  }

  private func feedback(
    _ text: String, stars: StarRating, of profile: Profile, now: Instant
  ) -> Feedback {
    Feedback(
      userId: profile.userId ?? "", gender: profile.gender ?? "",
      country: profile.country ?? "", appVersion: profile.appVersion ?? "", text: text,
      timestamp: now.unixSeconds, stars: stars.rawValue)
  }
}

extension Settings {
  func ratingPrompt(_ counters: RatingCounters) -> RatingPromptDecision {
    RatingPromptRule.decide(
      counters, threshold: value(.ratingThreshold) ?? 0, maxPrompts: value(.ratingMaxPrompts) ?? 0)
  }
}
