import Model
import Testing

@testable import Store

/// What people did before and after settings changed, and with two limits at once.
extension PeopleReadingTests {
  @Test func `days without lines are left out on both sides of a change`() throws {
    let events =
      seen("x", -60) + seen("a", -7) + seen("b", 0) + seen("c", -6) + seen("d", 1, 6)
    let found = try #require(
      try reading(events, changes: [change(0)], missing: [-7: .none, 6: .partial])
        .experiments.experiments.first)
    // A day of 24 hours from eight o'clock touches two civil days.
    #expect(found.days == 7 && found.leftOut == 3)
    #expect(found.missing.count == 2)
    #expect(found.before.people == 1 && found.after.people == 1)
  }

  private func change(_ days: Double, _ name: String = "freeRefreshLimit") -> SettingChange {
    SettingChange(
      wireName: name, source: .appSettings, oldValue: "2", newValue: "1",
      changedAt: Self.start + .microseconds(Int64(days * Self.day * 1_000_000)))
  }

  @Test
  func `a change has as many days before as after it, at most 14, and people once on each side`()
    throws
  {
    let events =
      seen("x", -60) + seen("a", -10, -2, 2) + seen("b", -3) + seen("c", 1)
      + [
        event(.blockedCooldown, "a", -2 * Self.day), event(.blockedCooldown, "c", 2 * Self.day),
        event(.subscriptionButtonTapped, "c", 2 * Self.day),
        event(.subscriptionButtonTapped, "a", -9 * Self.day),
        event(.performed, "s", 3, type: .liteSubscriber),
      ]
    let found = try reading(
      events, changes: [change(6.5), change(0), change(0, "freeSearchLimit"), change(-70)]
    ).experiments.experiments
    #expect(found.map(\.days) == [0, 7])
    #expect(found.map { $0.changes.count } == [1, 2])
    #expect(found[1].before == ExperimentData.Side(people: 2, blocked: 1, tapped: 0))
    #expect(found[1].after == ExperimentData.Side(people: 2, blocked: 1, tapped: 1))
    #expect(found[1].overlapping == [change(6.5).changedAt])
    #expect(found[0].before == ExperimentData.Side())
  }

  @Test
  func `a field without an old value, or that no limit depends on, is no experiment`() throws {
    var first = change(0)
    first.oldValue = nil
    let others = [first, change(0, "minChatsBeforeRatePrompt"), change(0, "unknown"), change(8)]
    #expect(try reading(seen("a", -60, 1), changes: others).experiments.experiments.isEmpty)
  }

  @Test
  func `two limits live for a day or more are compared; who has seen both is on neither side`()
    throws
  {
    let day = Self.day
    let events = [
      offer(.popupShown, "old", 0, usage: 0, limit: 5),
      offer(.popupShown, "a", day, usage: 1, limit: 2),
      offer(.popupShown, "a", day + 1, usage: 2, limit: 2),
      offer(.subscriptionButtonTapped, "a", day + 2, usage: 2, limit: 2),
      offer(.popupShown, "b", day + 3, usage: 1, limit: 5),
      offer(.popupShown, "c", day + 4, usage: 1, limit: 5),
      offer(.popupShown, "c", 2 * day + 4, usage: 1, limit: 2),
      offer(.popupShown, "both", 1.5 * day, usage: 1, limit: 5),
      offer(.popupShown, "both", 1.6 * day, usage: 2, limit: 2),
      offer(.popupShown, "d", 2 * day, usage: 1, limit: 5),
    ]
    let columns = [
      "measure", "lower_limit", "lower_part", "lower_whole", "higher_limit", "higher_part",
      "higher_whole", "verdict_from_part", "verdict_to_whole", "both", "since", "until",
    ]
    let span = [1, 2].map { (Self.start + .seconds($0 * 86_400)).microseconds }
    #expect(
      try rows(of: "limits/live", columns.joined(separator: ", "), events)
        == ["tapped to subscribe", "were blocked"].map {
          "\($0)|2|1|1|5|0|3|1|3|1|\(span[0])|\(span[1])"
        })
    // What the column of verdicts makes of these parts.
    #expect(ShareVerdict(from: (1, 1), to: (0, 3)) == .lower)
  }

  @Test(arguments: [([0, 4], false), ([0, 1.5, 4], true)])
  func `both limits must be met on more than half of the days`(
    higher: [Double], isCompared: Bool
  ) throws {
    let offers = [0.0, 1, 2, 3, 4].map { ($0, 2) } + higher.map { ($0, 5) }
    let events = offers.sorted { $0.0 < $1.0 }.enumerated().map { place, one in
      offer(.popupShown, "u\(place)", one.0 * Self.day, usage: 0, limit: one.1)
    }
    #expect(try limits(events).isEmpty == !isCompared)
  }

  private func limits(_ events: [Event]) throws -> [String] {
    try rows(of: "limits/live", "lower_limit, higher_limit", events)
  }

  @Test func `a limit that was changed and changed back was not live beside the other`() throws {
    let offered = [3, 3, 1, 1, 1, 3, 3]
    let events = offered.enumerated().map {
      offer(.popupShown, "u\($0)", Double($0) * Self.day, usage: 0, limit: $1)
    }
    #expect(try limits(events).isEmpty)
  }

  @Test func `limits that follow each other are no comparison`() throws {
    let events = [
      offer(.popupShown, "a", 0, usage: 0, limit: 2),
      offer(.popupShown, "a", 86_399, usage: 0, limit: 2),
      offer(.popupShown, "b", 1, usage: 0, limit: 5),
      offer(.popupShown, "b", 200_000, usage: 0, limit: 5),
    ]
    #expect(try limits(events).isEmpty)
  }
}
