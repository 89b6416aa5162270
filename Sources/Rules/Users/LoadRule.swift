package import Model

/// Whether loading the users needs the network; docs/loads.md#staleness.
package enum LoadRule {
  /// How far ahead of `now` a refresh time may lie, inclusive; docs/loads.md#staleness.
  package static let toleratedLead = Duration.seconds(300)

  /// Decides whether to load, and why.
  ///
  /// A nil `lastRefreshedAt` means never, or reset by `filter clear`. `wasEmptied` means that there
  /// are no users although the last load left some. A copy is stale when it is older than
  /// `stalenessSeconds`, not when it is exactly as old.
  package static func decide(
    wasEmptied: Bool, lastRefreshedAt: Instant?, stalenessSeconds: Int, now: Instant,
    isForced: Bool = false
  ) -> LoadDecision {
    if isForced { return LoadDecision(trigger: .forced, reason: "A load was forced.") }
    guard let lastRefreshedAt else {
      return LoadDecision(
        trigger: .firstLoad,
        reason: wasEmptied
          ? "There are no users yet." : "The users were never loaded, or the filter was cleared.")
    }
    guard !wasEmptied else {
      return LoadDecision(
        trigger: .firstLoad, reason: "All users were removed since the last load.")
    }
    let age = now - lastRefreshedAt
    guard age >= .zero - toleratedLead else {
      return LoadDecision(
        trigger: .stale,
        reason: "The users' refresh time is in the future: the clock was or is wrong.")
    }
    let isStale = age > .seconds(stalenessSeconds)
    let comparison = isStale ? "more than" : "not more than"
    return LoadDecision(
      trigger: isStale ? .stale : .fresh,
      reason:
        "The users were refreshed \(age.secondsText) ago, \(comparison) \(stalenessSeconds) s.")
  }
}

/// Whether to load the users, and why.
package struct LoadDecision: Hashable, Sendable {
  package var trigger: Run.Trigger
  /// A sentence.
  package var reason: String

  package var needsRequest: Bool { trigger != .fresh }
  /// Whether the load clears the saved filter, as the app does with a stale copy.
  package var clearsFilter: Bool { trigger == .stale }
}
