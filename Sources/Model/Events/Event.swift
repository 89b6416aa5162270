/// One analytics event: a row of the table `events`.
package struct Event: Hashable, Codable, Sendable {
  /// The stored source of the events of this program's own commands; others came by import.
  package static let ownSource = "session"

  /// `{platform}_{feature}_{kind}`, or any other name that the app logs, such as `app_events`.
  package var name: String
  package var at: Instant
  /// `user_id`, else `user_pseudo_id`; empty when the export has neither.
  package var userId: String
  package var parameters: [String: EventValue]
  package var country: String?
  package var appVersion: String?

  package init(
    name: String, at: Instant, userId: String, parameters: [String: EventValue] = [:],
    country: String? = nil, appVersion: String? = nil
  ) {
    self.name = name
    self.at = at
    self.userId = userId
    self.parameters = parameters
    self.country = country
    self.appVersion = appVersion
  }
}

package enum EventValue: Hashable, Codable, Sendable {
  case string(String)
  case integer(Int64)
  case double(Double)
}

/// What happened with a limited feature: the last part of an event's name.
package enum EventKind: String, CaseIterable, Codable, Sendable {
  case buttonTapped = "button_tapped"
  case popupShown = "popup_shown"
  case popupDismissed = "popup_dismissed"
  case performed
  case blockedLimitReached = "blocked_limit_reached"
  case blockedCooldown = "blocked_cooldown"
  case subscriptionButtonTapped = "subscription_button_tapped"
  case pricingDisplayed = "pricing_displayed"
  case newUserBypass = "new_user_bypass"
  case liteSubscriberBypass = "lite_subscriber_bypass"
  case limitReset = "limit_reset"
  case cooldownCompleted = "cooldown_completed"
  case clockSkew = "clock_skew"

  /// Whether the limit or its cooldown blocked the attempt.
  package var isBlocked: Bool { self == .blockedLimitReached || self == .blockedCooldown }
}

/// The parts of an event name: `ios_refresh_popup_shown` is `ios`, `refresh` and `popupShown`.
package struct FeatureEventName: Hashable, Sendable {
  package var platform: String
  package var feature: Feature
  package var kind: EventKind

  package init(platform: String, feature: Feature, kind: EventKind) {
    self.platform = platform
    self.feature = feature
    self.kind = kind
  }

  /// Nil for a name without a limited feature.
  package init?(_ name: String) {
    let parts = name.utf8.split(
      separator: UInt8(ascii: "_"), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty,
      let feature = Feature(rawValue: String(Substring(parts[1]))),
      let kind = EventKind(rawValue: String(Substring(parts[2])))
    else { return nil }
    self.init(platform: String(Substring(parts[0])), feature: feature, kind: kind)
  }

  package var text: String { "\(platform)_\(feature.rawValue)_\(kind.rawValue)" }
}

extension EventKind {
  /// The event's step on the way to a subscription; docs/events.md#events.
  package var funnelStep: String {
    switch self {
    case .buttonTapped, .clockSkew: "button_tapped"
    case .newUserBypass, .liteSubscriberBypass: "bypassed"
    case .popupShown: "popup_shown"
    case .pricingDisplayed: "pricing_displayed"
    case .subscriptionButtonTapped: "subscription_tapped"
    case .popupDismissed: "popup_dismissed"
    case .blockedLimitReached, .blockedCooldown: "blocked"
    case .performed: "performed"
    case .limitReset, .cooldownCompleted: "allowance_restored"
    }
  }
}

/// One visit of a profile, which groups its events; docs/events.md#sessions.
package struct AppSession: Hashable, Sendable {
  package var id: String
  package var startedAt: Instant
  package var lastEventAt: Instant
  /// The number of its last event.
  package var eventCount: Int64
  /// How often each feature was performed; a missing feature never.
  package var performedCounts: [Feature: Int64]

  package init(
    id: String, startedAt: Instant, lastEventAt: Instant, eventCount: Int64 = 0,
    performedCounts: [Feature: Int64] = [:]
  ) {
    self.id = id
    self.startedAt = startedAt
    self.lastEventAt = lastEventAt
    self.eventCount = eventCount
    self.performedCounts = performedCounts
  }
}

/// Which session an event belongs to; docs/events.md#sessions.
package enum AppSessionRule {
  /// A session ends after this time without an event; docs/events.md#sessions.
  package static let timeout: Duration = .seconds(1_800)

  /// Adds an event to the first session that its time lies in, or less than the timeout from.
  ///
  /// An event that no session is near to begins one of its own. `sessions` are those of one profile,
  /// the earliest first.
  ///
  /// Returns the session with the event.
  package static func add(
    _ kind: FeatureEventName?, at time: Instant, to sessions: inout [AppSession],
    newId: () -> String
  ) -> AppSession {
    var session = AppSession(id: "", startedAt: time, lastEventAt: time)
    let index = sessions.firstIndex { isNear($0, to: time) }
    if let index { session = sessions[index] } else { session.id = newId() }
    session.startedAt = min(session.startedAt, time)
    session.lastEventAt = max(session.lastEventAt, time)
    session.eventCount += 1
    if let kind, kind.kind == .performed {
      session.performedCounts[kind.feature, default: 0] += 1
    }
    if let index { sessions[index] = session } else { sessions.append(session) }
    return session
  }

  /// The sessions that an event from `start` on may still belong to.
  package static func open(_ sessions: [AppSession], from start: Instant) -> [AppSession] {
    sessions.filter { start - $0.lastEventAt < timeout }
  }

  private static func isNear(_ session: AppSession, to time: Instant) -> Bool {
    time - session.lastEventAt < timeout && session.startedAt - time < timeout
  }
}
