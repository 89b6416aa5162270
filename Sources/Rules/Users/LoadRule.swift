package import Model

/// Whether loading the users needs the network; docs/rules.md#staleness.
package enum LoadRule {
  /// How far ahead of `now` a refresh time may lie, inclusive; docs/rules.md#staleness.
  package static let toleratedLead = Duration.seconds(300)

  /// Why a load happens, or does not.
  ///
  /// `lastRefreshedAt` nil means never, or reset by `filter clear`. A copy is stale only when it is
  /// older than `stalenessSeconds`, not when it is exactly as old.
  package static func decide(
    rowCount: Int, lastRefreshedAt: Instant?, stalenessSeconds: Int, now: Instant,
    isForced: Bool = false
  ) -> LoadDecision {
    if isForced { return LoadDecision(trigger: .forced, reason: "A load was forced.") }
    guard rowCount > 0 else {
      return LoadDecision(trigger: .firstLoad, reason: "There are no users yet.")
    }
    guard let lastRefreshedAt else {
      return LoadDecision(trigger: .stale, reason: "The users' refresh time is not known.")
    }
    let age = now - lastRefreshedAt
    guard age >= .zero - toleratedLead else {
      return LoadDecision(
        trigger: .stale,
        reason: "The users' refresh time lies in the future: the clock was wrong then, or is now.")
    }
    let isStale = age > .seconds(stalenessSeconds)
    let comparison = isStale ? "more than" : "not more than"
    return LoadDecision(
      trigger: isStale ? .stale : .fresh,
      reason:
        "The users were refreshed \(age.secondsText) ago, \(comparison) \(stalenessSeconds) s.")
  }
}

/// What `LoadRule` decided, and why.
package struct LoadDecision: Hashable, Sendable {
  package var trigger: Run.Trigger
  /// A sentence.
  package var reason: String

  /// Nothing is requested while the copy is fresh.
  package var needsRequest: Bool { trigger != .fresh }
  /// Only a stale copy forgets the saved filter, as the app does.
  package var clearsFilter: Bool { trigger == .stale }
}
