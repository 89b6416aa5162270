/// The state of one request between its tries: decides what follows a failure.
struct Backoff {
  /// What sending the request a second time may do.
  enum Repetition: Sendable {
    /// Nothing: it only reads.
    case read
    /// Nothing more than sending it once, or a refusal that the caller can tell apart.
    case repeatableWrite
    /// Something else, so that only a request that was surely not done is sent again.
    case write
  }

  enum Action: Equatable {
    case pause(Duration)
    case refreshToken
    case giveUp
  }

  let policy: RetryPolicy
  let repetition: Repetition
  /// Whether any try so far may have been carried out.
  private(set) var hasUnknownOutcome = false
  private var attemptCount = 0
  private var exhaustedCount = 0
  private var troubleCount = 0
  private var hasRefreshedToken = false

  init(policy: RetryPolicy, repetition: Repetition) {
    self.policy = policy
    self.repetition = repetition
  }

  mutating func on(_ error: FirestoreError) -> Action {
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
    switch error.status {
    case .resourceExhausted:
      exhaustedCount += 1
      return exhaustedCount < policy.exhaustedAttemptLimit
    case .internal, .unknown:
      troubleCount += 1
      return troubleCount < 2
    default: return true
    }
  }

  private func pause(after error: FirestoreError) -> Action {
    var exponential = policy.firstPause
    for _ in 1..<attemptCount where exponential < policy.longestPause {
      exponential = exponential * policy.growth
    }
    if error.status == .resourceExhausted { exponential = policy.longestPause }
    let jittered = min(exponential, policy.longestPause) * (0.5 + policy.random())
    guard case .refused(let refusal) = error, let requested = refusal.retryAfter else {
      return .pause(jittered)
    }
    return requested > policy.longestRequestedPause ? .giveUp : .pause(max(requested, jittered))
  }
}
