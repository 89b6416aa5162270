import Model

/// Whether a job keeps its schedule: docs/reports.md#freshness.
package enum JobFreshness: String, Sendable {
  /// Succeeded since it was last due.
  case onTime = "On time"
  /// Missed one start.
  case late = "Late"
  /// Missed one start, but is running now.
  case running = "Running"
  /// Missed two starts or more.
  case overdue = "Overdue"
  /// The last run failed or was killed, and it was the one that was due.
  case failed = "Failed"
  /// A job that it needs, or a read budget, kept the last run from beginning.
  case blocked = "Blocked"
  /// Has a schedule and no run yet.
  case notYetRun = "Not run yet"
  /// Has no schedule, and no last run that failed or was blocked.
  case onDemand = "On demand"
  /// Cannot run, because its file is wrong.
  case broken = "Broken"

  /// A run in progress makes up for one missed start, not for more.
  ///
  /// `lastRun` is the last run that neither a limit nor the lock refused.
  init(of job: RunsData.JobSummary, lastRun: Run?, lastSuccess: Run?, isRunning: Bool = false) {
    guard job.problem == nil else {
      self = .broken
      return
    }
    let unsuccessful = isRunning ? nil : lastRun.flatMap { Self(afterUnsuccessful: $0.outcome) }
    guard let dueAt = job.lastDueAt else {
      self = unsuccessful ?? .onDemand
      return
    }
    guard let success = lastSuccess else {
      let begun: Self = unsuccessful == .failed ? .failed : .overdue
      self = lastRun == nil ? .notYetRun : isRunning ? .running : begun
      return
    }
    guard success.startedAt < dueAt else {
      self = unsuccessful ?? .onTime
      return
    }
    // It was started: nothing is overdue but its success.
    if unsuccessful == .failed, let lastRun, lastRun.startedAt >= dueAt {
      self = .failed
      return
    }
    let missedOneStart = job.dueBeforeAt.map { success.startedAt >= $0 } ?? true
    self = missedOneStart ? isRunning ? .running : unsuccessful ?? .late : .overdue
  }

  private init?(afterUnsuccessful outcome: Run.Outcome) {
    switch outcome {
    case .ok, .partial, .fresh: return nil
    case .failed, .interrupted: self = .failed
    case .blocked, .locked: self = .blocked
    }
  }

  package var level: Level {
    switch self {
    case .onTime, .onDemand, .running: .pass
    case .late, .notYetRun, .blocked: .warn
    case .overdue, .failed, .broken: .error
    }
  }
}

extension Run.Outcome {
  var level: Level {
    switch self {
    case .ok, .fresh: .pass
    case .partial: .notice
    case .blocked, .locked: .warn
    case .failed, .interrupted: .error
    }
  }
}
