import Model
import Store

/// What one command changes of its profile.
///
/// It is read when the command's transaction begins, changed in memory, and stored as effects, each
/// row once.
struct SessionChanges {
  let session: Session
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
  private var effects: [Effect] = []

  /// - Parameters:
  ///   - session: whose profile it is.
  ///   - now: the time of the command.
  ///   - source: the command's transaction.
  ///   - creatingProfile: whether a profile that was never saved is saved.
  /// - Throws: `StoreError`.
  init(
    of session: Session, at now: Instant, in source: some Readable, creatingProfile: Bool = true
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
  func allEffects() throws -> [Effect] {
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

  /// Begins a fresh allowance or counts a use; an allowance that begins ends what the old one counted.
  mutating func set(_ state: LimitState, of feature: Feature, endsUses: Bool = false) {
    states[feature] = state
    guard endsUses else { return }
    let ended = pendingUses.filter { $0.profile == session.profileName && $0.feature == feature }
    effects += ended.map { .endUse(id: $0.id) }
    pendingUses.removeAll { ended.contains($0) }
  }

  /// Takes over the state of a decision, and tells of it.
  ///
  /// `acts` says that an allowed action follows at once, so that no popup stays open.
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

  /// The dismissal of a popup that an earlier command opened and whose action is tapped now.
  ///
  /// Empty without such a popup, or when it is older than the timeout of an app session.
  private func dismissal(byActionOf result: LimitResult, _ told: FeatureEvents) -> [Event] {
    guard let shownAt = popups[result.feature], now >= shownAt,
      now - shownAt < AppSessionRule.timeout
    else { return [] }
    return [told.dismissal(.action, of: result, shownAt: shownAt, at: now)]
  }
}

/// Ends of cooldowns; docs/limits.md#popup.
extension SessionChanges {
  /// The end of a cooldown, which a command has found.
  struct CooldownEnd {
    let at: Instant
    /// The fresh allowance.
    let result: LimitResult
    /// Whether the popup counted down until then.
    let closesPopup: Bool
    /// What events about the popup say of the moment before.
    let values: [String: EventValue]
  }

  /// Tells of the end of an expired cooldown, at the time when it ended; false when none expired.
  ///
  /// An open popup with the countdown counts as closed by its end.
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

  /// Gives the fresh allowance of an expired cooldown back; nil when none expired.
  mutating func endCooldown(of feature: Feature) -> CooldownEnd? {
    let state = states[feature] ?? .initial
    guard let limit = session.settings.limit(of: feature),
      let ended = LimitRule.ended(state, limit: limit, now: now)
    else { return nil }
    set(ended.state, of: feature, endsUses: true)
    let isAtLimit = state.usage >= limit.limit
    return CooldownEnd(
      at: ended.at,
      result: LimitRule.peek(
        LimitInput(
          feature: feature, state: ended.state, profile: profile, settings: session.settings,
          now: ended.at)),
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
