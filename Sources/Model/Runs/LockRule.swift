/// How a command treats a workspace lock that another process holds: `docs/running.md#lock`.
package enum LockRule {
  package struct Holding: Hashable, Sendable {
    /// All jobs of the holder, finished ones included; empty when it runs no jobs.
    package var jobs: Set<String>
    /// The start of its current job, or of the holder.
    package var since: Instant
    /// The timeout of its current job; nil without one.
    package var timeout: Duration?

    package init(jobs: Set<String>, since: Instant, timeout: Duration?) {
      self.jobs = jobs
      self.since = since
      self.timeout = timeout
    }

    /// Whether the current job has passed its timeout.
    package func isOvertime(at now: Instant) -> Bool {
      timeout.map { now - since > $0 } ?? false
    }
  }

  /// The longest wait of a command that a person watches, or for an unknown holder.
  package static let shortWait = Duration.seconds(10)
  /// The longest wait of a command that nobody watches.
  package static let longWait = Duration.seconds(600)

  /// Whether a job that could not get the lock is a problem; `covered` when the lock's holder runs
  /// it, or a job that it needs.
  ///
  /// The job needs others directly or not. `now` is the end of the wait.
  package static func verdict(
    on job: String, needs: Set<String>, holding: Holding?, at now: Instant
  ) -> LockVerdict {
    guard let holding else { return .otherWork }
    if holding.isOvertime(at: now) { return .overtime }
    return holding.jobs.isDisjoint(with: needs.union([job])) ? .otherWork : .covered
  }

  /// Whether a command that nobody watches keeps waiting for the lock.
  ///
  /// It stops when the holder runs all of its jobs anyway, has passed its timeout, or is unknown.
  package static func isWorthWaiting(
    for holding: Holding?, jobs: Set<String>, waited: Duration, at now: Instant
  ) -> Bool {
    guard waited >= shortWait else { return true }
    guard waited < longWait, let holding, !holding.isOvertime(at: now) else { return false }
    return jobs.isEmpty || !jobs.isSubset(of: holding.jobs)
  }
}

/// Why a job could not get the lock.
package enum LockVerdict: String, CaseIterable, Hashable, Sendable {
  /// The holder runs the same job or one that it needs: no problem.
  case covered
  /// The holder does something else, or is unknown.
  case otherWork
  /// The holder has passed its job's timeout.
  case overtime
}
