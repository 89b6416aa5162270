import Model
import Rules
import Testing

@Suite("Peeking at a limit")
struct LimitPeekTests {
  @Test("at the limit with no cooldown running a peek waits for nothing and starts nothing")
  func atTheLimit() {
    var attempt = Attempt(state: LimitState(usage: 2))
    let decision = attempt.ask(.peek)
    #expect(!decision.canProceed)
    #expect(decision.showPopup)
    #expect(decision.remainingCooldown == .zero)
    #expect(decision.resetsAt == nil)
    #expect(decision.events == [])
    #expect(attempt.state == LimitState(usage: 2))
    #expect(decision.steps.last == .atLimit(usage: 2, limit: 2))
  }

  @Test("during a cooldown a peek reports what is left")
  func coolingDown() {
    var attempt = Attempt.coolingDown(for: .seconds(20))
    let decision = attempt.ask(.peek)
    #expect(!decision.canProceed)
    #expect(decision.remainingCooldown == .seconds(100))
    #expect(decision.resetsAt == Attempt.start + .seconds(100))
    #expect(decision.events == [])
  }

  @Test("after the cooldown a peek reports the fresh allowance and leaves the old state")
  func expired() {
    var attempt = Attempt.coolingDown(for: .seconds(119))
    let before = attempt.state
    let decision = attempt.ask(.peek)
    #expect(decision.canProceed)
    #expect(decision.justReset)
    #expect(decision.currentUsage == 0)
    #expect(decision.events == [])
    #expect(attempt.state == before)
  }

  @Test("with the clock gone back a peek reports the restart without making it")
  func clockBack() {
    var attempt = Attempt.coolingDown(for: .seconds(-50))
    let before = attempt.state
    #expect(attempt.ask(.peek).remainingCooldown == .seconds(120))
    #expect(attempt.state == before)
  }
}
