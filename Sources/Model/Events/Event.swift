/// One analytics event: a row of the table `events`.
package struct Event: Hashable, Codable, Sendable {
  /// The stored source of the events of this program's own commands; others came by import.
  package static let ownSource = "session"

  /// `{platform}_{feature}_{kind}`, or any other name that the app logs, such as `app_events`.
  package var name: String
  package var at: Instant
  /// `user_id`, else `user_pseudo_id`; empty when the export has no id.
  package var userId: String
  package var parameters: [String: EventValue]
  package var country: String?
  package var appVersion: String?
  /// `ios`, `android`, ...; nil where the name begins with it, and where nobody says.
  package var platform: String?

  package init(
    name: String, at: Instant, userId: String, parameters: [String: EventValue] = [:],
    country: String? = nil, appVersion: String? = nil, platform: String? = nil
  ) {
    self.name = name
    self.at = at
    self.userId = userId
    self.parameters = parameters
    self.country = country
    self.appVersion = appVersion
    self.platform = platform
  }
}

package enum EventValue: Hashable, Codable, Sendable {
  case string(String)
  case integer(Int64)
  case double(Double)

  /// The largest number that reports show: larger ones are no exact numbers in JSON or a drawing.
  package static let largestShown: UInt = 1_000_000_000_000_000

  /// A whole number that a report can show, also in digits; nil for others, such as the largest
  /// integer, by which apps say that there is no limit.
  package var wholeNumber: Int? {
    let number: Int? =
      switch self {
      case .integer(let number): Int(number)
      case .double(let number): Int(exactly: number)
      case .string(let text): Int(text)
      }
    return number.flatMap { $0.magnitude <= Self.largestShown ? $0 : nil }
  }
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

/// The segment of a user in limit decisions, as the analytics events name it.
package enum UserType: String, CaseIterable, Codable, Sendable {
  case liteSubscriber = "lite_subscriber"
  case newUser = "new_user"
  case freeUser = "free_user"

  /// The place in `allCases`, for arrays by user type.
  package var position: Int {
    switch self {
    case .liteSubscriber: 0
    case .newUser: 1
    case .freeUser: 2
    }
  }

  /// Without this, its name would be hashed.
  package func hash(into hasher: inout Hasher) { hasher.combine(position) }

  /// Whether a limit can block people of this type; nil when the event does not say.
  package static func canBeBlocked(_ type: UserType?) -> Bool {
    type != .liteSubscriber && type != .newUser
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
  /// An event that no session is near to begins one of its own. `sessions` are those of one
  /// profile, the earliest first.
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

/// Reads an event's parameters back from the text that `EventRowEncoder` wrote.
package struct ParameterText {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0

  /// The parameters; nil for a text that no version of the program wrote.
  package static func parameters(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) -> [String: EventValue]? {
    var text = ParameterText(bytes: bytes)
    return text.object()
  }

  /// The values of a platform's parameters, in the order of their names, which lack the platform;
  /// nil for a text that no version of the program wrote.
  package static func values(
    of names: [[UInt8]], _ platform: UnsafeRawBufferPointer,
    in bytes: UnsafeBufferPointer<UInt8>
  ) -> [EventValue?]? {
    var text = ParameterText(bytes: bytes)
    var values = [EventValue?](repeating: nil, count: names.count)
    guard text.take("{") else { return nil }
    if text.take("}") { return text.position == bytes.count ? values : nil }
    repeat {
      guard let key = text.quoted(), text.take(":") else { return nil }
      let place = names.firstIndex { name in
        key.count == platform.count + 1 + name.count && key.starts(with: platform)
          && key[key.startIndex + platform.count] == UInt8(ascii: "_")
          && key.suffix(name.count).elementsEqual(name)
      }
      if let place {
        guard let value = text.value() else { return nil }
        values[place] = value
      } else {
        guard text.skipValue() else { return nil }
      }
    } while text.take(",")
    return text.take("}") && text.position == bytes.count ? values : nil
  }

  /// The text between two quotes with its escapes undone.
  static func decoded(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    guard bytes.contains(UInt8(ascii: "\\")) else { return String(decoding: bytes, as: UTF8.self) }
    var text: [UInt8] = []
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let letter = rest.popFirst() else {
        text.append(byte)
        continue
      }
      guard letter == UInt8(ascii: "u") else {
        text.append(letter)
        continue
      }
      let digits = String(decoding: rest.prefix(4), as: UTF8.self)
      text.append(UInt8(digits, radix: 16) ?? 0)
      rest = rest.dropFirst(4)
    }
    return String(decoding: text, as: UTF8.self)
  }

  private init(bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  private mutating func object() -> [String: EventValue]? {
    var parameters: [String: EventValue] = [:]
    guard take("{") else { return nil }
    if take("}") { return position == bytes.count ? parameters : nil }
    repeat {
      guard let key = string(), take(":"), let value = value() else { return nil }
      parameters[key] = value
    } while take(",")
    return take("}") && position == bytes.count ? parameters : nil
  }

  /// Whether a value was next.
  private mutating func skipValue() -> Bool {
    if quoted() != nil { return true }
    let start = position
    skipNumber()
    return position > start
  }

  private mutating func skipNumber() {
    while position < bytes.count, bytes[position] != UInt8(ascii: ","),
      bytes[position] != UInt8(ascii: "}")
    { position += 1 }
  }

  private mutating func value() -> EventValue? {
    if let text = string() { return .string(text) }
    let start = position
    skipNumber()
    let digits = String(
      decoding: UnsafeBufferPointer(rebasing: bytes[start..<position]), as: UTF8.self)
    return Int64(digits).map { .integer($0) } ?? Double(digits).map { .double($0) }
  }

  /// The next text; nil, with nothing consumed, when no text is next.
  private mutating func string() -> String? {
    quoted().map { Self.decoded(UnsafeBufferPointer(rebasing: $0)) }
  }

  /// The bytes of the next text; nil, with nothing consumed, when no text is next.
  private mutating func quoted() -> Slice<UnsafeBufferPointer<UInt8>>? {
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { return nil }
    var end = position + 1
    while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
      end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard end < bytes.count else { return nil }
    defer { position = end + 1 }
    return bytes[position + 1..<end]
  }

  private mutating func take(_ byte: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: byte) else { return false }
    position += 1
    return true
  }
}
