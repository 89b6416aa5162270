import Model

/// The buckets of a period added up in every direction that the report looks.
///
/// One pass over the buckets; a bucket belongs to the period that its quarter begins in. The period
/// before may begin amid a quarter, whose bucket then holds what came after that.
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

  init(_ facts: UsageFacts, frame: ReportFrame, calendar: ReportCalendar) {
    days = calendar.days(from: frame.start, to: frame.end)
    var quarter: Int64?
    var local = calendar.localTime(frame.start)
    for bucket in facts.buckets {
      let at = Instant(unixSeconds: bucket.startsAtSeconds)
      guard at + .seconds(900) > frame.previousStart, at < frame.end else { continue }
      guard at >= frame.start else {
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

  private mutating func addBefore(_ bucket: UsageFacts.Bucket) {
    previous.add(bucket.kind, bucket.count)
    byFeatureBefore[bucket.feature, default: UsageCounts()].add(bucket.kind, bucket.count)
  }

  private mutating func add(_ bucket: UsageFacts.Bucket, at local: ReportCalendar.LocalTime) {
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

  /// One of the numbers for each day of the period.
  func byDay(_ number: KeyPath<UsageCounts, Int>) -> [Int] {
    days.map { byDay[$0]?[keyPath: number] ?? 0 }
  }

  /// The features that the period or the one before it has an event of, in their own order.
  var features: [Feature] {
    Feature.allCases.filter { byFeature[$0] != nil || byFeatureBefore[$0] != nil }
  }
}
