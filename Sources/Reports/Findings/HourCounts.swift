import Model
import Store

/// What the buckets of a history say of each complete day, by feature and kind, and by the hour.
struct HourCounts {
  struct Use: Hashable {
    let feature: Feature
    let kind: EventKind
  }

  /// Events of each day, and those of its night.
  private(set) var uses: [Use: [Int]] = [:]
  private(set) var nightUses: [Use: [Int]] = [:]
  /// Events of each day by hour since midnight; of a day with another length than 24 hours the hours
  /// after the change lie beside those of the clock.
  private(set) var hours: [[Int]]

  /// Hours of the day that lie between 22:00 and 6:00.
  static func isNight(_ hour: Int) -> Bool { hour < 6 || hour >= 22 }

  init(_ usage: UsageData, days: [DayFacts]) {
    hours = Array(repeating: [Int](repeating: 0, count: 24), count: days.count)
    let none = [Int](repeating: 0, count: days.count)
    var day = 0
    for bucket in usage.buckets {
      let at = Instant(unixSeconds: bucket.startsAtSeconds)
      while day < days.count, days[day].end <= at { day += 1 }
      guard day < days.count else { break }
      guard days[day].start <= at else { continue }
      let hour = min(23, Int((at - days[day].start) / .seconds(3_600)))
      hours[day][hour] += bucket.count
      let use = Use(feature: bucket.feature, kind: bucket.kind)
      uses[use, default: none][day] += bucket.count
      if Self.isNight(hour) { nightUses[use, default: none][day] += bucket.count }
    }
  }

  /// Taps of each night, of all features.
  var nightTaps: [Int] {
    nightUses.filter { $0.key.kind == .buttonTapped }.values
      .reduce([Int](repeating: 0, count: hours.count)) { zip($0, $1).map(+) }
  }
}
