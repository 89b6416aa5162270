import Model
import Rules
import Testing

@testable import Reports

@Suite struct LimitsReportTests {
  private func state(
    _ feature: Feature, profile: Profile = Profile(), _ state: LimitState
  ) -> LimitStanding.State {
    LimitStanding(
      feature, of: LimitsFacts.ProfileLimits(profile: profile, states: [feature: state]),
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

  @Test("each limited popup is shown available and cooling down, with the limit in force")
  func popups() throws {
    let report = LimitsReport.make(SampleFacts.limits, frame: SampleFacts.frame)
    let section = try #require(report.sections.first { $0.id == "popups" })
    guard case .popups(let previews)? = section.blocks.first else {
      Issue.record("there are no popups")
      return
    }
    #expect(previews.map(\.feature) == [.refresh, .refresh, .filter, .filter])
    #expect(previews.map(\.popup.isCoolingDown) == [false, true, false, true])
    #expect(previews[0].popup.remainingText == "5 left")
    #expect(previews[1].popup.timeLeftText == "Time remaining: 1:24")
    #expect(previews.allSatisfy { $0.popup.price == "$2.99/week" })
  }
}
