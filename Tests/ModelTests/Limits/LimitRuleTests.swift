import Testing

@testable import Model

@Suite("Cooldown limits")
struct LimitRuleTests {
  @Test(arguments: [0, 1])
  func `a use under the limit proceeds behind the popup`(usage: Int) {
    var attempt = Attempt(state: LimitState(usage: usage))
    let result = attempt.ask(.check)
    #expect(result.canProceed)
    #expect(result.showPopup)
    #expect(result.events == [.popupShown])
    #expect(result.currentUsage == usage)
    #expect(result.userType == .freeUser)
    #expect(!result.isLimitReached)
    #expect(result.remainingCooldown == .zero)
    #expect(result.resetsAt == nil)
    #expect(attempt.state == LimitState(usage: usage))
  }

  @Test(arguments: [2, 3, 9])
  func `the first blocked check starts the cooldown at its full length`(usage: Int) {
    var attempt = Attempt(state: LimitState(usage: usage))
    let result = attempt.ask(.check)
    #expect(!result.canProceed)
    #expect(result.showPopup)
    #expect(result.isLimitReached)
    #expect(result.events == [.popupShown, .blockedLimitReached])
    #expect(result.remainingCooldown == .seconds(120))
    #expect(result.resetsAt == Attempt.start + .seconds(120))
    #expect(attempt.state == LimitState(usage: usage, cooldownStartedAt: Attempt.start))
  }

  @Test func `a check while the cooldown runs is blocked and does not restart it`() {
    var attempt = Attempt.coolingDown(for: .milliseconds(500))
    let result = attempt.ask(.check)
    #expect(!result.canProceed)
    #expect(result.events == [.popupShown, .blockedCooldown])
    #expect(result.remainingCooldown == .milliseconds(119_500))
    #expect(result.resetsAt == Attempt.start + .milliseconds(119_500))
    #expect(attempt.state.cooldownStartedAt == Attempt.start - .milliseconds(500))
  }

  @Test(arguments: [
    (Duration.microseconds(118_999_999), false), (.seconds(119), true),
    (.microseconds(119_000_001), true), (.seconds(120), true), (.seconds(90_000), true),
  ])
  func `a cooldown ends when one second or less is left`(elapsed: Duration, isOver: Bool) {
    var attempt = Attempt.coolingDown(for: elapsed)
    let result = attempt.ask(.check)
    #expect(result.canProceed == isOver)
    #expect(result.justReset == isOver)
    #expect(result.showPopup != isOver)
    #expect(result.currentUsage == (isOver ? 0 : 2))
    #expect(
      result.events
        == (isOver ? [.limitReset, .cooldownCompleted] : [.popupShown, .blockedCooldown]))
    #expect((attempt.state == .initial) == isOver)
  }

  @Test(arguments: [Duration.microseconds(1), .seconds(1), .seconds(86_400 * 365)])
  func `a clock that went back restarts the cooldown, never longer than its length`(gap: Duration) {
    var attempt = Attempt.coolingDown(for: .zero - gap)
    let result = attempt.ask(.check)
    #expect(!result.canProceed)
    #expect(result.remainingCooldown == .seconds(120))
    #expect(result.events == [.clockSkew, .popupShown, .blockedCooldown])
    #expect(attempt.state.cooldownStartedAt == Attempt.start)
  }

  @Test func `a cooldown that began this very instant is no clock skew`() {
    var attempt = Attempt.coolingDown(for: .zero)
    #expect(attempt.ask(.check).events == [.popupShown, .blockedCooldown])
  }

  @Test(arguments: [Tier.lite, .plus, .pro])
  func `a subscriber proceeds without a popup or a count`(tier: Tier) {
    var attempt = Attempt.coolingDown(for: .seconds(5))
    attempt.tier = tier
    let before = attempt.state
    let result = attempt.ask(.use)
    #expect(result.canProceed)
    #expect(!result.showPopup)
    #expect(result.remainingCooldown == .zero)
    #expect(result.userType == .liteSubscriber)
    #expect(result.events == [.liteSubscriberBypass, .performed])
    #expect(result.currentUsage == 2)
    #expect(attempt.state == before)
  }

  @Test func `expiry comes before the subscription, so a subscriber's old cooldown is cleared`() {
    var attempt = Attempt.coolingDown(for: .seconds(200))
    attempt.tier = .lite
    let result = attempt.ask(.check)
    #expect(result.events == [.limitReset, .cooldownCompleted, .liteSubscriberBypass])
    #expect(attempt.state == .initial)
  }

  @Test func `a new user proceeds without a popup or a count, even at the limit`() {
    var attempt = Attempt.coolingDown(for: .seconds(5))
    attempt.firstAccountCreatedAt = Attempt.start - .seconds(60)
    let result = attempt.ask(.use)
    #expect(result.canProceed)
    #expect(!result.showPopup)
    #expect(result.userType == .newUser)
    #expect(result.events == [.newUserBypass, .performed])
    #expect(attempt.state.usage == 2)
  }

  @Test func `the subscription outranks the grace for new users`() {
    var attempt = Attempt(tier: .pro, firstAccountCreatedAt: Attempt.start)
    let result = attempt.ask(.check)
    #expect(result.userType == .liteSubscriber)
    #expect(result.events == [.liteSubscriberBypass])
  }

  @Test func `a feature without a limit proceeds, shows nothing and counts nothing`() {
    var attempt = Attempt(feature: .message, state: LimitState(usage: 7), limit: nil)
    let result = attempt.ask(.use)
    #expect(result.canProceed)
    #expect(!result.showPopup)
    #expect(!result.isLimitReached)
    #expect(result.events == [.performed])
    #expect(result.reason == "The settings do not limit message.")
    #expect(attempt.state == LimitState(usage: 7))
  }

  @Test func `a failed action costs nothing`() {
    var attempt = Attempt(state: LimitState(usage: 1))
    let result = attempt.ask(.use, succeeds: false)
    #expect(result.canProceed)
    #expect(result.events == [.popupShown])
    #expect(attempt.state == LimitState(usage: 1))
  }

  @Test func `a blocked use is neither performed nor counted`() {
    var attempt = Attempt(state: LimitState(usage: 2))
    let result = attempt.ask(.use)
    #expect(!result.events.contains(.performed))
    #expect(attempt.state.usage == 2)
  }

  @Test func `raising the limit in mid-cooldown frees at once, lowering it blocks at once`() {
    var raised = Attempt.coolingDown(for: .seconds(10))
    raised.limit = FeatureLimit(limit: 3, cooldownSeconds: 120)
    let free = raised.ask(.check)
    #expect(free.canProceed)
    #expect(free.remainingCooldown == .zero)
    #expect(free.resetsAt == nil)

    var lowered = Attempt(state: LimitState(usage: 1))
    lowered.limit = FeatureLimit(limit: 1, cooldownSeconds: 120)
    #expect(lowered.ask(.check).events == [.popupShown, .blockedLimitReached])
  }

  @Test func `changing the cooldown's length moves the end of a running one`() {
    var attempt = Attempt.coolingDown(for: .seconds(60))
    attempt.limit = FeatureLimit(limit: 2, cooldownSeconds: 300)
    #expect(attempt.ask(.check).remainingCooldown == .seconds(240))
    attempt.limit = FeatureLimit(limit: 2, cooldownSeconds: 61)
    #expect(attempt.ask(.check).justReset)
  }

  @Test func `instants at the ends of 64 bits are decided, not trapped`() {
    for now in [Instant(microseconds: .min), Instant(microseconds: .max)] {
      for startedAt in [Instant(microseconds: .min), Instant(microseconds: .max)] {
        var attempt = Attempt(state: LimitState(usage: 2, cooldownStartedAt: startedAt))
        attempt.firstAccountCreatedAt = Instant(microseconds: .max)
        attempt.newUserFreePeriodSeconds = .max
        attempt.now = now
        let result = attempt.ask(.check)
        #expect(result.remainingCooldown <= .seconds(120))
      }
    }
  }
}
