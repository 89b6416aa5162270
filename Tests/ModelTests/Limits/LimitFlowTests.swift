import Testing

@testable import Model

/// The numbered flows of the app's own document on refresh limits, as named tests.
@Suite("The flow of attempts")
struct LimitFlowTests {
  private func popup(_ result: LimitResult) throws -> Popup {
    try #require(Popup(after: result, appName: "ChatHub", price: nil))
  }

  /// Shows `expected`, proceeds and succeeds.
  private func expectUse(_ attempt: inout Attempt, left expected: String) throws {
    let opened = attempt.ask(.check)
    #expect(try popup(opened).remainingText == expected)
    #expect(opened.canProceed)
    attempt.state = LimitRule.recordSuccess(of: opened).newState
    attempt.now = attempt.now + .seconds(1)
  }

  /// Blocked, with the bar full and the countdown at its start.
  private func expectBlock(_ attempt: inout Attempt) throws {
    let result = attempt.ask(.use)
    let popup = try popup(result)
    #expect(!result.canProceed)
    #expect(popup.remainingText == nil)
    #expect(popup.timeLeftText == "Time remaining: 2:00")
    #expect(popup.barFraction == 1)
    #expect(result.events == [.popupShown, .blockedLimitReached])
  }

  private func expectCountdown(_ attempt: inout Attempt) throws {
    attempt.now = attempt.now + .seconds(30)
    let popup = try popup(attempt.ask(.check))
    #expect(popup.timeLeftText == "Time remaining: 1:30")
    #expect(popup.barFraction == 0.75)
    #expect(popup.remainingText == nil)
  }

  private func expectFreshStart(_ attempt: inout Attempt, limit: Int) throws {
    attempt.now = attempt.now + .seconds(89)
    let reset = attempt.ask(.check)
    #expect(reset.canProceed && reset.justReset && !reset.showPopup)
    #expect(reset.currentUsage == 0)
    for left in (1...limit).reversed() { try expectUse(&attempt, left: "\(left) left") }
    try expectBlock(&attempt)
  }

  @Test func `limit 2, attempt 1: '2 left', proceeds`() throws {
    var attempt = Attempt()
    try expectUse(&attempt, left: "2 left")
    #expect(attempt.state == LimitState(usage: 1))
  }

  @Test
  func `limit 2, attempt 2: '1 left', proceeds, and reaching the limit starts no cooldown`() throws
  {
    var attempt = Attempt()
    try expectUse(&attempt, left: "2 left")
    try expectUse(&attempt, left: "1 left")
    #expect(attempt.state == LimitState(usage: 2))
  }

  @Test func `limit 2, attempt 3: blocked, the cooldown starts at 2:00`() throws {
    var attempt = Attempt(state: LimitState(usage: 2))
    try expectBlock(&attempt)
  }

  @Test func `limit 2, step 4: the countdown runs and the bar shrinks`() throws {
    var attempt = Attempt(state: LimitState(usage: 2))
    try expectBlock(&attempt)
    try expectCountdown(&attempt)
  }

  @Test func `limit 2, steps 5 and 6: the timer ends, two more uses, blocked again`() throws {
    var attempt = Attempt(state: LimitState(usage: 2))
    try expectBlock(&attempt)
    try expectCountdown(&attempt)
    try expectFreshStart(&attempt, limit: 2)
  }

  @Test func `limit 5, attempts 1 to 5: '5 left' down to '1 left'`() throws {
    var attempt = Attempt(limit: FeatureLimit(limit: 5, cooldownSeconds: 120))
    for left in [5, 4, 3, 2, 1] { try expectUse(&attempt, left: "\(left) left") }
    #expect(attempt.state == LimitState(usage: 5))
  }

  @Test
  func `limit 5, attempt 6 and steps 7 to 9: blocked, counted down, five fresh uses`() throws {
    var attempt = Attempt(
      state: LimitState(usage: 5), limit: FeatureLimit(limit: 5, cooldownSeconds: 120))
    try expectBlock(&attempt)
    try expectCountdown(&attempt)
    try expectFreshStart(&attempt, limit: 5)
  }
}
