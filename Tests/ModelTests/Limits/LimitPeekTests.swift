import Model
import Testing

@Suite("Peeking at a limit")
struct LimitPeekTests {
  @Test func `at the limit with no cooldown running a peek waits for nothing and starts nothing`() {
    var attempt = Attempt(state: LimitState(usage: 2))
    let result = attempt.ask(.peek)
    #expect(!result.canProceed)
    #expect(result.showPopup)
    #expect(result.remainingCooldown == .zero)
    #expect(result.resetsAt == nil)
    #expect(result.events == [])
    #expect(attempt.state == LimitState(usage: 2))
    #expect(result.steps.last == .atLimit(usage: 2, limit: 2))
  }

  @Test func `during a cooldown a peek reports what is left`() {
    var attempt = Attempt.coolingDown(for: .seconds(20))
    let result = attempt.ask(.peek)
    #expect(!result.canProceed)
    #expect(result.remainingCooldown == .seconds(100))
    #expect(result.resetsAt == Attempt.start + .seconds(100))
    #expect(result.events == [])
  }

  @Test func `after the cooldown a peek reports the fresh allowance and leaves the old state`() {
    var attempt = Attempt.coolingDown(for: .seconds(119))
    let before = attempt.state
    let result = attempt.ask(.peek)
    #expect(result.canProceed)
    #expect(result.justReset)
    #expect(result.currentUsage == 0)
    #expect(result.events == [])
    #expect(attempt.state == before)
  }

  @Test func `with the clock gone back a peek reports the restart without making it`() {
    var attempt = Attempt.coolingDown(for: .seconds(-50))
    let before = attempt.state
    #expect(attempt.ask(.peek).remainingCooldown == .seconds(120))
    #expect(attempt.state == before)
  }
}
