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
  private(set) var current = UsageTotals()
  /// The two sides of the main comparison, and of that of the running day.
  private(set) var compared = UsageTotals()
  private(set) var previous = UsageTotals()
  private(set) var today = UsageTotals()
  private(set) var todayBefore = UsageTotals()
  private(set) var byFeature: [Feature: UsageTotals] = [:]
  private(set) var byFeatureCompared: [Feature: UsageTotals] = [:]
  private(set) var byFeatureBefore: [Feature: UsageTotals] = [:]
  private(set) var bySegment: [Segment: UsageTotals] = [:]
  private(set) var bySegmentAndDay: [Segment: [CivilDay: UsageTotals]] = [:]
  private(set) var byDay: [CivilDay: UsageTotals] = [:]
  private(set) var tapsByFeatureAndDay: [Feature: [CivilDay: Int]] = [:]
  /// Taps by weekday (0 for Monday), then hour.
  private(set) var tapsByWeekdayAndHour = Array(
    repeating: Array(repeating: 0, count: 24), count: 7)
  /// How much the ledger knows of the days that it does not know wholly.
  let gaps: [CivilDay: DayFacts.Coverage]
  /// The days of which nothing is known: they have no count, also not 0.
  let unknown: Set<CivilDay>
  let comparison: ComparisonWords
  let context: ReportContext

  init(_ data: UsageData, context: ReportContext, calendar: ReportCalendar) {
    days = calendar.days(from: context.start, to: context.end)
    self.context = context
    comparison = ComparisonWords(context)
    unknown = Set(context.unknownDays.map(calendar.day(of:)))
    let older = unknown.subtracting(data.history.days.map { calendar.day(of: $0.start) })
    let uncovered = data.history.days.filter { $0.coverage != .whole && $0.coverage != .running }
    gaps = Dictionary(
      older.map { ($0, .none) }
        + uncovered.map { (calendar.day(of: $0.start), $0.coverage) }, uniquingKeysWith: { $1 })
    var quarter: Int64?
    var local = calendar.localTime(context.start)
    for bucket in data.buckets where bucket.span != .other {
      let at = Instant(unixSeconds: bucket.startsAtSeconds)
      compare(bucket, at: at, context.comparison)
      guard at >= context.start, at < context.end else { continue }
      if quarter != bucket.startsAtSeconds {
        quarter = bucket.startsAtSeconds
        local = calendar.localTime(at)
      }
      add(bucket, at: local)
    }
  }

  private mutating func compare(
    _ bucket: UsageData.Bucket, at: Instant, _ comparison: PeriodComparison
  ) {
    if let main = comparison.main {
      if at + .seconds(900) > main.previous.lowerBound, at < main.previous.upperBound {
        previous.add(bucket)
        byFeatureBefore[bucket.feature, default: UsageTotals()].add(bucket)
      }
      if main.current.contains(at) {
        compared.add(bucket)
        byFeatureCompared[bucket.feature, default: UsageTotals()].add(bucket)
      }
    }
    if let today = comparison.today {
      if today.current.contains(at) { self.today.add(bucket) }
      if today.previous.contains(at) { todayBefore.add(bucket) }
    }
  }

  private mutating func add(_ bucket: UsageData.Bucket, at local: ReportCalendar.LocalTime) {
    let segment = Segment(feature: bucket.feature, userType: bucket.userType)
    current.add(bucket)
    byFeature[bucket.feature, default: UsageTotals()].add(bucket)
    bySegment[segment, default: UsageTotals()].add(bucket)
    bySegmentAndDay[segment, default: [:]][local.day, default: UsageTotals()]
      .add(bucket)
    byDay[local.day, default: UsageTotals()].add(bucket)
    guard bucket.kind == .buttonTapped else { return }
    tapsByFeatureAndDay[bucket.feature, default: [:]][local.day, default: 0] += bucket.count
    tapsByWeekdayAndHour[local.day.weekday - 1][local.hour] += bucket.count
  }

  /// The taps of a feature on each day of the period; nil for an unknown day.
  func tapsByDay(_ feature: Feature) -> [Int?] {
    let taps = tapsByFeatureAndDay[feature] ?? [:]
    return days.map { unknown.contains($0) ? nil : taps[$0] ?? 0 }
  }

  /// One of the numbers for each day of the period; nil for an unknown day.
  func byDay(_ number: KeyPath<UsageTotals, Int>) -> [Int?] {
    days.map { counts(of: $0)?[keyPath: number] }
  }

  /// Nil for an unknown day.
  func counts(of day: CivilDay) -> UsageTotals? {
    unknown.contains(day) ? nil : byDay[day] ?? UsageTotals()
  }

  /// The numbers of a feature in the period, and on the two sides of the comparison.
  func now(_ feature: Feature) -> UsageTotals { byFeature[feature] ?? UsageTotals() }

  func compared(_ feature: Feature) -> UsageTotals { byFeatureCompared[feature] ?? UsageTotals() }

  func before(_ feature: Feature) -> UsageTotals { byFeatureBefore[feature] ?? UsageTotals() }

  /// Every segment of people within a feature; those whom events do not name come last.
  static func segments(of feature: Feature) -> [Segment] {
    (UserType.allCases + [nil]).map { Segment(feature: feature, userType: $0) }
  }

  /// The features with an event in this period or the one before.
  var features: [Feature] {
    Feature.allCases.filter { byFeature[$0] != nil || byFeatureBefore[$0] != nil }
  }
}

/// What the report shows of the sums.
extension UsageTotals {
  mutating func add(_ bucket: UsageData.Bucket) {
    add(bucket.kind, bucket.count, by: bucket.userType)
  }

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
