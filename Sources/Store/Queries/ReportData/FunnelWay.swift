import Model

/// How far somebody went in a span of time, as a free user: docs/people.md#funnel.
///
/// Who came through the limit in the span has the whole way, also where its begin lies before.
struct FunnelWay: OptionSet {
  let rawValue: UInt8
  static let active = FunnelWay(rawValue: 1)
  static let popup = FunnelWay(rawValue: 2)
  static let blocked = FunnelWay(rawValue: 4)
  /// Tapped the subscription button, and did so at or after a block.
  static let tappedAtAll = FunnelWay(rawValue: 8)
  static let tapped = FunnelWay(rawValue: 16)
  /// Was seen as subscriber for the first time at or after such a tap.
  static let subscribed = FunnelWay(rawValue: 32)
  static let whole: FunnelWay = [active, popup, blocked, tappedAtAll, tapped, subscribed]

  private static let stages = [active, popup, blocked, tapped, subscribed]

  /// How many stages they reached, 0 to 5, where each needs those before.
  var stage: Int { Self.stages.firstIndex { !contains($0) } ?? Self.stages.count }

  /// Counts an event as a free user, which no event before came after.
  mutating func add(_ kind: EventKind) {
    insert(.active)
    switch kind {
    case .popupShown: insert(.popup)
    case .blockedLimitReached, .blockedCooldown: insert(.blocked)
    case .subscriptionButtonTapped:
      insert(.tappedAtAll)
      if contains(.blocked) { insert(.tapped) }
    default: break
    }
  }

  /// Counts what a person did on a day, as all of their events would.
  mutating func add(_ row: PersonDayRow) {
    guard row.flags.contains(.free) else { return }
    insert(.active)
    if row.flags.contains(.popup) { insert(.popup) }
    if row.flags.contains(.subscriptionTap) {
      insert(.tappedAtAll)
      // The whole way of who subscribed on this day stands for a block of an earlier day, too.
      if contains(.blocked) || row.flags.contains(.tapAfterBlock) { insert(.tapped) }
    }
    if row.flags.contains(.freeBlocked) { insert(.blocked) }
  }
}

/// A person's way in the period, and on both sides of its comparison.
struct FunnelWays {
  var inPeriod = FunnelWay()
  var inWhole = FunnelWay()
  var inBefore = FunnelWay()

  /// Changes the ways of the spans in which something happened.
  mutating func update(on sides: ReportRelations.Sides, _ change: (inout FunnelWay) -> Void) {
    if sides.inPeriod { change(&inPeriod) }
    if sides.inWhole { change(&inWhole) }
    if sides.inBefore { change(&inBefore) }
  }
}
