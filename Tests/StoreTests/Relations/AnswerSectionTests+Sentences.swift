import Model
import StoreTesting
import Testing

@testable import Store

/// The sentences that queries say above their tables: docs/figures.md#units.
extension AnswerSectionTests {
  @Test(arguments: [(6, "0 of 1"), (7, "0 of 1"), (8, "1 of 1")])
  func `days of subscribers are told that have more uses than the limit`(
    uses: Int, days told: String
  ) throws {
    // Free people, whom the limit holds, say nothing of it; a feature without a limit neither.
    let events =
      (0..<uses).map { event(.performed, 10 + $0, user: "lite", .liteSubscriber) }
      + (0..<9).map { event(.performed, 10 + $0, user: "free") }
      + (0..<9).map { event(.performed, 10 + $0, .message, user: "lite", .liteSubscriber) }
    let found = try rows(
      of: "usage/uses-a-day", "says", events, days: days, settings: [.refreshLimit: "7"])
    #expect(
      Set(found) == [
        "Subscribers, whom no limit holds, go beyond the limit with refresh (limit 7) on \(told) "
          + "days. A limit stops free users on such days. What another one would do: the page "
          + "Limits, What if."
      ])
  }

  @Test(arguments: [
    (0, "The hour with the most blocks begins at 0:00: 2 of 3."),
    (23 * 3_600, "The hour with the most blocks begins at 23:00: 2 of 3."),
  ])
  func `the hours of most taps and blocks are told`(second: Int, words: String) throws {
    let taps = "Most taps come in the hour from 5:00: 2 of 3."
    let events = [
      event(.buttonTapped, 5 * 3_600), event(.buttonTapped, 5 * 3_600 + 1, .search, user: ""),
      event(.buttonTapped, 6 * 3_600),
      event(.blockedLimitReached, second), event(.blockedCooldown, second + 3_599),
      event(.blockedCooldown, 5 * 3_600),
    ]
    #expect(Set(try rows(of: "usage/blocked-hours", "says", events)) == ["\(taps) \(words)"])
    // Two hours with as many are both told, of three none.
    let two = try rows(of: "usage/blocked-hours", "says", [event(.blockedCooldown, 18_001)])
    let hours = second == 0 ? "from 0:00 and from 5:00" : "from 5:00 and from 23:00"
    #expect(two[0] == "\(taps) Most blocks come in the hours \(hours): 2 of 4 in each.")
    let more = [event(.blockedCooldown, 7_200), event(.blockedCooldown, 7_201)]
    #expect(Set(try rows(of: "usage/blocked-hours", "says", more)) == [taps])
    let sixth = [event(.buttonTapped, 6 * 3_600 + 1)]
    #expect(
      Set(try rows(of: "usage/blocked-hours", "says", sixth))
        == ["Most taps come in the hours from 5:00 and from 6:00: 2 of 4 in each."])
    let seventh = [event(.buttonTapped, 7 * 3_600), event(.buttonTapped, 7 * 3_600 + 1)]
    #expect(Set(try rows(of: "usage/blocked-hours", "says", seventh)) == ["-"])
  }

  @Test(arguments: [
    (5, 5, "No limit sells most: two have as many new subscribers."),
    (3, 6, "New subscribers: 9, too few to tell which limit sells most."),
    (4, 6, "The limit of search sells most: 6 of 10 new subscribers."),
  ])
  func `the limit that sells most is told of ten sales on, unless two sell as much`(
    others: Int, buyers: Int, words: String
  ) throws {
    func bought(_ feature: Feature, _ user: String) -> [Event] {
      [
        event(.popupShown, 1, feature, user: user),
        event(.blockedLimitReached, 2, feature, user: user),
        event(.subscriptionButtonTapped, 3, feature, user: user),
        event(.performed, 4, feature, user: user, .liteSubscriber),
      ]
    }
    let events =
      (0..<others).flatMap { bought(.refresh, "r\($0)") }
      + (0..<buyers).flatMap { bought(.search, "s\($0)") }
    let tapped =
      " Tapped, of blocked: refresh \(others) of \(others), search \(buyers) of "
      + "\(buyers)."
    #expect(Set(try rows(of: "usage/funnel-by-feature", "says", events)) == [words + tapped])
  }

  @Test func `taps to subscribe of signed-in people and others are told once both saw popups`()
    throws
  {
    let named = [
      event(.popupShown, 3, user: "a"), event(.subscriptionButtonTapped, 4, user: "a"),
      event(.blockedLimitReached, 5, user: ""),
    ]
    #expect(Set(try rows(of: "usage/signed-in", "says", named)) == ["-"])
    let other = [event(.popupShown, 7, user: "profile default")]
    #expect(
      Set(try rows(of: "usage/signed-in", "says", other)) == [
        "Signed-in people tapped to subscribe on 1 of 1 popups, others on 0 of 1: too "
          + "few to tell."
      ])
  }

  @Test func `half of the popups are told with their ends`() throws {
    let shown = [event(.popupShown, 0, user: "a"), event(.popupShown, 0, user: "b")]
    let ended = [event(.popupDismissed, 50, user: "a", seconds: 7)]
    #expect(
      Set(try rows(of: "usage/popup-times", "says", shown + ended)) == [
        "Half of all popups end within 7 s, half of those dismissed within 7 s."
      ])
    let tap = [event(.subscriptionButtonTapped, 12, user: "b")]
    #expect(
      Set(try rows(of: "usage/popup-times", "says", tap)) == [
        "Half of all popups end within 9.5 s, half of those with a subscription tap within 12 s, "
          + "half of those dismissed within 7 s."
      ])
  }
}
