import Fixtures
import Testing

@testable import Model

@Suite("The end of a cooldown")
struct LimitEndTests {
  private static let start = Instant.morning
  private let limit = FeatureLimit(limit: 2, cooldownSeconds: 120)
  private let cooling = LimitState(usage: 2, cooldownStartedAt: start)

  @Test(
    arguments: [
      (118_999_999, nil), (119_000_000, 119_000_000), (119_000_001, 119_000_001),
      (120_000_000, 120_000_000), (120_000_001, 120_000_000), (9_000_000_000, 120_000_000),
      (-1, nil), (0, nil),
    ] as [(Int64, Int64?)])
  func `it is over with 1.0 s left or less, and ended when it ended or now, the earlier one`(
    passed: Int64, ended: Int64?
  ) {
    let end = LimitRule.ended(cooling, limit: limit, now: Self.start + .microseconds(passed))
    #expect(end?.at == ended.map { Self.start + .microseconds($0) })
    #expect(end?.state == ended.map { _ in LimitState(isFresh: true) })
  }

  @Test func `without a cooldown, or without a limit, nothing ends`() {
    let later = Self.start + .seconds(9_000)
    #expect(LimitRule.ended(LimitState(usage: 2), limit: limit, now: later) == nil)
    #expect(LimitRule.ended(LimitState(isFresh: true), limit: limit, now: later) == nil)
    #expect(LimitRule.ended(cooling, limit: nil, now: later) == nil)
  }

  @Test(
    arguments: LimitAction.allCases,
    [Tier.free, .lite])
  func `recording it changes no later decision`(action: LimitAction, tier: Tier) throws {
    for seconds in [119, 120, 5_000] {
      let now = Self.start + .seconds(seconds)
      let ended = try #require(LimitRule.ended(cooling, limit: limit, now: now))
      let results = [cooling, ended.state].map { state in
        LimitRule.decide(
          LimitInput(
            feature: .refresh, state: state, limit: limit, tier: tier, firstAccountCreatedAt: nil,
            newUserFreePeriodSeconds: 0, now: now + .seconds(7)), action: action)
      }
      #expect(results[0].canProceed == results[1].canProceed)
      #expect(results[0].showPopup == results[1].showPopup)
      #expect(results[0].currentUsage == results[1].currentUsage)
      #expect(results[0].justReset && results[1].justReset)
      #expect(results[0].reason == results[1].reason)
      if action != .peek { #expect(results[0].newState == results[1].newState) }
      #expect(
        results[0].events.filter { ![.limitReset, .cooldownCompleted].contains($0) }
          == results[1].events)
    }
  }

  @Test func `a fresh allowance acts at once one time only`() {
    var attempt = Attempt(state: LimitState(isFresh: true))
    #expect(!attempt.ask(.check).showPopup)
    #expect(attempt.ask(.check).showPopup)
  }
}
