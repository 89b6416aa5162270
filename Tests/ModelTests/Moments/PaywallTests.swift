import Fixtures
import Foundation
import Testing

@testable import Model

/// The behaviour that the app's own checklist of the paywall lists, and its texts.
@Suite("The paywall")
struct PaywallTests {
  private static func allowance(_ set: [SettingKey: String] = [:]) -> MomentAllowance {
    MomentAllowance(SettingsRule.resolve(fetched: [], workspace: set))
  }

  private static func paywall(
    _ trigger: Paywall.Trigger, _ set: [SettingKey: String] = [:]
  ) -> Paywall {
    Paywall(trigger, allowance: allowance(set))
  }

  private let today = LocalDay(of: Instant.morning, in: "UTC")

  private func due(_ tier: Tier, _ reached: ReachedMomentLimits) -> Paywall.Trigger? {
    Paywall.dueTrigger(tier: tier, reached: reached, today: today)
  }

  @Test func `has four triggers by the names of the app`() {
    #expect(
      Paywall.Trigger.allCases.map(\.rawValue) == [
        "daily_limit_reached", "total_limit_reached", "timeline_restricted", "manual",
      ])
  }

  @Test func `shows one banner for either limit, with the limit's own text, and no other`() {
    #expect(
      Self.paywall(.totalLimitReached).banner
        == "You've logged 10 moments. Go premium to keep celebrating your wins.")
    #expect(
      Self.paywall(.dailyLimitReached).banner
        == "Daily limit reached. Go premium to continue without interruptions.")
    #expect(Self.paywall(.timelineRestricted).banner == nil)
    #expect(Self.paywall(.manual).banner == nil)
  }

  @Test func `has the same header, descriptions and benefits whatever triggers it`() {
    for trigger in Paywall.Trigger.allCases {
      let paywall = Self.paywall(trigger)
      #expect(paywall.header == "Unlock up to 10 moments per day")
      #expect(paywall.premiumDescription == "Up to 10 moments per day, unlimited history")
      #expect(paywall.freeDescription == "3 moments per day, 10 total")
      #expect(
        paywall.benefits == [
          "up to 10 moments a day", "unlimited total moments", "full journey history",
        ])
    }
  }

  @Test func `takes every number from the settings`() {
    let paywall = Self.paywall(
      .totalLimitReached,
      [.freeMomentsPerDay: "5", .premiumMomentsPerDay: "50", .freeMomentsTotal: "20"])
    #expect(
      paywall.banner == "You've logged 20 moments. Go premium to keep celebrating your wins.")
    #expect(paywall.header == "Unlock up to 50 moments per day")
    #expect(paywall.premiumDescription == "Up to 50 moments per day, unlimited history")
    #expect(paywall.freeDescription == "5 moments per day, 20 total")
    #expect(paywall.benefits.first == "up to 50 moments a day")
  }

  @Test func `counts one moment in the singular`() {
    let paywall = Self.paywall(
      .totalLimitReached,
      [.freeMomentsPerDay: "1", .premiumMomentsPerDay: "1", .freeMomentsTotal: "1"])
    #expect(
      paywall.banner == "You've logged 1 moment. Go premium to keep celebrating your wins.")
    #expect(paywall.header == "Unlock up to 1 moment per day")
    #expect(paywall.freeDescription == "1 moment per day, 1 total")
  }

  @Test func `the daily limit triggers it on that day`() {
    #expect(due(.free, ReachedMomentLimits(dailyLimitDay: "2026-01-31")) == .dailyLimitReached)
  }

  @Test func `the total limit triggers it, before the daily one`() {
    let reached = ReachedMomentLimits(dailyLimitDay: "2026-01-31", isTotalLimitReached: true)
    #expect(due(.free, reached) == .totalLimitReached)
  }

  @Test func `stays out of the way while no limit is known, and of a subscriber always`() {
    #expect(due(.free, .none) == nil)
    #expect(due(.free, ReachedMomentLimits(dailyLimitDay: "2026-01-30")) == nil)
    for tier in [Tier.lite, .plus, .pro] {
      #expect(due(tier, ReachedMomentLimits(isTotalLimitReached: true)) == nil)
    }
  }

  @Test func `a restricted timeline triggers it for a free profile, behind the limits`() {
    func due(_ tier: Tier, _ reached: ReachedMomentLimits) -> Paywall.Trigger? {
      Paywall.dueTrigger(tier: tier, reached: reached, today: today, isTimelineRestricted: true)
    }
    #expect(due(.free, .none) == .timelineRestricted)
    #expect(due(.free, ReachedMomentLimits(dailyLimitDay: "2026-01-31")) == .dailyLimitReached)
    #expect(due(.free, ReachedMomentLimits(isTotalLimitReached: true)) == .totalLimitReached)
    for tier in [Tier.lite, .plus, .pro] { #expect(due(tier, .none) == nil) }
  }

  @Test func `carries the service's words only for the limit that is in the way`() {
    let reached = ReachedMomentLimits(
      dailyLimitDay: "2026-01-31", isTotalLimitReached: true, dailyMessage: "day",
      totalMessage: "all")
    let snapshot = MomentSnapshot(
      tier: .free, today: today, countToday: 0, countTotal: 0, allowance: Self.allowance(),
      reached: reached)
    #expect(snapshot.paywall().serverMessage == "all")
    #expect(snapshot.paywall(.totalLimitReached).serverMessage == "all")
    #expect(snapshot.paywall(.manual).serverMessage == nil)
    #expect(snapshot.paywall(.dailyLimitReached).serverMessage == nil)
  }

  @Test func `says in a line what a tier may log`() {
    let allowance = Self.allowance([.freeMomentsPerDay: "4", .freeMomentsTotal: "12"])
    #expect(allowance.words(for: .free) == "4 moments per day, 12 total")
    #expect(allowance.words(for: .plus) == "Up to 10 moments per day, unlimited history")
  }

  @Test func `its words stand in the manual`() throws {
    let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: "docs/moments.md"), encoding: .utf8)
    let total = Self.paywall(.totalLimitReached)
    let daily = Self.paywall(.dailyLimitReached)
    let words: [String?] = [
      total.banner, daily.banner, total.header, total.premiumDescription, total.freeDescription,
      total.benefits.joined(separator: "; "),
    ]
    #expect(text.contains("\(Paywall.thanks)"))
    for line in words { #expect(text.contains("| \(line ?? "?") |"), "\(line ?? "?")") }
    for trigger in Paywall.Trigger.allCases { #expect(text.contains("`\(trigger.rawValue)`")) }
    for limit in MomentLimit.allCases { #expect(text.contains("| `\(limit.rawValue)` |")) }
    let lengths = TextRule.moment.lengths
    #expect(
      text.contains("A moment has \(lengths.lowerBound) to \(lengths.upperBound) characters"))
  }
}
