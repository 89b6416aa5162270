import Model
import StoreTesting
import Testing

@testable import Store

/// After a block, and without one: docs/money.md#after-a-block.
extension MoneySectionTests {
  private static let blocks =
    "within, what, blocked_part, blocked_whole, others_part, others_whole, still_open"

  /// Somebody who is blocked or uses a feature on a day, seen again so many days after that.
  private func after(_ days: Double?, on day: Double, blocked: Bool) -> [Event] {
    let user = blocked ? "b\(days ?? 0)" : "o\(days ?? 0)"
    var events = [
      event(.buttonTapped, user, day: day - 0.001),
      event(blocked ? .blockedLimitReached : .performed, user, day: day),
    ]
    if let days { events.append(event(.buttonTapped, user, day: day + days)) }
    return events
  }

  /// The first row's share of blocked people, and of others: who came back within a day.
  private func cameBack(_ events: [Event]) throws -> String? {
    try rows(
      of: "money/blocks", "what, blocked_part, blocked_whole, others_part, others_whole", events
    ).first
  }

  @Test(arguments: [
    // Minutes after the first block: a use at any time, another attempt after half an hour.
    (0, -1, EventKind.performed, 0), (0, 1, .performed, 1), (3, 0, .performed, 1),
    (30, -1, .buttonTapped, 0), (30, 0, .buttonTapped, 1), (30, -1, .blockedCooldown, 0),
    (30, 0, .blockedCooldown, 1), (40, 0, .cooldownCompleted, 0), (40, 0, .popupDismissed, 0),
    // A day after it, to the microsecond.
    (1_440, 0, .buttonTapped, 1), (1_440, 1, .buttonTapped, 0), (1_440, 1, .performed, 0),
  ])
  func `a use after the block, or an attempt half an hour after the one before, is coming back`(
    minutes: Int, microseconds: Int, kind: EventKind, expected: Int
  ) throws {
    var again = event(kind, "b", day: -0.5)
    again.at = again.at + .seconds(minutes * 60) + .microseconds(microseconds)
    #expect(
      try cameBack([event(.blockedLimitReached, "b", day: -0.5), again])
        == "came back|\(expected)|1|-|-")
  }

  @Test func `half an hour counts from the attempt before, which need not be the block`() throws {
    func tap(_ minutes: Double) -> Event {
      event(.buttonTapped, "b", day: -0.5 + minutes / 1_440)
    }
    let blocked = event(.blockedLimitReached, "b", day: -0.5)
    #expect(try cameBack([blocked, tap(20), tap(40)]) == "came back|0|1|-|-")
    #expect(try cameBack([tap(71)]) == "came back|1|1|-|-")
  }

  @Test func `who was not blocked is followed from the first use of the day, and needs one`() throws
  {
    let events: [Event] = [
      [event(.blockedLimitReached, "b", day: -0.5)],
      // A tap that led to nothing; a use, and one that is repeated; a use as a subscriber alone.
      [event(.buttonTapped, "tapped", day: -0.6)],
      [event(.performed, "once", day: -0.6)],
      [event(.performed, "twice", day: -0.6), event(.performed, "twice", day: -0.599)],
      [
        event(.buttonTapped, "lite", day: -0.6),
        event(.performed, "lite", day: -0.5, .liteSubscriber),
      ],
    ].flatMap(\.self)
    #expect(try cameBack(events) == "came back|0|1|1|2")
  }

  @Test func `after a block people come back, subscribe or leave, as long as their days are over`()
    throws
  {
    let sold = [
      event(.blockedCooldown, "s", day: -0.5), event(.performed, "s", day: 0.5, .liteSubscriber),
      // A subscription a moment after the day is none of that day.
      event(.blockedCooldown, "t", day: -0.5), event(.performed, "t", day: 0.51, .liteSubscriber),
    ]
    let events: [Event] = [
      after(1, on: -0.5, blocked: true),
      after(7, on: -0.5, blocked: true),
      after(8, on: -0.5, blocked: true),
      after(nil, on: -0.5, blocked: true),
      after(1, on: -0.5, blocked: false),
      after(nil, on: -0.5, blocked: false),
      sold,
      [event(.blockedLimitReached, "late", day: 2.5)],
    ].flatMap(\.self)
    let found = try rows(of: "money/blocks", Self.blocks, events)
    #expect(
      found == [
        "1 day|came back|1|7|1|2|0", "1 day|subscribed|1|7|0|2|0",
        "1 day|not seen again|5|7|1|2|0", "7 days|came back|2|6|1|2|1",
        "7 days|subscribed|2|6|0|2|1", "7 days|not seen again|2|6|1|2|1",
        "28 days|came back|0|0|0|0|7", "28 days|subscribed|0|0|0|0|7",
        "28 days|not seen again|0|0|0|0|7",
      ])
  }

  @Test(arguments: [(29, 30), (30, 29), (30, 30)])
  func `who subscribed after a block is told of 30 people on each side`(blocked: Int, others: Int)
    throws
  {
    let events = (0..<max(blocked, others)).flatMap { (number: Int) -> [Event] in
      (number < blocked ? [event(.blockedLimitReached, "b\(number)", day: -7.5)] : [])
        + (number < others ? [event(.performed, "o\(number)", day: -7.5)] : [])
        + (number < 3 ? [event(.performed, "b\(number)", day: -5, .liteSubscriber)] : [])
    }
    let found = try rows(of: "money/blocks", "says, index_says", events)
    let subscribed =
      "Within a day of a first block 0% of 30 people subscribed, of others 0%: {verdict 2}. Within "
      + "a week 10% and 0%: {verdict 5}. "
    let gone = "Not seen again for a week: 90% and 100%, {verdict 6}. "
    let note = "Observed, not tested (newest 102 days)."
    #expect(
      Set(found) == [
        blocked + others == 60 ? "\(subscribed + gone + note)|\(subscribed + note)" : "-|-"
      ])
    // Which rows the sentence means.
    let rows = try rows(of: "money/blocks", "within, what", [])
    #expect(rows[4] == "7 days|subscribed" && rows[1] == "1 day|subscribed")
    #expect(rows[5] == "7 days|not seen again")
  }

  @Test func `blocks are told by feature and by their number on the day`() throws {
    let events: [Event] = [
      after(1, on: -0.5, blocked: true),
      [event(.blockedCooldown, "b1.0", day: -0.4)],
      after(nil, on: -0.5, blocked: true),
    ].flatMap(\.self)
    let found = try rows(
      of: "money/blocks-by", "\"of\", people, came_part, came_whole, left_part", events)
    #expect(found == ["Refresh|2|1|2|1", "1 block|1|0|1|1", "2 blocks|1|1|1|0"])
  }
}
