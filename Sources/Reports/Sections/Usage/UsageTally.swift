import Model

/// The events of a period, counted by day, feature, segment and hour in one pass.
///
/// A bucket belongs to the period in which its quarter of an hour begins. The period before may
/// begin within a quarter, whose bucket then holds only the events after that beginning.
struct UsageTally {
  struct Segment: Hashable {
    var feature: Feature
    /// Nil when the events do not say.
    var userType: UserType?
  }

  let days: [CivilDay]
  private(set) var current = UsageCounts()
  private(set) var previous = UsageCounts()
  private(set) var byFeature: [Feature: UsageCounts] = [:]
  private(set) var byFeatureBefore: [Feature: UsageCounts] = [:]
  private(set) var bySegment: [Segment: UsageCounts] = [:]
  private(set) var bySegmentAndDay: [Segment: [CivilDay: UsageCounts]] = [:]
  private(set) var byDay: [CivilDay: UsageCounts] = [:]
  private(set) var tapsByFeatureAndDay: [Feature: [CivilDay: Int]] = [:]
  /// Taps by weekday (0 for Monday), then hour.
  private(set) var tapsByWeekdayAndHour = Array(
    repeating: Array(repeating: 0, count: 24), count: 7)

  init(_ data: UsageData, context: ReportContext, calendar: ReportCalendar) {
    days = calendar.days(from: context.start, to: context.end)
    var quarter: Int64?
    var local = calendar.localTime(context.start)
    for bucket in data.buckets {
      let at = Instant(unixSeconds: bucket.startsAtSeconds)
      guard at + .seconds(900) > context.previousStart, at < context.end else { continue }
      guard at >= context.start else {
        addBefore(bucket)
        continue
      }
      if quarter != bucket.startsAtSeconds {
        quarter = bucket.startsAtSeconds
        local = calendar.localTime(at)
      }
      add(bucket, at: local)
    }
  }

  private mutating func addBefore(_ bucket: UsageData.Bucket) {
    previous.add(bucket.kind, bucket.count)
    byFeatureBefore[bucket.feature, default: UsageCounts()].add(bucket.kind, bucket.count)
  }

  private mutating func add(_ bucket: UsageData.Bucket, at local: ReportCalendar.LocalTime) {
    let segment = Segment(feature: bucket.feature, userType: bucket.userType)
    current.add(bucket.kind, bucket.count)
    byFeature[bucket.feature, default: UsageCounts()].add(bucket.kind, bucket.count)
    bySegment[segment, default: UsageCounts()].add(bucket.kind, bucket.count)
    bySegmentAndDay[segment, default: [:]][local.day, default: UsageCounts()]
      .add(bucket.kind, bucket.count)
    byDay[local.day, default: UsageCounts()].add(bucket.kind, bucket.count)
    guard bucket.kind == .buttonTapped else { return }
    tapsByFeatureAndDay[bucket.feature, default: [:]][local.day, default: 0] += bucket.count
    tapsByWeekdayAndHour[local.day.weekday - 1][local.hour] += bucket.count
  }

  /// The taps of a feature on each day of the period.
  func tapsByDay(_ feature: Feature) -> [Int] {
    let taps = tapsByFeatureAndDay[feature] ?? [:]
    return days.map { taps[$0] ?? 0 }
  }

  /// One of the numbers for each day of the period.
  func byDay(_ number: KeyPath<UsageCounts, Int>) -> [Int] {
    days.map { byDay[$0]?[keyPath: number] ?? 0 }
  }

  /// The features with an event in this period or the one before.
  var features: [Feature] {
    Feature.allCases.filter { byFeature[$0] != nil || byFeatureBefore[$0] != nil }
  }
}

/// The six numbers of the usage report about attempts: docs/reports.md#usage.
struct UsageCounts: Hashable, Sendable {
  var taps = 0
  var popups = 0
  var performed = 0
  var blocked = 0
  var bypassed = 0
  var subscriptionTaps = 0

  /// Ignores kinds of event that the report does not show.
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

  /// The numbers that tables show, by the id and the title of their column.
  static var numbers: [(id: String, title: String, path: KeyPath<UsageCounts, Int>)] {
    [
      ("taps", "Taps", \.taps), ("popups", "Popups", \.popups),
      ("performed", "Performed", \.performed), ("blocked", "Blocked", \.blocked),
      ("bypassed", "Bypassed", \.bypassed),
    ]
  }

  static var columns: [Column<UsageCounts>] {
    numbers.map { number in
      Column(number.id, number.title) { .count($0[keyPath: number.path]) }
    }
  }
}
