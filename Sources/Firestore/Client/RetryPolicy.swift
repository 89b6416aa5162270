/// How often and after what pauses a request is sent again; see `docs/firestore.md#errors`.
package struct RetryPolicy: Sendable {
  /// Tries in all, the first included.
  package var attemptLimit: Int
  /// Tries in all while the server says that too much is asked of it.
  package var exhaustedAttemptLimit: Int
  package var firstPause: Duration
  package var growth: Double
  package var longestPause: Duration
  /// The longest pause that a server may ask for; beyond it the caller is told instead.
  package var longestRequestedPause: Duration
  /// A number in 0..<1, new at each call; 0.5 leaves pauses as they are.
  package var random: @Sendable () -> Double

  package init(
    attemptLimit: Int = 5, exhaustedAttemptLimit: Int = 3, firstPause: Duration = .seconds(1),
    growth: Double = 1.5, longestPause: Duration = .seconds(60),
    longestRequestedPause: Duration = .seconds(120),
    random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    self.attemptLimit = attemptLimit
    self.exhaustedAttemptLimit = exhaustedAttemptLimit
    self.firstPause = firstPause
    self.growth = growth
    self.longestPause = longestPause
    self.longestRequestedPause = longestRequestedPause
    self.random = random
  }
}
