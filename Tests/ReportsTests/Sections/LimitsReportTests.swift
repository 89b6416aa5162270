import Model
import ReportsTesting
import Testing

@testable import Reports
@testable import Store

@Suite struct LimitsReportTests {
  private func state(
    _ feature: Feature, profile: Profile = Profile(), _ state: LimitState
  ) -> LimitAvailability {
    LimitStatus(
      feature,
      of: LimitsData.ProfileLimits(
        profile: profile, states: [feature: state],
        moments: LimitsData.MomentUsage(today: SampleReports.today)),
      settings: SampleReports.settings, now: SampleReports.context.now
    ).availability
  }

  @Test func `a profile is available, at the limit, cooling down, bypassing, or not limited`() {
    let now = SampleReports.context.now
    #expect(state(.filter, LimitState(usage: 1)) == .available)
    #expect(state(.filter, LimitState(usage: 2)) == .atLimit)
    #expect(
      state(.filter, LimitState(usage: 2, cooldownStartedAt: now - .seconds(118))) == .coolingDown)
    #expect(
      state(.filter, LimitState(usage: 2, cooldownStartedAt: now - .seconds(119))) == .available)
    #expect(state(.filter, profile: Profile(tier: .lite), LimitState(usage: 2)) == .bypassed)
    #expect(
      state(.filter, profile: Profile(firstAccountCreatedAt: now - .seconds(7_199)), .initial)
        == .bypassed)
    #expect(state(.message, .initial) == .unlimited)
  }

  @Test func `only limited features are listed, each for every profile`() {
    let statuses = LimitStatus.all(SampleReports.limits, now: SampleReports.context.now)
    #expect(statuses.map(\.feature) == [.refresh, .filter])
  }

  @Test func `a bad setting is a warning that leads to the settings`() {
    let report = LimitsReport.make(SampleReports.limits, context: SampleReports.context)
    #expect(report.findings.map(\.section) == ["settings"])
    #expect(report.findings.first?.sentence.contains("freeFilterCooldownSeconds") == true)
  }

  @Test func `waiting profiles come first, the shortest wait before the longest`() {
    let now = SampleReports.context.now
    func limits(_ name: String, _ state: LimitState, tier: Tier = .free)
      -> LimitsData.ProfileLimits
    {
      LimitsData.ProfileLimits(
        profile: Profile(name: name, tier: tier), states: [.filter: state],
        moments: LimitsData.MomentUsage(today: SampleReports.today))
    }
    var data = SampleReports.limits
    data.profiles = [
      limits("pro", .initial, tier: .pro), limits("free", .initial),
      limits("full", LimitState(usage: 2)),
      limits("long", LimitState(usage: 2, cooldownStartedAt: now - .seconds(10))),
      limits("short", LimitState(usage: 2, cooldownStartedAt: now - .seconds(100))),
    ]
    let statuses = LimitStatus.all(data, now: now)
    #expect(statuses.map(\.profile.name) == ["short", "long", "full", "free", "pro"])
    let row = LimitOverview.featureTable(statuses, data.settings).rows[1]
    #expect(
      row.cells == [
        .text("Filter"), .count(5), .count(1), .count(2), .count(1), .count(1),
        .countdown(remaining: 20, of: 120),
      ])
  }
}
