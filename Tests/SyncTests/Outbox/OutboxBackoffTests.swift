import Model
import Testing

@testable import Sync

@Suite struct OutboxBackoffTests {
  @Test(arguments: [
    (0, 60), (1, 60), (2, 120), (3, 240), (8, 7_680), (9, 15_360), (10, 21_600), (11, 21_600),
    (1_000_000, 21_600),
  ])
  func `the wait doubles up to the cap`(attempts: Int, seconds: Int) {
    #expect(OutboxBackoff().wait(afterAttempts: attempts) == .seconds(seconds))
  }

  @Test(arguments: [(0.0, 30), (0.5, 60), (0.75, 75)])
  func `jitter spreads the wait from a half to one and a half`(random: Double, seconds: Int) {
    let now = Instant(unixSeconds: 1_000)
    let next = OutboxBackoff().nextAttempt(after: now, attempts: 1, retryAfter: nil, random: random)
    #expect(next - now == .seconds(seconds))
  }

  @Test(arguments: [
    (29, 30), (30, 30), (31, 31), (9_999, 9_999), (86_400, 86_400), (86_401, 86_400),
    (1_000_000_000, 86_400),
  ])
  func `the server's Retry-After is a lower bound, up to a day`(asked: Int, seconds: Int) {
    let now = Instant(unixSeconds: 1_000)
    let next = OutboxBackoff().nextAttempt(
      after: now, attempts: 1, retryAfter: .seconds(asked), random: 0)
    #expect(next - now == .seconds(seconds))
  }
}
