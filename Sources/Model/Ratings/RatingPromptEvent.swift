/// One event of the rating dialog; see `docs/ratings.md#rating-events`.
package struct RatingPromptEvent: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    /// The conditions are met, whether the dialog follows or not.
    case due = "rating_prompt_due"
    case shown = "rating_prompt_shown"
    case later = "rating_prompt_later"
    case stars = "rating_prompt_stars"
    case feedback = "rating_prompt_feedback"
    case store = "rating_prompt_store"
  }

  /// The settings that decided whether the prompt was due.
  package struct Thresholds: Hashable, Sendable {
    /// A user needs more messages than this, sent and received each.
    package var messages: Int
    /// The most low ratings of a user.
    package var maxPrompts: Int
  }

  package var at: Instant
  package var kind: Kind
  package var userId: String
  package var appVersion: String?
  /// Nil when the event names none.
  package var platform: String?
  /// 1 to 5; nil when the event has none.
  package var stars: Int?
  /// Nil unless the event has both.
  package var thresholds: Thresholds?
  /// Those before the event; nil unless it has all.
  package var counters: RatingCounters?
  /// Whether the dialog was opened from the app's settings, due or not.
  package var isFromSettings: Bool = false
}

extension RatingPromptEvent {
  /// The parameters that reports read, by names without the platform.
  package enum Parameter: String, CaseIterable, Sendable {
    case threshold = "rating_threshold"
    case maxPrompts = "rating_max_prompts"
    case stars = "rating_stars"
    case sent = "rating_sent"
    case received = "rating_received"
    case tries = "rating_tries"
    case trigger = "rating_trigger"
  }

  /// What opened the dialog, as the value of `trigger`.
  package enum Trigger: String, Sendable {
    case due, settings
  }

  /// Nil for an event of another name; the platform of its parameters may be any.
  package init?(_ event: Event) {
    guard let kind = Kind(rawValue: event.name) else { return nil }
    func value(_ parameter: Parameter) -> EventValue? {
      event.parameters.first { key, _ in
        key == parameter.rawValue || key.hasSuffix("_\(parameter.rawValue)")
      }?.value
    }
    func number(_ parameter: Parameter) -> Int? {
      guard let value = value(parameter), case .integer = value else { return nil }
      return value.wholeNumber
    }
    let thresholds = number(.threshold).flatMap { messages in
      number(.maxPrompts).map { Thresholds(messages: messages, maxPrompts: $0) }
    }
    var counters: RatingCounters?
    if let sent = number(.sent), let received = number(.received), let tries = number(.tries) {
      counters = RatingCounters(sent: Int64(sent), received: Int64(received), tries: Int64(tries))
    }
    self.init(
      at: event.at, kind: kind, userId: event.userId, appVersion: event.appVersion,
      platform: event.platform, stars: number(.stars).flatMap { (1...5).contains($0) ? $0 : nil },
      thresholds: thresholds,
      counters: counters,
      isFromSettings: value(.trigger) == .string(Trigger.settings.rawValue))
  }
}

extension RatingPromptEvent {
  /// A rating dialog with its answer, or an answer to no dialog.
  package struct Dialog: Hashable, Sendable {
    /// When the dialog was shown; when the answer came if none was.
    package var at: Instant
    package var userId: String
    package var appVersion: String?
    package var platform: String?
    package var thresholds: Thresholds?
    package var wasShown: Bool
    package var wasPutOff = false
    package var stars: Int?
    /// Whether feedback or the App Store followed the stars.
    package var wasFollowed = false

    fileprivate init(_ event: RatingPromptEvent) {
      at = event.at
      userId = event.userId
      appVersion = event.appVersion
      platform = event.platform
      thresholds = event.thresholds
      wasShown = event.kind == .shown
    }
  }

  /// The dialogs of events, oldest first: each answer belongs to the last dialog that its user saw
  /// and had not answered.
  package static func dialogs(_ events: [RatingPromptEvent]) -> [Dialog] {
    var dialogs: [Dialog] = []
    var open: [String: [Int]] = [:]
    var rated: [String: Int] = [:]
    for event in events {
      switch event.kind {
      case .shown:
        open[event.userId, default: []].append(dialogs.count)
        dialogs.append(Dialog(event))
      case .later:
        if let index = open[event.userId]?.popLast() { dialogs[index].wasPutOff = true }
      case .stars:
        let index = open[event.userId]?.popLast() ?? dialogs.count
        if index == dialogs.count { dialogs.append(Dialog(event)) }
        dialogs[index].stars = event.stars
        rated[event.userId] = index
      case .due: break
      case .feedback, .store:
        if let index = rated.removeValue(forKey: event.userId) { dialogs[index].wasFollowed = true }
      }
    }
    return dialogs
  }
}
