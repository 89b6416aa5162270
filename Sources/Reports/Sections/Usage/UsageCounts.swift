import Model

/// What happened to attempts, in the six numbers of the usage report: docs/reports.md#usage.
struct UsageCounts: Hashable, Sendable {
  var taps = 0
  var popups = 0
  var performed = 0
  var blocked = 0
  var bypassed = 0
  var subscriptionTaps = 0

  /// Counts the kinds that the report speaks of, and leaves the others.
  mutating func add(_ kind: EventKind, _ count: Int) {
    switch kind {
    case .buttonTapped: taps += count
    case .popupShown: popups += count
    case .performed: performed += count
    case .blockedLimitReached, .blockedCooldown: blocked += count
    case .newUserBypass, .liteSubscriberBypass: bypassed += count
    case .subscriptionButtonTapped: subscriptionTaps += count
    case .popupDismissed, .pricingDisplayed, .limitReset, .cooldownCompleted, .clockSkew: break
    }
  }

  var isEmpty: Bool { self == UsageCounts() }

  static let columns = [
    Table.Column("taps", "Taps"), Table.Column("popups", "Popups"),
    Table.Column("performed", "Performed"), Table.Column("blocked", "Blocked"),
    Table.Column("bypassed", "Bypassed"),
  ]

  /// One number per column of `columns`.
  var numbers: [Int] { [taps, popups, performed, blocked, bypassed] }

  /// One cell per column of `columns`.
  var cells: [Cell] { numbers.map(Cell.count) }
}
