import Foundation
package import Model
package import Store
package import Workspace

/// The actions of one profile during one command: Rules decide them, Store records them.
///
/// Each method that changes something is one write transaction, so that state, events and outbox
/// rows appear together or not at all. Methods throw `StoreError`.
package final class ProfileSession: Sendable {
  package let store: Store
  package let app: AppConfig
  package let profileName: String
  package let settings: Settings
  /// The price in popups unless the profile has its own; nil shows none.
  package let price: String?
  /// Whether events are also queued for Google Analytics.
  package let deliversEvents: Bool
  /// Makes the id of an app session that begins with an event of this command.
  let newSessionId: @Sendable () -> String
  /// Whether the owner of a pending use is still alive.
  let isOwnerAlive: @Sendable (_ owner: String) throws -> Bool

  /// `id` is evaluated once for each app session; a dead owner's pending use is given back.
  ///
  /// Without a price popups show none. Events may also be queued for Google Analytics.
  package init(
    store: Store, app: AppConfig, profileName: String = Profile.defaultName,
    settings: Settings, price: String? = nil, deliversEvents: Bool = false,
    id: @escaping @autoclosure @Sendable () -> String,
    isOwnerAlive: @escaping @Sendable (_ owner: String) throws -> Bool = { _ in true }
  ) {
    self.store = store
    self.app = app
    self.profileName = profileName
    self.settings = settings
    self.price = price
    self.deliversEvents = deliversEvents
    newSessionId = id
    self.isOwnerAlive = isOwnerAlive
  }

  /// Creates a session of a workspace's profile, with values from the configuration.
  package convenience init(
    of profile: String, in workspace: Workspace, _ config: WorkspaceConfig, store: Store,
    settings: Settings
  ) {
    self.init(
      store: store, app: config.app, profileName: profile, settings: settings,
      price: config.prices[.lite], deliversEvents: config.analytics != nil, id: UUID().uuidString,
      isOwnerAlive: { try UseOwner.isAlive($0, in: workspace) })
  }

  /// The profile inside the caller's transaction or snapshot, as stored or with its defaults.
  package func profile(in source: some Readable) throws -> Profile {
    try source.profile(named: profileName) ?? Profile(name: profileName)
  }

  func price(for profile: Profile) -> String? { profile.price ?? price }

  /// The prefix of event names and parameters.
  var platform: String { app.platform.rawValue }
}

extension ProfileSession {
  /// The profile's limits now; stores nothing.
  ///
  /// Pending uses of dead owners count as given back.
  package func limitSnapshot() throws -> LimitSnapshot {
    let abandoned = try abandonedUses()
    return try store.read { reader in
      var states = try reader.limitStates(profile: profileName)
      // A use that ended meanwhile is no longer pending: it was counted or given back.
      for use in try reader.pendingUses()
      where use.profile == profileName && abandoned.contains(use.id) {
        let usage = states[use.feature]?.usage ?? 0
        if usage > 0 { states[use.feature]?.usage = usage - 1 }
      }
      return LimitSnapshot(
        profile: try profile(in: reader), states: states, settings: settings, appName: app.name,
        price: price)
    }
  }

  /// Opens the feature's popup, which at the limit starts the cooldown.
  package func check(_ feature: Feature, now: Instant) throws -> LimitCheck {
    try decide(feature, .check, now: now, details: [:])
  }

  /// Uses a feature whose action takes no time and cannot fail.
  ///
  /// `details` are additional parameters of the events, by names without the platform.
  package func use(
    _ feature: Feature, now: Instant, details: [String: EventValue] = [:]
  ) throws -> LimitCheck {
    try decide(feature, .use, now: now, details: details)
  }

  /// Resets allowances manually, in one transaction, and returns the limits afterwards.
  ///
  /// Each feature gets one `limit_reset` event, even if its allowance was unused.
  @discardableResult
  package func reset(_ features: [Feature], now: Instant) throws -> [LimitCheck] {
    try store.write { writer in
      var changes = try SessionChanges(of: self, at: now, in: writer)
      for feature in features {
        changes.expireCooldown(of: feature)
        changes.set(.initial, of: feature, endsUses: true)
      }
      let checks = features.map { [snapshot = changes.snapshot] in snapshot.peek($0, now: now) }
      for check in checks {
        let told = events(
          for: changes.profile, check.result.feature, ["reset_reason": .string("manual")])
        changes.events += told.events([.limitReset], of: check.result, at: now)
      }
      try writer.apply(try changes.allEffects())
      return checks
    }
  }

  private func decide(
    _ feature: Feature, _ action: LimitAction, now: Instant, details: [String: EventValue]
  ) throws -> LimitCheck {
    try store.write { writer in
      var changes = try prepare(feature, now: now, in: writer)
      let result = LimitRule.decide(changes.snapshot.input(feature, now: now), action: action)
      try changes.record(result, acts: action == .use, details: details)
      try writer.apply(try changes.allEffects())
      return changes.snapshot.check(result)
    }
  }

  /// Refunds abandoned uses and ends an expired cooldown before a decision about the feature.
  func prepare(
    _ feature: Feature, now: Instant, in source: some Readable
  ) throws -> SessionChanges {
    var changes = try SessionChanges(of: self, at: now, in: source)
    try changes.refundAbandonedUses()
    changes.expireCooldown(of: feature)
    return changes
  }

  func events(
    for profile: Profile, _ feature: Feature, _ details: [String: EventValue] = [:]
  ) -> FeatureEvents {
    let criteria = feature == .filter ? profile.filter.eventDetails : [:]
    return FeatureEvents(
      platform: platform, profile: profile, price: price(for: profile),
      details: criteria.merging(details) { _, given in given })
  }

  /// The parameters of `performed` about the action's effect; docs/events.md#events.
  func results(
    of feature: Feature, for profile: Profile, in source: some Readable
  ) throws -> [String: EventValue] {
    guard feature == .filter else { return [:] }
    let found = try source.usersCount(
      matching: UsersQuery(profile.filter, nearCity: profile.city))
    return ["filter_result_count": .integer(Int64(found))]
  }
}

package struct LimitCheck: Hashable, Sendable {
  package var result: LimitResult
  /// Nil when no popup is shown.
  package var popup: Popup?
}

/// Everything that a profile's limits and rating prompt depend on, in one snapshot.
///
/// Its methods store nothing and emit nothing.
package struct LimitSnapshot: Sendable {
  package let profile: Profile
  package let settings: Settings
  /// A feature without a state was never used.
  private let states: [Feature: LimitState]
  private let appName: String
  private let price: String?

  /// The price is that of popups, unless the profile has its own; nil shows none.
  package init(
    profile: Profile, states: [Feature: LimitState] = [:], settings: Settings, appName: String,
    price: String?
  ) {
    self.profile = profile
    self.states = states
    self.settings = settings
    self.appName = appName
    self.price = profile.price ?? price
  }

  /// Returns what `check` would decide, and stores nothing.
  package func peek(_ feature: Feature, now: Instant) -> LimitCheck {
    check(LimitRule.decide(input(feature, now: now), action: .peek))
  }

  /// The open popup of a feature, which returns to the available state after the cooldown.
  ///
  /// Users whose uses are not counted have no open popup.
  package func openPopup(_ feature: Feature, now: Instant) -> LimitCheck {
    var check = peek(feature, now: now)
    guard check.result.countsUsage, let limit = check.result.limit else { return check }
    check.popup = Popup(
      feature: feature, limit: limit, usage: check.result.currentUsage,
      remainingCooldown: check.result.remainingCooldown, appName: appName, price: price)
    return check
  }

  /// The features with a limit in the settings, and those with a state from an earlier limit.
  package var touchedFeatures: [Feature] {
    Feature.allCases.filter {
      settings.limit(of: $0) != nil || states[$0, default: .initial] != .initial
    }
  }

  package var ratingPrompt: RatingPromptDecision { settings.ratingPrompt(profile.rating) }

  func input(_ feature: Feature, now: Instant) -> LimitInput {
    LimitInput(
      feature: feature, state: states[feature] ?? .initial, profile: profile, settings: settings,
      now: now)
  }

  func check(_ result: LimitResult) -> LimitCheck {
    LimitCheck(
      result: result, popup: Popup(after: result, appName: appName, price: price))
  }
}

/// A granted use whose action is running; it is reserved until `finishUse` or a refund.
package struct UseTicket: Hashable, Sendable {
  package let result: LimitResult
  /// The row of the reservation; nil for a use that is not counted.
  let pendingId: Int64?
  let details: [String: EventValue]

  package var feature: Feature { result.feature }
}

extension ProfileSession {
  /// Begins an action that takes time, reserving its use in the transaction that allows it.
  ///
  /// `owner` identifies the process, so that `refundAbandonedUses` can check that it is alive.
  ///
  /// - Returns: no ticket when the limit forbids the action.
  package func beginUse(
    _ feature: Feature, now: Instant, owner: String, details: [String: EventValue] = [:]
  ) throws -> (check: LimitCheck, ticket: UseTicket?) {
    try store.write { writer in
      var changes = try prepare(feature, now: now, in: writer)
      let result = LimitRule.decide(changes.snapshot.input(feature, now: now), action: .check)
      try changes.record(result, acts: true, details: details)
      let isReserved = result.canProceed && result.countsUsage
      // Counted before the action runs.
      if isReserved { changes.set(LimitRule.recordSuccess(of: result).newState, of: feature) }
      try writer.apply(try changes.allEffects())
      let check = changes.snapshot.check(result)
      guard result.canProceed else { return (check, nil) }
      let pendingId =
        try isReserved
        ? writer.beginPendingUse(profile: profileName, feature: feature, at: now, owner: owner)
        : nil
      return (check, UseTicket(result: result, pendingId: pendingId, details: details))
    }
  }

  /// Ends a granted use: records it as performed, or gives its reservation back.
  ///
  /// Returns false when the use was already finished or refunded.
  @discardableResult
  package func finishUse(_ ticket: UseTicket, succeeded: Bool, now: Instant) throws -> Bool {
    try store.write { writer in
      let isOpen =
        try ticket.pendingId.map { id in try writer.pendingUses().contains { $0.id == id } } ?? true
      try writer.apply(
        try effects(ofEnding: ticket, succeeded: succeeded, now: now, in: writer))
      return isOpen
    }
  }

  /// The end of a granted use, for the transaction that stores the action's effects.
  ///
  /// Store it once per ticket. A failed use gives nothing back when its allowance was reset
  /// meanwhile, or when the use was already finished or refunded.
  package func effects(
    ofEnding ticket: UseTicket, succeeded: Bool, now: Instant, in source: some Readable
  ) throws -> [StoreChange] {
    guard succeeded else {
      return ticket.pendingId.map {
        [.giveBack(use: $0, profile: profileName, feature: ticket.feature)]
      } ?? []
    }
    let profile = try profile(in: source)
    let performed = events(for: profile, ticket.feature, ticket.details).events(
      [.performed], of: LimitRule.recordSuccess(of: ticket.result), at: now,
      results: try results(of: ticket.feature, for: profile, in: source))
    return [ticket.pendingId.map { .endUse(id: $0) }].compactMap(\.self)
      + (try effects(of: performed, by: profile, at: now, in: source))
  }

  /// The ids of the pending uses of all profiles whose owner died; stores nothing.
  func abandonedUses() throws -> Set<Int64> {
    let uses = try store.read { try $0.pendingUses() }
    return Set(try uses.filter { try !isOwnerAlive($0.owner) }.map(\.id))
  }
}
