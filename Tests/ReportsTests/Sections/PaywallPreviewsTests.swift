import ReportsTesting
import Testing

@testable import Model
@testable import Reports
@testable import Store

@Suite struct PaywallPreviewsTests {
  private func previews(_ data: LimitsData) throws -> [PopupPreview] {
    guard case .popups(let gallery)? = PaywallPreviews.section(data).blocks.first else {
      Issue.record("there is no gallery")
      return []
    }
    return gallery.previews
  }

  private func data(_ reached: ReachedMomentLimits, tier: Tier = .free) -> LimitsData {
    var data = SampleReports.limits
    data.profiles[0].moments.reached = reached
    data.profiles[0].profile.tier = tier
    return data
  }

  @Test func `all triggers and the subscriber's card are shown, with the quotas in force`() throws {
    let previews = try previews(SampleReports.limits)
    #expect(
      previews.map(\.state) == [
        "now", "daily-limit-reached", "total-limit-reached", "timeline-restricted", "manual",
        "premium",
      ])
    guard case .paywall(let total, let price) = previews[2].picture else {
      Issue.record("no paywall")
      return
    }
    #expect(
      total.banner == "You've logged 10 moments. Go premium to keep celebrating your wins.")
    #expect(price == "$2.99/week")
  }

  @Test
  func `the real preview is the paywall that blocks, the total quota before the day's`() throws {
    let day = SampleReports.today.text
    func trigger(_ reached: ReachedMomentLimits) throws -> Paywall.Trigger? {
      let first = try #require(try previews(data(reached)).first)
      guard case .paywall(let paywall, _) = first.picture else { return nil }
      return paywall.trigger
    }
    #expect(try trigger(ReachedMomentLimits(dailyLimitDay: day)) == .dailyLimitReached)
    #expect(
      try trigger(ReachedMomentLimits(dailyLimitDay: day, isTotalLimitReached: true))
        == .totalLimitReached)
    #expect(try trigger(ReachedMomentLimits(dailyLimitDay: "2026-03-01")) == nil)
    #expect(try trigger(.none) == nil)
  }

  @Test func `a restricted timeline shows its paywall when no quota does`() throws {
    var data = self.data(.none)
    data.profiles[0].profile.isTimelineRestricted = true
    let first = try #require(try previews(data).first)
    guard case .paywall(let paywall, _) = first.picture else {
      Issue.record("no paywall")
      return
    }
    #expect(paywall.trigger == .timelineRestricted)
    #expect(first.caption == "default now: may log, timeline restricted")
  }

  @Test func `a subscriber sees the card of thanks, whatever the service answered`() throws {
    let data = self.data(ReachedMomentLimits(isTotalLimitReached: true), tier: .lite)
    let first = try #require(try previews(data).first)
    guard case .premium(let paywall) = first.picture else {
      Issue.record("no thanks")
      return
    }
    #expect(paywall.serverMessage == nil)
  }

  @Test
  func `quotas list profiles that logged or were blocked, with the day's end if it unblocks`()
    throws
  {
    var data = self.data(ReachedMomentLimits(isTotalLimitReached: true))
    data.profiles.append(
      LimitsData.ProfileLimits(
        profile: Profile(name: "idle"), states: [:],
        moments: LimitsData.MomentUsage(today: SampleReports.today)))
    data.profiles.append(
      LimitsData.ProfileLimits(
        profile: Profile(name: "daily"), states: [:],
        moments: LimitsData.MomentUsage(
          today: SampleReports.today, countTotal: 1,
          reached: ReachedMomentLimits(dailyLimitDay: SampleReports.today.text))))
    guard case .table(let table) = MomentQuotas.section(data).blocks[1] else {
      Issue.record("no table")
      return
    }
    #expect(table.rows.map { $0.cells[0] } == [.text("default"), .text("daily")])
    #expect(
      table.rows.map { $0.cells[2] } == [
        .level(.warn, "Quota of all reached"), .level(.warn, "Day's quota reached"),
      ])
    #expect(table.rows.map { $0.cells[7] } == [.missing, .instant(SampleReports.today.end)])
  }
}
