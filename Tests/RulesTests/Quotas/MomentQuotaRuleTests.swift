import Foundation
import Model
import Rules
import Testing

@Suite("The quotas of moments")
struct MomentQuotaRuleTests {
  private let today = LocalDay(of: Instant(unixSeconds: 1_769_846_400), in: "UTC")

  private static let daily = MomentMarks(dailyLimitDay: "2026-01-31", dailyLimit: 3)
  private static let total = MomentMarks(isTotalLimitReached: true, totalLimit: 10)
  private static let both = MomentMarks(dailyLimitDay: "2026-01-31", isTotalLimitReached: true)
  private static let yesterday = MomentMarks(dailyLimitDay: "2026-01-30")
  private static let tomorrow = MomentMarks(dailyLimitDay: "2026-02-01")

  @Test(
    "block a free profile by what the service has said, the total first",
    arguments: [
      (MomentMarks.none, nil), (daily, .daily), (total, .total), (both, .total),
      (yesterday, nil), (tomorrow, nil),
    ] as [(MomentMarks, MomentLimit?)])
  func free(marks: MomentMarks, expected: MomentLimit?) {
    #expect(MomentQuotaRule.block(tier: .free, marks: marks, today: today) == expected)
    #expect(MomentQuotaRule.known(tier: .free, marks: marks, today: today) == expected)
  }

  @Test(
    "never block a subscriber", arguments: [Tier.lite, .plus, .pro],
    [MomentMarks.none, daily, total, both])
  func subscribed(tier: Tier, marks: MomentMarks) {
    #expect(MomentQuotaRule.block(tier: tier, marks: marks, today: today) == nil)
  }

  @Test("let a subscriber's moment be asked for at the total, and wait at the daily limit")
  func known() {
    let known = { MomentQuotaRule.known(tier: .plus, marks: $0, today: today) }
    #expect(known(Self.total) == nil)
    #expect(known(Self.daily) == .daily)
    #expect(known(Self.both) == .daily)
    #expect(known(Self.yesterday) == nil)
  }

  @Test("remember each limit beside the other, with the service's number")
  func marks() {
    let daily = MomentQuotaRule.marks(.none, reaching: .daily, of: 3, today: today)
    #expect(daily == Self.daily)
    let both = MomentQuotaRule.marks(daily, reaching: .total, of: nil, today: today)
    #expect(
      both
        == MomentMarks(dailyLimitDay: "2026-01-31", dailyLimit: 3, isTotalLimitReached: true))
    #expect(MomentQuotaRule.reason(.daily, marks: both).contains("(3 a day)"))
    #expect(!MomentQuotaRule.reason(.total, marks: both).contains("in all"))
    #expect(MomentQuotaRule.reason(.total, marks: Self.total).contains("(10 in all)"))
  }

  @Test("the mark of a day blocks until the profile's own midnight, in every zone")
  func midnight() throws {
    for zone in ["UTC", "Europe/Berlin", "America/Sao_Paulo", "Pacific/Apia", "Asia/Kathmandu"] {
      let day = LocalDay(of: Instant(unixSeconds: 1_774_782_000), in: zone)
      let marks = MomentQuotaRule.marks(.none, reaching: .daily, of: nil, today: day)
      func block(_ at: Instant) -> MomentLimit? {
        MomentQuotaRule.block(tier: .free, marks: marks, today: LocalDay(of: at, in: zone))
      }
      #expect(block(day.start) == .daily)
      #expect(block(day.end - .microseconds(1)) == .daily)
      #expect(block(day.end) == nil)
      #expect(block(day.end + .microseconds(1)) == nil)
      #expect(block(day.start - .microseconds(1)) == nil)
    }
  }

  @Test("a move to another zone counts by that zone's calendar")
  func move() {
    // 08:00 in UTC on the 31st is still the 30th in Honolulu before 10:00.
    let now = Instant(unixSeconds: 1_769_846_400)
    let honolulu = LocalDay(of: now, in: "Pacific/Honolulu")
    #expect(honolulu.text == "2026-01-30")
    #expect(MomentQuotaRule.block(tier: .free, marks: Self.daily, today: honolulu) == nil)
    let kiritimati = LocalDay(of: now + .seconds(7_200), in: "Pacific/Kiritimati")
    #expect(kiritimati.text == "2026-02-01")
    #expect(MomentQuotaRule.block(tier: .free, marks: Self.daily, today: kiritimati) == nil)
  }
}
