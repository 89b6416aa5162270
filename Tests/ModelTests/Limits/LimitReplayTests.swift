import Fixtures
import Testing

@testable import Model

@Suite("Replaying attempts")
struct LimitReplayTests {
  private static let seeds: [UInt64] = Array(1...20)

  /// Attempts of a few users whose clock mostly goes on, with every kind of argument.
  static func attempts(seed: UInt64, count: Int = 400) -> [(LimitAttempt, user: Int)] {
    var random = SeededGenerator(seed: seed)
    var now = Attempt.start
    return (0..<count).map { _ in
      now = now + .milliseconds(Int64.random(in: -3_000...30_000, using: &random))
      let age = Duration.seconds(Int64.random(in: -400...8_000, using: &random))
      let attempt = LimitAttempt(
        at: now, feature: Feature.allCases.randomElement(using: &random) ?? .refresh,
        action: LimitAction.allCases.randomElement(using: &random) ?? .use,
        succeeds: Int.random(in: 0..<5, using: &random) > 0,
        tier: Int.random(in: 0..<6, using: &random) > 0 ? .free : .plus,
        firstAccountCreatedAt: Int.random(in: 0..<4, using: &random) > 0 ? nil : now - age)
      return (attempt, user: Int.random(in: 0..<4, using: &random))
    }
  }

  static let settings = SettingsRule.resolve(
    fetched: [], workspace: [.messageLimit: "1", .searchCooldown: "60"])

  @Test(arguments: seeds)
  func `a replay is the rule applied to each user's feature, one attempt after another`(
    seed: UInt64
  ) {
    var replay = LimitReplay(settings: Self.settings)
    var states: [Int: [Feature: LimitState]] = [:]
    for (attempt, user) in Self.attempts(seed: seed) {
      let state = states[user]?[attempt.feature] ?? .initial
      #expect(replay.state(of: user, attempt.feature) == state, "seed \(seed)")
      let result = LimitRule.decide(
        LimitInput(
          feature: attempt.feature, state: state, limit: Self.settings.limit(of: attempt.feature),
          tier: attempt.tier, firstAccountCreatedAt: attempt.firstAccountCreatedAt,
          newUserFreePeriodSeconds: 7_200, now: attempt.at),
        action: attempt.action, succeeds: attempt.succeeds)
      #expect(replay.decide(attempt, of: user) == result, "seed \(seed)")
      states[user, default: [:]][attempt.feature] = result.newState
    }
  }

  @Test(arguments: seeds)
  func `how users are interleaved does not matter`(seed: UInt64) {
    let attempts = Self.attempts(seed: seed)
    var together = LimitReplay(settings: Self.settings)
    var results: [Int: [LimitResult]] = [:]
    for (attempt, user) in attempts {
      results[user, default: []].append(together.decide(attempt, of: user))
    }
    var oneByOne = LimitReplay(settings: Self.settings)
    for user in (0..<4).reversed() {
      let alone = attempts.filter { $0.user == user }.map { oneByOne.decide($0.0, of: user) }
      #expect(alone == results[user] ?? [], "seed \(seed)")
    }
  }

  @Test(arguments: [0, -1, 1, -62_135_596_800_000_000, 253_402_300_799_999_999] as [Int64])
  func `a cooldown is remembered whenever it began, in 1970 and at both ends of the years`(
    microseconds: Int64
  ) {
    let start = Instant(microseconds: microseconds)
    var replay = LimitReplay(settings: Self.settings)
    #expect(replay.state(of: 0, .refresh).cooldownStartedAt == nil)
    for action in [LimitAction.use, .use, .check] {
      _ = replay.decide(LimitAttempt(at: start, feature: .refresh, action: action), of: 0)
    }
    #expect(
      replay.state(of: 0, .refresh) == LimitState(usage: 2, cooldownStartedAt: start))
    #expect(replay.state(of: 0, .filter) == .initial)
  }

  @Test func `a reset by hand empties one feature of one user, and nothing where nothing is`() {
    var replay = LimitReplay(settings: Self.settings)
    replay.reset(.search, of: 9)
    for user in 0..<2 {
      for feature in [Feature.refresh, .filter] {
        _ = replay.decide(
          LimitAttempt(at: Attempt.start, feature: feature, action: .use), of: user)
      }
    }
    replay.reset(.refresh, of: 1)
    #expect(replay.state(of: 1, .refresh) == .initial)
    #expect(replay.state(of: 1, .filter) == LimitState(usage: 1))
    #expect(replay.state(of: 0, .refresh) == LimitState(usage: 1))
  }

  @Test func `uses that came before the replay take the place of what it has`() {
    var replay = LimitReplay(settings: Self.settings)
    func use(_ user: Int, earlierUses: Int?) -> LimitState {
      _ = replay.decide(
        LimitAttempt(
          at: Attempt.start, feature: .refresh, action: .use, earlierUses: earlierUses), of: user)
      return replay.state(of: user, .refresh)
    }
    #expect(use(0, earlierUses: nil) == LimitState(usage: 1))
    #expect(use(0, earlierUses: 1) == LimitState(usage: 2), "the same is known")
    let cooling = LimitState(usage: 2, cooldownStartedAt: Attempt.start)
    #expect(use(0, earlierUses: nil) == cooling)
    #expect(use(0, earlierUses: 2) == cooling, "the same is known, with its cooldown")
    #expect(use(0, earlierUses: 0) == LimitState(usage: 1))
    #expect(use(1, earlierUses: 0) == LimitState(usage: 1))
    #expect(use(2, earlierUses: 1) == LimitState(usage: 2))
    #expect(
      use(3, earlierUses: 2) == LimitState(usage: 2, cooldownStartedAt: Attempt.start))
  }

  @Test func `the settings are those given, and message is limited only when they name a limit`() {
    let replay = LimitReplay(settings: Self.settings)
    #expect(replay.limit(of: .message) == FeatureLimit(limit: 1, cooldownSeconds: 120))
    #expect(replay.limit(of: .search) == FeatureLimit(limit: 2, cooldownSeconds: 60))
    #expect(replay.limit(of: .conversation) == nil)
  }
}
