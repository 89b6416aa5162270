import Model

/// Whether a job keeps its schedule: docs/reports.md#freshness.
enum JobFreshness: Hashable, Sendable {
  /// It succeeded since it was last due.
  case onTime
  /// It missed one start, or failed at it.
  case late
  /// It would be late, but is running now.
  case running
  /// It missed two starts or more, or has failed each time since.
  case overdue
  /// It has a schedule, and no run yet.
  case notYetRun
  /// It has no schedule and its last run succeeded, or there is none.
  case onDemand
  /// It has no schedule and its last run failed.
  case failedOnDemand

  /// A run that is going on makes up for one missed start, not for more.
  init(of job: RunsFacts.Job, lastRun: Run?, lastSuccess: Run?, isRunning: Bool = false) {
    guard let dueAt = job.lastDueAt else {
      let isWell = isRunning || lastRun?.outcome.isSuccess ?? true
      self = isWell ? .onDemand : .failedOnDemand
      return
    }
    guard let success = lastSuccess else {
      self = lastRun == nil ? .notYetRun : isRunning ? .running : .overdue
      return
    }
    guard success.startedAt < dueAt else {
      self = .onTime
      return
    }
    let missedOneStart = job.dueBeforeAt.map { success.startedAt >= $0 } ?? true
    self = missedOneStart ? isRunning ? .running : .late : .overdue
  }

  var level: Level {
    switch self {
    case .onTime, .onDemand, .running: .pass
    case .late, .notYetRun: .warn
    case .overdue, .failedOnDemand: .error
    }
  }

  var words: String {
    switch self {
    case .onTime: "On time"
    case .late: "Late"
    case .running: "Running"
    case .overdue: "Overdue"
    case .notYetRun: "Not run yet"
    case .onDemand: "On demand"
    case .failedOnDemand: "Failed"
    }
  }
}

extension Run.Outcome {
  /// Whether the job did what it was for, also when nothing was due.
  var isSuccess: Bool {
    switch self {
    case .ok, .partial, .fresh: true
    case .blocked, .failed, .interrupted: false
    }
  }

  var level: Level {
    switch self {
    case .ok, .fresh: .pass
    case .partial, .blocked: .warn
    case .failed, .interrupted: .error
    }
  }
}
