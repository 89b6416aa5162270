/// Whether a profile is asked for a rating; docs/ratings.md#ratings.
package enum RatingPromptRule {
  /// Asks a user who sent and received more than `threshold` messages, up to `maxPrompts` times.
  package static func decide(
    _ counters: RatingCounters, threshold: Int, maxPrompts: Int
  ) -> RatingPromptDecision {
    if maxPrompts == 0 { return .init(.switchedOff, "Rating prompts are switched off.") }
    if counters.sent < 0 || counters.received < 0 {
      return .init(.ratedHigh, "A rating of 4 or 5 stars was given: never asked again.")
    }
    if counters.tries >= maxPrompts {
      return .init(.triesUsedUp, "Low ratings so far: \(counters.tries) of at most \(maxPrompts).")
    }
    if counters.received <= threshold {
      return .init(
        .tooFewMessages, "\(counters.received) messages received, not more than \(threshold).")
    }
    if counters.sent <= threshold {
      return .init(.tooFewMessages, "\(counters.sent) messages sent, not more than \(threshold).")
    }
    return .init(
      .due,
      "\(counters.received) messages received and \(counters.sent) sent, "
        + "more than \(threshold) each; \(counters.tries) of \(maxPrompts) tries used.")
  }

  /// Whether an event of the dialog shows that its user met the conditions.
  ///
  /// An app whose events have no counters shows the dialog to users who met them, except the dialog
  /// of its settings. What it calls due is due.
  package static func wasDue(_ event: RatingPromptEvent) -> Bool {
    guard let counters = event.counters, let thresholds = event.thresholds else {
      return event.kind == .due || event.kind == .shown && !event.isFromSettings
    }
    return decide(
      counters, threshold: thresholds.messages, maxPrompts: thresholds.maxPrompts
    ).isDue
  }

  /// Adds messages; `received` counts those of others only.
  ///
  /// Sums saturate at 64 bits. A user who is never asked again stays below zero.
  package static func record(
    sent: Int64, received: Int64, in counters: RatingCounters
  ) -> RatingCounters {
    var counters = counters
    counters.sent = sum(counters.sent, sent)
    counters.received = sum(counters.received, received)
    return counters
  }

  private static func sum(_ count: Int64, _ added: Int64) -> Int64 {
    let sum = count.addingOrClamped(added)
    return count < 0 ? min(sum, -1) : sum
  }
}

/// Whether a rating prompt is due, or what prevents it.
package enum RatingPromptState: String, Hashable, Sendable {
  case due, tooFewMessages, triesUsedUp, ratedHigh, switchedOff
}

/// What `RatingPromptRule` decided, and why.
package struct RatingPromptDecision: Hashable, Sendable {
  package var state: RatingPromptState
  /// A sentence.
  package var reason: String

  package var isDue: Bool { state == .due }

  fileprivate init(_ state: RatingPromptState, _ reason: String) {
    self.state = state
    self.reason = reason
  }
}
