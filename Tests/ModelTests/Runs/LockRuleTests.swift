import Fixtures
import Testing

@testable import Model

/// Held against `docs/running.md#lock`.
@Suite struct LockRuleTests {
  private let since = Instant.morning

  private func verdict(
    holding jobs: Set<String>?, timeout: Duration? = .seconds(300), after elapsed: Duration = .zero
  ) -> LockVerdict {
    LockRule.verdict(
      on: "online-users", needs: ["settings"],
      holding: jobs.map { LockRule.Holding(jobs: $0, since: since, timeout: timeout) },
      at: since + elapsed)
  }

  @Test func `who does the same job, or one that it needs, covers it`() {
    #expect(verdict(holding: ["online-users"]) == .covered)
    #expect(verdict(holding: ["settings"]) == .covered)
    #expect(verdict(holding: ["events", "settings", "maintain"]) == .covered)
    #expect(verdict(holding: ["events"]) == .otherWork)
    #expect(verdict(holding: []) == .otherWork)
    #expect(verdict(holding: nil) == .otherWork)
  }

  @Test func `a holder is within its timeout at its end, and not a microsecond later`() {
    let job: Set = ["online-users"]
    #expect(verdict(holding: job, after: .seconds(300) - .microseconds(1)) == .covered)
    #expect(verdict(holding: job, after: .seconds(300)) == .covered)
    #expect(verdict(holding: job, after: .seconds(300) + .microseconds(1)) == .overtime)
    #expect(verdict(holding: ["events"], after: .seconds(301)) == .overtime)
    #expect(verdict(holding: job, timeout: nil, after: .seconds(864_000)) == .covered)
  }

  private func isWorthWaiting(
    _ waited: Duration, holding jobs: Set<String>? = ["events"], timeout: Duration? = nil,
    own: Set<String> = ["online-users", "settings"], at elapsed: Duration = .zero
  ) -> Bool {
    LockRule.isWorthWaiting(
      for: jobs.map { LockRule.Holding(jobs: $0, since: since, timeout: timeout) }, jobs: own,
      waited: waited, at: since + elapsed)
  }

  @Test
  func `everybody waits for ten seconds, and for ten minutes whoever has a turn to wait for`() {
    let almost = LockRule.shortWait - .microseconds(1)
    #expect(isWorthWaiting(almost, holding: nil) && !isWorthWaiting(.seconds(10), holding: nil))
    #expect(isWorthWaiting(.seconds(10)) && isWorthWaiting(LockRule.longWait - .microseconds(1)))
    #expect(!isWorthWaiting(LockRule.longWait))
  }

  @Test func `nobody waits for a holder that does all of it anyway, or that should have ended`() {
    #expect(isWorthWaiting(almostShort, holding: ["settings", "online-users"]))
    #expect(!isWorthWaiting(.seconds(10), holding: ["settings", "online-users", "events"]))
    #expect(isWorthWaiting(.seconds(10), holding: ["settings"]))
    #expect(isWorthWaiting(.seconds(10), holding: ["settings"], own: []))
    #expect(isWorthWaiting(.seconds(10), timeout: .seconds(60), at: .seconds(60)))
    #expect(!isWorthWaiting(.seconds(10), timeout: .seconds(60), at: .seconds(61)))
  }

  private var almostShort: Duration { LockRule.shortWait - .microseconds(1) }
}
