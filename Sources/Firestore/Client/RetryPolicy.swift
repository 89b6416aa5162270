/// Limits and pauses of retries; see `docs/firestore.md#errors`.
package struct RetryPolicy: Sendable {
  /// Maximum number of attempts, the first included.
  package var attemptLimit: Int
  /// Maximum number of attempts that end with RESOURCE_EXHAUSTED.
  static let exhaustedAttemptLimit = 3
  package static let firstPause = Duration.seconds(1)
  static let growth = 1.5
  package var longestPause = Duration.seconds(60)
  /// The longest pause that a server may request; a longer one is an error.
  static let longestRequestedPause = Duration.seconds(120)
  /// Maximum number of attempts that end in silence, see `FirestoreError.isSilence`.
  static let silentAttemptLimit = 2
  /// The stall timeout of an attempt after a silent one, so that both end within two minutes.
  package var secondSilence = Duration.seconds(35)
  /// Returns a random number in 0..<1; 0.5 means no jitter.
  package var random: @Sendable () -> Double

  package init(
    attemptLimit: Int = 5,
    random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    self.attemptLimit = attemptLimit
    self.random = random
  }
}

/// The retry state of one request; decides what follows a failure.
struct RetryBackoff {
  /// The effect of sending the request a second time.
  enum Repetition: Sendable {
    /// None: the request only reads.
    case read
    /// None, or a refusal that shows the effect of the first.
    case repeatableWrite
    /// A second change: only a request that was certainly not carried out is sent again.
    case write
  }

  enum NextStep: Equatable {
    case pause(Duration)
    case refreshToken
    case giveUp
  }

  let policy: RetryPolicy
  let repetition: Repetition
  /// Whether an earlier attempt of a write may have been carried out.
  private(set) var hasUnknownOutcome = false
  private var attemptCount = 0
  private var exhaustedCount = 0
  private var troubleCount = 0
  private var silenceCount = 0
  private var hasRefreshedToken = false

  init(policy: RetryPolicy, repetition: Repetition) {
    self.policy = policy
    self.repetition = repetition
  }

  /// Counts a failed attempt and decides what follows it.
  mutating func on(_ error: FirestoreError) -> NextStep {
    if error.reason == .unauthenticated, !hasRefreshedToken {
      hasRefreshedToken = true
      return .refreshToken
    }
    attemptCount += 1
    hasUnknownOutcome = hasUnknownOutcome || repetition != .read && error.leavesOutcomeUnknown
    guard error.isTransient, attemptCount < policy.attemptLimit, mayRepeat(after: error) else {
      return .giveUp
    }
    return pause(after: error)
  }

  private mutating func mayRepeat(after error: FirestoreError) -> Bool {
    if repetition == .write, error.leavesOutcomeUnknown { return false }
    // Another attempt at the write would get the same answer; the caller must read instead.
    if repetition != .read, case .malformedAnswer(_, 200..<300, _) = error { return false }
    if error.isSilence {
      silenceCount += 1
      return silenceCount < RetryPolicy.silentAttemptLimit
    }
    switch error.status {
    case .resourceExhausted:
      exhaustedCount += 1
      return exhaustedCount < RetryPolicy.exhaustedAttemptLimit
    case .internal, .unknown:
      troubleCount += 1
      return troubleCount < 2
    default: return true
    }
  }

  private func pause(after error: FirestoreError) -> NextStep {
    var exponential = RetryPolicy.firstPause
    for _ in 1..<attemptCount where exponential < policy.longestPause {
      exponential = exponential * RetryPolicy.growth
    }
    if error.status == .resourceExhausted { exponential = policy.longestPause }
    let jittered = min(exponential, policy.longestPause) * (0.5 + policy.random())
    guard case .refused(let refusal) = error, let requested = refusal.retryAfter else {
      return .pause(jittered)
    }
    return requested > RetryPolicy.longestRequestedPause
      ? .giveUp : .pause(max(requested, jittered))
  }
}
