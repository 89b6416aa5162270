import Model
import Rules
import Testing

@testable import Reports

@Suite struct LimitsReportTests {
  private func state(
    _ feature: Feature, profile: Profile = Profile(), _ state: LimitState
  ) -> LimitStanding.State {
    LimitStanding(
      feature,
      of: LimitsFacts.ProfileLimits(
        profile: profile, states: [feature: state],
        moments: LimitsFacts.Moments(today: SampleFacts.today)),
      settings: SampleFacts.settings, now: SampleFacts.frame.now
    ).state
  }

  @Test("a profile is available, at the limit, cooling down, bypassing, or not limited")
  func states() {
    let now = SampleFacts.frame.now
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

  @Test("only limited features are listed, each for every profile")
  func listed() {
    let standings = LimitStanding.all(SampleFacts.limits, now: SampleFacts.frame.now)
    #expect(standings.map(\.feature) == [.refresh, .filter])
  }

  @Test("a bad setting is a warning that leads to the settings")
  func warnings() {
    let report = LimitsReport.make(SampleFacts.limits, frame: SampleFacts.frame)
    #expect(report.findings.map(\.section) == ["settings"])
    #expect(report.findings.first?.sentence.contains("freeFilterCooldownSeconds") == true)
  }

  @Test("those who wait come first, the shortest wait before the longest")
  func order() {
    let now = SampleFacts.frame.now
    func limits(_ name: String, _ state: LimitState, tier: Tier = .free)
      -> LimitsFacts.ProfileLimits
    {
      LimitsFacts.ProfileLimits(
        profile: Profile(name: name, tier: tier), states: [.filter: state],
        moments: LimitsFacts.Moments(today: SampleFacts.today))
    }
    var facts = SampleFacts.limits
    facts.profiles = [
      limits("pro", .initial, tier: .pro), limits("free", .initial),
      limits("full", LimitState(usage: 2)),
      limits("long", LimitState(usage: 2, cooldownStartedAt: now - .seconds(10))),
      limits("short", LimitState(usage: 2, cooldownStartedAt: now - .seconds(100))),
    ]
    let standings = LimitStanding.all(facts, now: now)
    #expect(standings.map(\.profile.name) == ["short", "long", "full", "free", "pro"])
    let row = LimitFeatures.table(standings, facts.settings).rows[1]
    #expect(
      row.cells == [
        .text("Filter"), .count(5), .count(1), .count(2), .count(1), .count(1),
        .countdown(remaining: 20, of: 120),
      ])
  }
}
