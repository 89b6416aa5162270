import Fixtures
import Foundation
import Testing

@testable import Model

@Suite("The quotas of moments")
struct MomentQuotaRuleTests {
  private let today = LocalDay(of: Instant.morning, in: "UTC")

  private static let daily = ReachedMomentLimits(dailyLimitDay: "2026-01-31", dailyLimit: 3)
  private static let total = ReachedMomentLimits(isTotalLimitReached: true, totalLimit: 10)
  private static let both = ReachedMomentLimits(
    dailyLimitDay: "2026-01-31", isTotalLimitReached: true)
  private static let yesterday = ReachedMomentLimits(dailyLimitDay: "2026-01-30")
  private static let tomorrow = ReachedMomentLimits(dailyLimitDay: "2026-02-01")

  @Test(
    arguments: [
      (ReachedMomentLimits.none, nil), (daily, .daily), (total, .total), (both, .total),
      (yesterday, nil), (tomorrow, nil),
    ] as [(ReachedMomentLimits, MomentLimit?)])
  func `block a free profile by what the service has said, the total first`(
    reached: ReachedMomentLimits, expected: MomentLimit?
  ) {
    #expect(MomentQuotaRule.block(tier: .free, reached: reached, today: today) == expected)
    #expect(MomentQuotaRule.known(tier: .free, reached: reached, today: today) == expected)
  }

  @Test(
    arguments: [Tier.lite, .plus, .pro],
    [ReachedMomentLimits.none, daily, total, both])
  func `never block a subscriber`(tier: Tier, reached: ReachedMomentLimits) {
    #expect(MomentQuotaRule.block(tier: tier, reached: reached, today: today) == nil)
  }

  @Test func `let a subscriber's moment be asked for at the total, and wait at the daily limit`() {
    let known = { MomentQuotaRule.known(tier: .plus, reached: $0, today: today) }
    #expect(known(Self.total) == nil)
    #expect(known(Self.daily) == .daily)
    #expect(known(Self.both) == .daily)
    #expect(known(Self.yesterday) == nil)
  }

  @Test func `remember each limit beside the other, with the service's number`() {
    let daily = MomentQuotaRule.reached(.none, reaching: .daily, of: 3, today: today)
    #expect(daily == Self.daily)
    let both = MomentQuotaRule.reached(daily, reaching: .total, of: nil, today: today)
    #expect(
      both
        == ReachedMomentLimits(
          dailyLimitDay: "2026-01-31", dailyLimit: 3, isTotalLimitReached: true))
    #expect(MomentQuotaRule.reason(.daily, reached: both).contains("(3 a day)"))
    #expect(!MomentQuotaRule.reason(.total, reached: both).contains("in all"))
    #expect(MomentQuotaRule.reason(.total, reached: Self.total).contains("(10 in all)"))
  }

  @Test func `keep the service's own words, each limit's beside ours`() {
    var reached = MomentQuotaRule.reached(
      .none, reaching: .daily, of: 3, message: "Come back tomorrow", today: today)
    #expect(reached.message(of: .daily) == "Come back tomorrow")
    #expect(reached.message(of: .total) == nil)
    reached = MomentQuotaRule.reached(
      reached, reaching: .total, of: 10, message: "Full", today: today)
    #expect(reached.message(of: .daily) == "Come back tomorrow")
    #expect(reached.message(of: .total) == "Full")
    #expect(
      MomentQuotaRule.reason(.daily, reached: reached)
        == "The moments service accepts no more today (3 a day); the moment waits for the next day. "
        + "It says: Come back tomorrow")
    #expect(MomentQuotaRule.reason(.total, reached: reached).hasSuffix("It says: Full"))
    #expect(!MomentQuotaRule.reason(.total, reached: Self.total).contains("It says"))
  }

  @Test func `the mark of a day blocks until the profile's own midnight, in every zone`() throws {
    for zone in ["UTC", "Europe/Berlin", "America/Sao_Paulo", "Pacific/Apia", "Asia/Kathmandu"] {
      let day = LocalDay(of: Instant(unixSeconds: 1_774_782_000), in: zone)
      let reached = MomentQuotaRule.reached(.none, reaching: .daily, of: nil, today: day)
      func block(_ at: Instant) -> MomentLimit? {
        MomentQuotaRule.block(tier: .free, reached: reached, today: LocalDay(of: at, in: zone))
      }
      #expect(block(day.start) == .daily)
      #expect(block(day.end - .microseconds(1)) == .daily)
      #expect(block(day.end) == nil)
      #expect(block(day.end + .microseconds(1)) == nil)
      #expect(block(day.start - .microseconds(1)) == nil)
    }
  }

  @Test func `a move to another zone counts by that zone's calendar`() {
    // 08:00 in UTC on the 31st is still the 30th in Honolulu before 10:00.
    let now = Instant.morning
    let honolulu = LocalDay(of: now, in: "Pacific/Honolulu")
    #expect(honolulu.text == "2026-01-30")
    #expect(MomentQuotaRule.block(tier: .free, reached: Self.daily, today: honolulu) == nil)
    let kiritimati = LocalDay(of: now + .seconds(7_200), in: "Pacific/Kiritimati")
    #expect(kiritimati.text == "2026-02-01")
    #expect(MomentQuotaRule.block(tier: .free, reached: Self.daily, today: kiritimati) == nil)
  }
}
