import Feeds
import Model
import Store
import Workspace

/// The changes of one command to its profile.
///
/// They are based on the state when the command's transaction begins, made in memory, and stored as
/// a list of `StoreChange`, each row once.
struct SessionChanges {
  let session: ProfileSession
  let now: Instant
  let profile: Profile
  private(set) var states: [Feature: LimitState]
  /// When the open popup of a feature was shown.
  var popups: [Feature: Instant]
  /// In the order of the ledger.
  var events: [Event] = []

  private let reader: Reader
  private let stored: (states: [Feature: LimitState], popups: [Feature: Instant])
  private var pendingUses: [PendingUse]
  private var effects: [StoreChange] = []

  /// Reads the profile in the command's transaction; `creatingProfile` saves a missing profile.
  init(
    of session: ProfileSession, at now: Instant, in source: some Readable,
    creatingProfile: Bool = true
  ) throws {
    self.session = session
    self.now = now
    reader = source.reader
    let name = session.profileName
    let known = try reader.profile(named: name)
    profile = known ?? Profile(name: name)
    if known == nil, creatingProfile { effects.append(.profile(profile)) }
    stored = (try reader.limitStates(profile: name), try reader.popupsShownAt(profile: name))
    (states, popups) = stored
    pendingUses = try reader.pendingUses()
  }

  /// The profile's limits after the changes.
  var snapshot: LimitSnapshot {
    LimitSnapshot(
      profile: profile, states: states, settings: session.settings, appName: session.app.name,
      price: session.price)
  }

  /// All changes, in the order in which they are stored.
  func allEffects() throws -> [StoreChange] {
    let name = session.profileName
    var all = effects
    for feature in Feature.allCases {
      if let state = states[feature], state != stored.states[feature] {
        all.append(.limitState(state, profile: name, feature: feature))
      }
      if popups[feature] != stored.popups[feature] {
        all.append(.popup(shownAt: popups[feature], profile: name, feature: feature))
      }
    }
    return all
      + (try session.effects(of: events, by: profile, at: now, states: states, in: reader))
  }

  /// Gives back the uses of all profiles whose owner died.
  mutating func refundAbandonedUses() throws {
    for use in try pendingUses.filter({ try !session.isOwnerAlive($0.owner) }) {
      if use.profile == session.profileName {
        if let usage = states[use.feature]?.usage, usage > 0 { states[use.feature]?.usage -= 1 }
        effects.append(.endUse(id: use.id))
      } else {
        effects.append(.giveBack(use: use.id, profile: use.profile, feature: use.feature))
      }
      pendingUses.removeAll { $0.id == use.id }
    }
  }

  /// Changes the state of a feature.
  ///
  /// With `endsUses` the state is a fresh allowance: pending uses of the feature end uncounted.
  mutating func set(_ state: LimitState, of feature: Feature, endsUses: Bool = false) {
    states[feature] = state
    guard endsUses else { return }
    let ended = pendingUses.filter { $0.profile == session.profileName && $0.feature == feature }
    effects += ended.map { .endUse(id: $0.id) }
    pendingUses.removeAll { ended.contains($0) }
  }

  /// Applies the state of a decision, and adds its events.
  ///
  /// `acts` means that an allowed action follows at once, so that no popup stays open.
  mutating func record(
    _ result: LimitResult, acts: Bool, details: [String: EventValue]
  ) throws {
    set(result.newState, of: result.feature, endsUses: result.justReset)
    let told = session.events(for: profile, result.feature, details)
    let acts = acts && result.canProceed
    if acts { events += dismissal(byActionOf: result, told) }
    let isPerformed = result.events.contains(.performed)
    let results =
      try isPerformed ? session.results(of: result.feature, for: profile, in: reader) : [:]
    events += told.events(told.kindsOfCommand(result), of: result, at: now, results: results)
    popups[result.feature] = result.showPopup && !acts ? now : nil
  }

  /// Returns the dismissal of a popup that an earlier command opened, when its action is tapped
  /// now.
  ///
  /// It is empty without such a popup, or when the popup is older than the timeout of an app
  /// session.
  private func dismissal(byActionOf result: LimitResult, _ told: FeatureEvents) -> [Event] {
    guard let shownAt = popups[result.feature], now >= shownAt,
      now - shownAt < AppSessionRule.timeout
    else { return [] }
    return [told.dismissal(.action, of: result, shownAt: shownAt, at: now)]
  }
}

/// The ends of cooldowns; docs/limits.md#popup.
extension SessionChanges {
  /// The end of a cooldown, as a command found it.
  struct CooldownEnd {
    let at: Instant
    /// The fresh allowance.
    let result: LimitResult
    /// Whether an open popup showed the countdown until then.
    let closesPopup: Bool
    /// The parameters of popup events, as they were before the end.
    let values: [String: EventValue]
  }

  /// Records the end of an expired cooldown, at the time when it ended; returns false if none
  /// expired.
  ///
  /// An open popup with the countdown counts as closed by that end.
  @discardableResult
  mutating func expireCooldown(of feature: Feature) -> Bool {
    guard let end = endCooldown(of: feature) else { return false }
    if end.closesPopup, let shownAt = popups[feature], shownAt <= end.at {
      events.append(
        session.events(for: profile, feature).dismissal(
          .expired, of: end.result, shownAt: shownAt, at: end.at, end.values))
      popups[feature] = nil
    }
    events += events(of: end)
    return true
  }

  /// Starts a new allowance when the feature's cooldown is over; returns nil when none is over.
  mutating func endCooldown(of feature: Feature) -> CooldownEnd? {
    let state = states[feature] ?? .initial
    guard let limit = session.settings.limit(of: feature),
      let ended = LimitRule.ended(state, limit: limit, now: now)
    else { return nil }
    set(ended.state, of: feature, endsUses: true)
    let isAtLimit = state.usage >= limit.limit
    return CooldownEnd(
      at: ended.at,
      result: LimitRule.decide(
        LimitInput(
          feature: feature, state: ended.state, profile: profile, settings: session.settings,
          now: ended.at), action: .peek),
      closesPopup: isAtLimit,
      values: [
        "current_usage": .integer(Int64(state.usage)),
        "popup_trigger_reason": .string(isAtLimit ? "cooldown_active" : "available"),
      ])
  }

  func events(of end: CooldownEnd) -> [Event] {
    session.events(for: profile, end.result.feature).events(
      [.limitReset, .cooldownCompleted], of: end.result, at: end.at)
  }
}

/// The way in which a popup was closed; docs/events.md#events.
package enum DismissReason: String, CaseIterable, Sendable {
  case dismissed
  case action
  case subscribe
  /// Closed by the end of its countdown.
  case expired
}

/// The events about one feature of a profile; docs/events.md#events.
///
/// `ProfileSession.append` adds the parameters of the app session.
struct FeatureEvents {
  let platform: String
  let profile: Profile
  let price: String?
  /// Additional parameters of every event, by names without the platform.
  let details: [String: EventValue]

  /// One event for each kind, in order; `results` are additional parameters of `performed`.
  func events(
    _ kinds: [EventKind], of result: LimitResult, at time: Instant,
    results: [String: EventValue] = [:]
  ) -> [Event] {
    kinds.map { kind in
      event(kind, result, at: time, kind == .performed ? results : [:])
    }
  }

  /// The event of closing a popup that was shown at `shownAt`, nil if unknown.
  func dismissal(
    _ reason: DismissReason, of result: LimitResult, shownAt: Instant?, at time: Instant,
    _ more: [String: EventValue] = [:]
  ) -> Event {
    var values = more
    values["dismiss_reason"] = .string(reason.rawValue)
    values["popup_seconds"] = shownAt.map { .integer(max(0, (time - $0).components.seconds)) }
    return event(.popupDismissed, result, at: time, values)
  }

  /// The events of a command: the tap, those of the limit, and the price if the popup shows one.
  func kindsOfCommand(_ result: LimitResult) -> [EventKind] {
    var kinds: [EventKind] = [.buttonTapped]
    for kind in result.events {
      kinds.append(kind)
      if kind == .popupShown, price != nil { kinds.append(.pricingDisplayed) }
    }
    return kinds
  }

  /// Returns one event; the parameters in `more` override those of the result.
  func event(
    _ kind: EventKind, _ result: LimitResult, at time: Instant, _ more: [String: EventValue]
  ) -> Event {
    var values = details
    for own in [user(result, at: time), allowance(result, at: kind), more] {
      values.merge(own) { _, own in own }
    }
    values["conversion_funnel_step"] = .string(kind.funnelStep)
    if values["popup_trigger_reason"] == nil {
      values["popup_trigger_reason"] = triggerReason(of: kind, result).map(EventValue.string)
    }
    if [.popupShown, .pricingDisplayed, .subscriptionButtonTapped].contains(kind) {
      values["subscription_price_displayed"] = price.map(EventValue.string)
    }
    return profile.event(
      FeatureEventName(platform: platform, feature: result.feature, kind: kind).text, at: time,
      Dictionary(uniqueKeysWithValues: values.map { ("\(platform)_\($0.key)", $0.value) }))
  }

  private func user(_ result: LimitResult, at time: Instant) -> [String: EventValue] {
    var values: [String: EventValue] = [
      "platform": .string(platform),
      "timestamp": .integer(time.unixSeconds),
      "user_id": .string(profile.userId ?? ""),
      "user_type": .string(result.userType.rawValue),
      "subscription_status": .string(result.tier.rawValue),
      "is_anonymous": .integer(profile.userId == nil ? 1 : 0),
    ]
    values["app_version"] = profile.appVersion.map(EventValue.string)
    values["first_account_created_at"] = profile.accountCreatedAt.map(EventValue.init)
    return values
  }

  /// The allowance at the time of the event, not at the end of the command.
  private func allowance(
    _ result: LimitResult, at kind: EventKind
  ) -> [String: EventValue] {
    let usage =
      switch kind {
      case .performed: result.currentUsage
      case .limitReset, .cooldownCompleted: 0
      default: result.usageBefore
      }
    // A tap at the limit opens the popup that starts the cooldown: no cooldown ran at the tap.
    let startsWait = kind == .buttonTapped && result.events.contains(.blockedLimitReached)
    let remaining = startsWait ? .zero : result.remainingCooldown
    var values: [String: EventValue] = [
      "current_usage": .integer(Int64(usage)),
      "remaining_cooldown_seconds": .integer(remaining.wholeSecondsRoundedUp),
    ]
    values["usage_limit"] = result.limit.map { .integer(Int64($0.limit)) }
    return values
  }

  private func triggerReason(of kind: EventKind, _ result: LimitResult) -> String? {
    switch kind {
    case .popupShown, .popupDismissed, .pricingDisplayed, .subscriptionButtonTapped,
      .blockedLimitReached, .blockedCooldown:
      if result.canProceed { return "available" }
      let starts = result.events.contains(.blockedLimitReached)
      return starts || result.remainingCooldown == .zero ? "limit_reached" : "cooldown_active"
    default: return nil
    }
  }
}

extension Profile {
  /// Returns an event of this profile; the parameters have their full names.
  func event(
    _ name: String, at time: Instant, _ parameters: [String: EventValue]
  ) -> Event {
    Event(
      name: name, at: time, userId: eventUserId, parameters: parameters, country: country,
      appVersion: appVersion)
  }
}

extension EventValue {
  /// Unix seconds: an integer, or a double when the instant has a fraction.
  fileprivate init(_ instant: Instant) {
    let isWhole = instant == Instant(unixSeconds: instant.unixSeconds)
    self = isWhole ? .integer(instant.unixSeconds) : .double(instant.fractionalUnixSeconds)
  }
}

extension ProfileSession {
  /// Stores events in the profile's app session; see `effects(of:by:at:states:in:)`.
  func append(
    _ events: [Event], of profile: Profile, now: Instant, in writer: Writer
  ) throws {
    try writer.apply(try effects(of: events, by: profile, at: now, in: writer))
  }

  /// Returns the changes that store events in the profile's app session, and that queue them for
  /// Google Analytics if the workspace delivers events; see `docs/jobs.md#analytics`.
  ///
  /// Each event gets its session, its number in the session and the session's count of its feature.
  /// No event is later than `now`. `states` are the limits after the command; nil for the stored
  /// ones.
  func effects(
    of events: [Event], by profile: Profile, at now: Instant,
    states: [Feature: LimitState]? = nil, in source: some Readable
  ) throws -> [StoreChange] {
    guard !events.isEmpty else { return [] }
    // docs/running.md#times-in-the-future
    var sessions = try source.appSessions(profile: profileName)
      .filter { $0.lastEventAt.counts(at: now) }
    let events = events.map { inSession($0, &sessions) }
    // The end of a running cooldown, recorded late, belongs to a session that starts with the
    // cooldown. Features without a limit no longer have such an end.
    let cooldowns = try (states ?? source.limitStates(profile: profileName))
      .filter { settings.limit(of: $0.key) != nil }
    let start = cooldowns.values.compactMap(\.cooldownStartedAt).reduce(now, min)
    let open = AppSessionRule.open(sessions, from: start)
    return [
      .appSessions(open, profile: profileName), .events(events, source: Event.ownSource),
    ] + (deliversEvents ? try delivery(of: events, by: profile, at: now) : [])
  }

  private func inSession(_ event: Event, _ sessions: inout [AppSession]) -> Event {
    let name = FeatureEventName(event.name)
    let current = AppSessionRule.add(name, at: event.at, to: &sessions, newId: newSessionId)
    var event = event
    event.parameters["\(platform)_session_id"] = .string(current.id)
    event.parameters["\(platform)_session_event_number"] = .integer(current.eventCount)
    // The name of a feature's event already contains the platform.
    if name == nil { event.platform = platform }
    if let feature = name?.feature {
      event.parameters["\(platform)_session_\(feature.rawValue)_count"] = .integer(
        current.performedCounts[feature] ?? 0)
    }
    return event
  }

  /// One outbox item for all events of an instant.
  private func delivery(
    of events: [Event], by profile: Profile, at now: Instant
  ) throws -> [StoreChange] {
    try Dictionary(grouping: events, by: \.at).sorted { $0.key < $1.key }.compactMap {
      time, events in
      try MeasurementBody(events, userId: profile.userId, at: time).map {
        .outboxItem(.event, profile: profileName, payload: try StoredJSON.text(of: $0), at: now)
      }
    }
  }
}
