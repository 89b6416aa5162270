import Model

/// Finds days on which the events do not fit the people: docs/findings.md#events.
struct EventCounts {
  /// Days that a share is compared with, and the fewest of them.
  static let fewestDays = 7
  /// Events of a day that are judged.
  static let fewestEvents = 60

  let days: JudgedDays
  /// Replaces `Flood.share`; nil leaves it.
  var ownShare: Double?

  /// Everything is counted more than once.
  struct Doubled: Hashable {
    /// How often a usual person or tap has as much.
    static let leastFactor = 1.6
    /// Of the most that any of the days before had.
    static let beyondHighest = 1.1
    /// What of the usual people must have come, for what each of them did to be judged.
    static let leastPeople = 0.5

    /// What there is too much of: `events a person`.
    let name: String
    let value: Double
    let usual: Double
    let highest: Double

    var factor: Double { value / usual }
  }

  /// One person, or a few, do a large part of all.
  struct Flood: Hashable {
    /// What of the day's events is much for one, and for five.
    static let share = 0.1
    static let shareOfFive = 1.0 / 3
    /// Five people with a usually small share count like one, at this multiple of the usual.
    static let factorOfFive = 5.0
    /// Times the usual share of the busiest, and times the most of the days before: of one person,
    /// who varies more, and of five.
    static let leastFactor = 2.0
    static let beyondHighest = 1.75
    static let beyondHighestOfFive = 1.25
    /// Events that the busiest needs.
    static let fewest = 40

    let people: Int
    let events: Int
    let whole: Int
    let usual: Double
    let highest: Double
  }

  func doubled(on day: Int) -> Doubled? {
    guard days.days[day].coverage != .none, days.days[day].concentration.events >= Self.fewestEvents
    else {
      return nil
    }
    return ratios.lazy.compactMap { ratio -> Doubled? in
      let references = days.usual(before: day).compactMap { ratio.value($0) }
      guard let value = ratio.value(day), references.count >= Self.fewestDays,
        let highest = references.max(), references.median > 0,
        !ratio.isOfPeople || !hasFewPeople(day)
      else { return nil }
      let found = Doubled(
        name: ratio.name, value: value, usual: references.median, highest: highest)
      let least = ratio.isAtMostOne ? 1.15 : Doubled.leastFactor
      return found.factor >= least && value >= Doubled.beyondHighest * highest
        && (!ratio.isAtMostOne || value > 1.05) ? found : nil
    }.first
  }

  /// Whether a day has less than half of the usual people: few differ more from each other than the
  /// days that they are compared with.
  private func hasFewPeople(_ day: Int) -> Bool {
    let usual = days.usual(before: day).map { Double(days.days[$0].activeUsers) }.median
    return Double(days.days[day].activeUsers) < Doubled.leastPeople * usual
  }

  private struct DayRatio {
    let name: String
    var isOfPeople = false
    /// Whether one event cannot come without the other.
    var isAtMostOne = false
    let value: (Int) -> Double?
  }

  private var ratios: [DayRatio] {
    [
      DayRatio(name: "events a person", isOfPeople: true) { day in
        let spread = days.days[day].concentration
        return spread.typical > 0 && days.days[day].activeUsers >= 10 ? spread.typical : nil
      },
      DayRatio(name: "actions a tap", isAtMostOne: true) { ratio(\.performed, \.taps, $0) },
      DayRatio(name: "closed popups a popup", isAtMostOne: true) {
        ratio(\.dismissed, \.popups, $0)
      },
      DayRatio(name: "lines of the export a tap") { ratio(\.exportLines, \.taps, $0) },
    ]
  }

  private func ratio(
    _ part: KeyPath<DayFacts, Int>, _ whole: KeyPath<DayFacts, Int>, _ day: Int
  ) -> Double? {
    let facts = days.days[day]
    guard facts[keyPath: whole] >= 30 else { return nil }
    return Double(facts[keyPath: part]) / Double(facts[keyPath: whole])
  }

  func flood(on day: Int) -> Flood? {
    flood(on: day, people: 1, most: { _ in ownShare ?? Flood.share }) { $0.busiest }
      ?? flood(
        on: day, people: 5,
        most: { max(Flood.share, min(Flood.shareOfFive, Flood.factorOfFive * $0)) }
      ) { $0.busiestFive }
  }

  private func flood(
    on day: Int, people: Int, most: (_ usual: Double) -> Double, _ part: (EventConcentration) -> Int
  ) -> Flood? {
    let spread = days.days[day].concentration
    let count = part(spread)
    guard spread.events > 0, count >= Flood.fewest * people else { return nil }
    func share(_ spread: EventConcentration) -> Double {
      Double(part(spread)) / Double(spread.events)
    }
    let references = days.usual(before: day).map { days.days[$0].concentration }
      .filter { $0.events > 0 }.map(share)
    guard references.count >= Self.fewestDays, let highest = references.max(),
      share(spread) > most(references.median),
      share(spread) >= Flood.leastFactor * references.median,
      share(spread) >= (people == 1 ? Flood.beyondHighest : Flood.beyondHighestOfFive) * highest
    else { return nil }
    return Flood(
      people: people, events: count, whole: spread.events, usual: references.median,
      highest: highest)
  }
}

/// What the buckets of a history say of each complete day, by feature and kind, and by the hour.
struct HourCounts {
  struct Use: Hashable {
    let feature: Feature
    let kind: EventKind
  }

  /// Events of each day, those of its night, and those of each six hours, from midnight on.
  private(set) var uses: [Use: [Int]] = [:]
  private(set) var nightUses: [Use: [Int]] = [:]
  private(set) var sixHourUses: [Use: [[Int]]] = [:]
  /// Events of each day by hour since midnight; of a day with another length than 24 hours the
  /// hours after the change lie beside those of the clock.
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
      // The quotient of two durations is inexact: of 13 hours and 1 hour a little less than 13.
      let microseconds = at.microseconds - days[day].start.microseconds
      let hour = min(23, Int(microseconds / 3_600_000_000))
      hours[day][hour] += bucket.count
      let use = Use(feature: bucket.feature, kind: bucket.kind)
      sixHourUses[use, default: [none, none, none, none]][hour / 6][day] += bucket.count
      if Self.isNight(hour) { nightUses[use, default: none][day] += bucket.count }
    }
    uses = sixHourUses.mapValues { $0.summed(days.count) }
  }

  /// Taps of each night, of all features.
  var nightTaps: [Int] {
    nightUses.filter { $0.key.kind == .buttonTapped }.values.summed(hours.count)
  }
}

extension Sequence<[Int]> {
  /// The sums of so many days; zeros without any counts.
  func summed(_ count: Int) -> [Int] {
    reduce([Int](repeating: 0, count: count)) { zip($0, $1).map(+) }
  }
}
