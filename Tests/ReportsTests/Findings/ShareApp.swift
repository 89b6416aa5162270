import Model

@testable import Reports
@testable import Store

/// 100 people a day of two countries and two versions; the newest day is the place for a change.
struct ShareApp {
  typealias Part = ShareCounts.Part
  typealias Measure = ShareCounts.Measure

  var usage = UsageData(buckets: [], activeUsers: 0, previousActiveUsers: 0)
  var facts = JudgedApp.facts()
  var feedback: [RatingsData.FeedbackEntry] = []
  var changedOn: Int?
  var leastActions = StoppedParts.floor
  var leastOfRegion = ShareFindings.leastOfRegion
  /// Uses of refresh on a day, by the seconds since its beginning; none with an event an hour.
  var uses: (Int) -> [(second: Int64, kind: EventKind, count: Int)] = { _ in [] }
  var lines = [Int](repeating: 1_500, count: JudgedApp.last + 1)

  init() {
    usage.history = DayHistory(days: facts)
    set([], .people, 100)
    set([Part(.country, "India")], .people, 30)
    set([Part(.country, "Brazil")], .people, 70)
    set([Part(.version, "3.0")], .people, 80)
    set([Part(.version, "3.0"), Part(.userType, "free_user")], .people, 75)
    for (measure, count) in [
      (Measure.newcomers, 10), (.subscribers, 10), (.tapping, 90), (.limited, 80),
      (.blocked, 16), (.popups, 60), (.free, 85), (.subscriptionTaps, 6),
    ] {
      set([], measure, count)
      set([Part(.version, "3.0")], measure, count * 4 / 5)
    }
  }

  /// So many on each day, and others on the last ones.
  mutating func set(_ parts: [Part], _ measure: Measure, _ count: Int, then ends: Int...) {
    let days = Array(repeating: count, count: UsageData.partDays - ends.count) + ends
    let none = [Int](repeating: 0, count: UsageData.partDays)
    var cell = usage.shares.cells[parts] ?? Array(repeating: none, count: Measure.allCases.count)
    cell[measure.rawValue] = days
    usage.shares.cells[parts] = cell
  }

  mutating func offer(_ limit: Int?, _ price: String, _ count: Int, then ends: Int...) {
    usage.shares.offers[ShareCounts.Offer(feature: .refresh, limit: limit, price: price)] =
      Array(repeating: count, count: UsageData.partDays - ends.count) + ends
  }

  /// Of the taps of refresh by people of a part, four of five led to an action, and on the last
  /// days what is given.
  mutating func tap(
    _ part: AppDimension, _ taps: Int, people: Int = 20, then ends: Int...
  ) {
    var days = AppDimension.Days(days: UsageData.partDays)
    let count = UsageData.partDays
    days.people = Array(repeating: people, count: count)
    days.taps[Feature.refresh.position] = Array(repeating: taps, count: count)
    days.performed[Feature.refresh.position] =
      Array(repeating: taps * 4 / 5, count: count - ends.count) + ends
    usage.parts[part] = days
  }

  private var days: JudgedDays { JudgedDays(facts, calendar: ReportCalendar(timeZone: "UTC")) }

  var set: ShareSet {
    var usage = usage
    usage.buckets = facts.indices.flatMap { day in
      let own = uses(day)
      let uses = own.isEmpty ? [(second: 0, kind: .performed, count: lines[day])] : own
      return uses.map { second, kind, count in
        UsageData.Bucket(
          startsAtSeconds: facts[day].start.unixSeconds + second, feature: .refresh, kind: kind,
          userType: .freeUser, platform: "ios", count: count)
      }
    }
    return ShareSet(
      usage, feedback: feedback, days: days, counts: HourCounts(usage, days: facts))
  }

  func found() -> [Detection] {
    ShareFindings(
      rule: ShareRule(days: days), set: set, changedOn: changedOn, leastActions: leastActions,
      leastOfRegion: leastOfRegion
    ).found(on: JudgedApp.last)
  }

  var ids: [String] { found().compactMap(\.finding.subject) }
  var sentence: String { found().first?.finding.sentence ?? "" }
}
