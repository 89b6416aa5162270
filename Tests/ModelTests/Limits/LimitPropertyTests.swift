import Fixtures
import Model
import Testing

@Suite("Properties of the limits")
struct LimitPropertyTests {
  private static let features: [Feature] = [.refresh, .filter, .search]
  private static let seeds: [UInt64] = Array(1...40)

  /// One random attempt: what, how, with which end, and how long after the last one.
  private struct Move {
    var feature: Feature
    var action: LimitAction
    var succeeds: Bool
    var pause: Duration
  }

  private static func moves(seed: UInt64, count: Int = 300) -> [Move] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      Move(
        feature: features[Int.random(in: 0..<3, using: &random)],
        action: LimitAction.allCases[Int.random(in: 0..<3, using: &random)],
        succeeds: Int.random(in: 0..<4, using: &random) > 0,
        pause: .microseconds(Int64.random(in: -2_000_000...40_000_000, using: &random)))
    }
  }

  /// Plays the moves of the given features, with the clock running through all of them.
  private static func play(
    _ moves: [Move], only features: [Feature],
    observe: (Move, Attempt, LimitResult) -> Void = { _, _, _ in }
  ) -> [Feature: LimitState] {
    var attempts = Dictionary(
      uniqueKeysWithValues: features.map { ($0, Attempt(feature: $0)) })
    var now = Attempt.start
    for move in moves {
      now = now + move.pause
      guard var attempt = attempts[move.feature] else { continue }
      attempt.now = now
      let before = attempt
      let result = attempt.ask(move.action, succeeds: move.succeeds)
      attempts[move.feature] = attempt
      observe(move, before, result)
    }
    return attempts.mapValues(\.state)
  }

  @Test(arguments: seeds)
  func `features never interfere`(seed: UInt64) {
    let moves = Self.moves(seed: seed)
    let together = Self.play(moves, only: Self.features)
    for feature in Self.features {
      #expect(
        Self.play(moves, only: [feature])[feature] == together[feature], "seed \(seed)")
    }
  }

  @Test(arguments: seeds)
  func `a peek changes nothing and decides as a check would`(seed: UInt64) {
    _ = Self.play(Self.moves(seed: seed), only: Self.features) { _, before, _ in
      let peeked = LimitRule.decide(before.input, action: .peek)
      let checked = LimitRule.decide(before.input, action: .check)
      #expect(peeked.newState == before.state, "seed \(seed)")
      #expect(peeked.events.isEmpty, "seed \(seed)")
      #expect(peeked.canProceed == checked.canProceed, "seed \(seed)")
      #expect(peeked.showPopup == checked.showPopup, "seed \(seed)")
      #expect(peeked.currentUsage == checked.currentUsage, "seed \(seed)")
    }
  }

  @Test(arguments: seeds)
  func `a free user's usage never exceeds the limit between resets`(seed: UInt64) {
    _ = Self.play(Self.moves(seed: seed), only: Self.features) { _, _, result in
      #expect((0...2).contains(result.newState.usage), "seed \(seed)")
      #expect((0...2).contains(result.currentUsage), "seed \(seed)")
    }
  }

  @Test(arguments: seeds)
  func `waiting is bounded, and nothing is left to wait for who may proceed`(seed: UInt64) {
    _ = Self.play(Self.moves(seed: seed), only: Self.features) { _, _, result in
      #expect(result.remainingCooldown >= .zero, "seed \(seed)")
      #expect(result.remainingCooldown <= .seconds(120), "seed \(seed)")
      #expect(!result.canProceed || result.remainingCooldown == .zero, "seed \(seed)")
      #expect((result.resetsAt == nil) == (result.remainingCooldown == .zero), "seed \(seed)")
    }
  }

  @Test(arguments: seeds)
  func `only a use that was allowed and succeeded counts, and counts one`(seed: UInt64) {
    _ = Self.play(Self.moves(seed: seed), only: Self.features) { move, before, result in
      let counts = move.action == .use && move.succeeds && result.canProceed
      let base = LimitRule.decide(before.input, action: .peek).currentUsage
      #expect(result.events.contains(.performed) == counts, "seed \(seed)")
      #expect(result.currentUsage == base + (counts ? 1 : 0), "seed \(seed)")
    }
  }
}
