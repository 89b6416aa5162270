import Model
import StoreTesting
import Testing

@testable import Store

/// The funnel beside that of the days before: docs/people.md#funnel.
@Suite struct FunnelComparisonTests {
  private let folder: TemporaryStore
  private let store: Store

  /// A midnight, at which the week begins.
  private static let start = UsageSectionTests.start
  private static let day = 86_400.0

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  /// A period of some days.
  private func context(days: Int = 7, hours: Int = 0) -> ReportContext {
    let end = Self.start + .seconds(days * 86_400 + hours * 3_600)
    return ReportContext(
      appName: "ChatHub", now: end, timeZone: "UTC", start: Self.start, end: end)
  }

  /// What one person did in these seconds of the period, one after the other.
  private func events(
    _ user: String, _ kinds: [EventKind], at seconds: Double, subscribes: Double? = nil
  ) -> [Event] {
    func event(_ kind: EventKind, _ seconds: Double, _ type: UserType) -> Event {
      Event(
        name: FeatureEventName(platform: "ios", feature: .refresh, kind: kind).text,
        at: Self.start + .microseconds(Int64((seconds * 1_000_000).rounded())), userId: user,
        parameters: ["ios_user_type": .string(type.rawValue)])
    }
    return kinds.enumerated().map { event($1, seconds + Double($0), .freeUser) }
      + [subscribes.map { event(.performed, $0, .liteSubscriber) }].compactMap(\.self)
  }

  private static let columns =
    "people, people_before, verdict_from_part, verdict_from_whole, verdict_to_part, "
    + "verdict_to_whole"

  private func rows(_ events: [Event], _ context: ReportContext) throws -> [String] {
    try store.write { _ = try $0.append(events, source: "test") }
    return try store.rows(of: "usage/funnel-before", Self.columns, context)
  }

  @Test func `each side has the people who went on in it`() throws {
    let week = -7 * Self.day
    let offered: [EventKind] = [.popupShown, .blockedCooldown, .subscriptionButtonTapped]
    let found = try rows(
      events("before", offered, at: week)
        + events("too-early", [.popupShown], at: week - 0.000_001)
        + events("last", [.popupShown], at: -0.000_001)
        + events("now", [.popupShown], at: 0)
        // Blocked before its side, and a subscriber in it.
        + events(
          "then", [.blockedCooldown, .subscriptionButtonTapped], at: week - 60, subscribes: week)
        + events("through", [.blockedCooldown, .subscriptionButtonTapped], at: -60, subscribes: 5),
      context())
    #expect(
      found == [
        "2|4|4|-|2|-", "2|3|3|4|2|2", "1|2|2|3|1|2", "1|2|2|2|1|1", "1|1|1|2|1|1",
      ])
  }

  @Test func `a sentence has both ends of both sides`() throws {
    let week = -7 * Self.day
    let way: [EventKind] = [.popupShown, .blockedCooldown, .subscriptionButtonTapped]
    let found =
      events("now", way, at: 0) + events("other", [.popupShown], at: 0)
      + events("then", way, at: week, subscribes: week + 9)
    try store.write { _ = try $0.append(found, source: "test") }
    #expect(
      try Set(store.rows(of: "usage/funnel-before", "says", context())) == [
        "New subscribers: 0 of 2 active people, earlier 1 of 1."
      ])
  }

  @Test func `today is on no side`() throws {
    let today = 7 * Self.day
    let found = try rows(
      events("now", [.popupShown], at: today - 0.000_001)
        + events("today", [.popupShown, .blockedCooldown], at: today)
        + events("before", [.popupShown], at: -0.000_001),
      context(hours: 5))
    #expect(found.prefix(3) == ["1|1|1|-|1|-", "1|1|1|1|1|1", "0|0|0|1|0|1"])
  }

  @Test func `today alone is beside the same hours a week before`() throws {
    let week = -7 * Self.day
    let found = try rows(
      events("now", [.popupShown], at: 5) + events("then", [.popupShown], at: week)
        + events("later", [.popupShown], at: week + 5 * 3_600),
      context(days: 0, hours: 5))
    #expect(found.prefix(3) == ["1|1|1|-|1|-", "1|1|1|1|1|1", "0|0|0|1|0|1"])
  }

  /// Both sides together, with the weeks between their weekdays, are 98 and 106 days.
  @Test(arguments: [(49, "1|1|1|-|1|-"), (50, nil)] as [(Int, String?)])
  func `people are followed on 102 days, and no funnel of older days is told`(
    days: Int, first: String?
  ) throws {
    let context = context(days: days)
    let back = Double((days + 6) / 7 * 7)
    let found = try rows(
      events("now", [.popupShown], at: 0) + events("before", [.popupShown], at: -back * Self.day),
      context)
    #expect(found.first == first)
  }

  @Test func `kept counts of days give the same`() throws {
    let steps: [EventKind] = [
      .buttonTapped, .popupShown, .blockedLimitReached, .subscriptionButtonTapped,
    ]
    var all: [Event] = []
    for number in 0..<400 {
      let at = Double(number - 300) * 3_600 * 1.3
      let kinds = Array(steps.suffix(1 + number % 4))
      let end: Double? = number % 11 == 0 ? at + 50 : nil
      all += events("u\(number % 37)", kinds, at: at, subscribes: end)
    }
    let fromEvents = try rows(all, context())
    let days = (-100..<7).map { number in
      let start = Self.start + .seconds(number * 86_400)
      return DayFacts(start: start, end: start + .seconds(86_400))
    }
    try store.keepCounts(of: days.map { $0.start..<$0.end }, in: "UTC", on: nil)
    let fromCounts = try store.rows(
      of: "usage/funnel-before", Self.columns, context(), days: days)
    #expect(fromCounts == fromEvents)
    #expect(Set(fromEvents).count > 3)
  }
}
