import Model
import Store

/// The events of a period, counted by day, feature, segment and hour in one pass.
struct UsageTally {
  let days: [CivilDay]
  private(set) var current = UsageTotals()
  /// The two sides of the main comparison, and of that of the running day.
  private(set) var compared = UsageTotals()
  private(set) var previous = UsageTotals()
  private(set) var today = UsageTotals()
  private(set) var todayBefore = UsageTotals()
  private(set) var byDay: [CivilDay: UsageTotals] = [:]
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
      let sides = ReportRelations.sides(of: bucket, at: at, context)
      if sides.inWhole { compared.add(bucket) }
      if sides.inBefore { previous.add(bucket) }
      if let today = context.comparison.today {
        if today.current.contains(at) { self.today.add(bucket) }
        if today.previous.contains(at) { todayBefore.add(bucket) }
      }
      guard sides.inPeriod else { continue }
      if quarter != bucket.startsAtSeconds {
        quarter = bucket.startsAtSeconds
        local = calendar.localTime(at)
      }
      add(bucket, at: local)
    }
  }

  private mutating func add(_ bucket: UsageData.Bucket, at local: ReportCalendar.LocalTime) {
    current.add(bucket)
    byDay[local.day, default: UsageTotals()].add(bucket)
    guard bucket.kind == .buttonTapped else { return }
    tapsByWeekdayAndHour[local.day.weekday - 1][local.hour] += bucket.count
  }

  /// One of the numbers for each day of the period; nil for an unknown day.
  func byDay(_ number: KeyPath<UsageTotals, Int>) -> [Int?] {
    days.map { counts(of: $0)?[keyPath: number] }
  }

  /// Nil for an unknown day.
  func counts(of day: CivilDay) -> UsageTotals? {
    unknown.contains(day) ? nil : byDay[day] ?? UsageTotals()
  }
}

/// What the report shows of the sums.
extension UsageTotals {
  mutating func add(_ bucket: UsageData.Bucket) {
    add(bucket.kind, bucket.count, by: bucket.userType)
  }

  /// What was blocked, of what could be.
  var blockedShare: Ratio { Ratio(freeBlocked, of: freeTaps) }
}
