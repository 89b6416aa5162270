/// What became of attempts: the sums of the usage report, docs/reports.md#usage.
package struct UsageTotals: Hashable, Sendable {
  package var taps = 0
  /// Taps of people whom a limit can block, and how many of them it blocked.
  package var freeTaps = 0
  package var freeBlocked = 0
  package var popups = 0
  package var dismissed = 0
  package var performed = 0
  package var blocked = 0
  package var bypassed = 0
  package var subscriptionTaps = 0

  package init() {}

  /// Ignores kinds of event that the report does not show.
  package mutating func add(_ kind: EventKind, _ count: Int, by userType: UserType? = nil) {
    let canBeBlocked = UserType.canBeBlocked(userType)
    switch kind {
    case .buttonTapped:
      taps += count
      if canBeBlocked { freeTaps += count }
    case .popupShown: popups += count
    case .popupDismissed: dismissed += count
    case .performed: performed += count
    case .blockedLimitReached, .blockedCooldown:
      blocked += count
      if canBeBlocked { freeBlocked += count }
    case .newUserBypass, .liteSubscriberBypass: bypassed += count
    case .subscriptionButtonTapped: subscriptionTaps += count
    case .pricingDisplayed, .limitReset, .cooldownCompleted, .clockSkew: break
    }
  }

  package var isEmpty: Bool { self == UsageTotals() }
}
