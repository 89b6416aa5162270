import Model

/// The numbers of the usage report about attempts: docs/reports.md#usage.
struct UsageTotals: Hashable, Sendable {
  var taps = 0
  /// Taps of people whom a limit can block, and how many of them it blocked.
  var freeTaps = 0
  var freeBlocked = 0
  var popups = 0
  var dismissed = 0
  var performed = 0
  var blocked = 0
  var bypassed = 0
  var subscriptionTaps = 0

  /// Ignores kinds of event that the report does not show.
  mutating func add(_ kind: EventKind, _ count: Int, by userType: UserType? = nil) {
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

  mutating func add(_ bucket: UsageData.Bucket) {
    add(bucket.kind, bucket.count, by: bucket.userType)
  }

  var isEmpty: Bool { self == UsageTotals() }

  /// Taps that ended neither performed nor blocked; below 0 when actions came without their taps.
  var otherEnds: Int { taps - performed - blocked }

  /// What was blocked, of what could be.
  var blockedShare: Ratio { Ratio(freeBlocked, of: freeTaps) }

  /// The numbers that tables show, by the id and the title of their column: the ends of the taps
  /// add up to the taps.
  static var numbers: [(id: String, title: String, path: KeyPath<UsageTotals, Int>)] {
    [
      ("taps", "Taps", \.taps), ("performed", "Performed", \.performed),
      ("blocked", "Blocked", \.blocked), ("other", "Other", \.otherEnds),
      ("popups", "Popups", \.popups), ("dismissed", "Dismissed", \.dismissed),
      ("bypassed", "Bypassed", \.bypassed),
    ]
  }

  /// For tables whose other columns leave less room in 80 characters of text.
  static func columns(without ids: Set<String>) -> [Column<UsageTotals>] {
    numbers.filter { !ids.contains($0.id) }.map { number in
      Column(number.id, number.title) { .count($0[keyPath: number.path]) }
    }
  }
}
