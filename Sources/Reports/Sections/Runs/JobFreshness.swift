import Model

/// Whether a job keeps its schedule: docs/reports.md#freshness.
enum JobFreshness: Hashable, Sendable {
  /// It succeeded since it was last due.
  case onTime
  /// It missed one start, or failed at it.
  case late
  /// It missed two starts or more, or has failed each time since.
  case overdue
  /// It has a schedule, and no run yet.
  case notYetRun
  /// It has no schedule and its last run succeeded, or there is none.
  case onDemand
  /// It has no schedule and its last run failed.
  case failedOnDemand

  init(of job: RunsFacts.Job, lastRun: Run?, lastSuccess: Run?) {
    guard let schedule = job.schedule, let dueAt = job.lastDueAt else {
      let isWell = lastRun?.outcome.isSuccess ?? true
      self = isWell ? .onDemand : .failedOnDemand
      return
    }
    guard let success = lastSuccess else {
      self = lastRun == nil ? .notYetRun : .overdue
      return
    }
    guard success.startedAt < dueAt else {
      self = .onTime
      return
    }
    let interval = Duration.seconds(CronInterval.seconds(of: schedule) ?? 0)
    self = success.startedAt >= dueAt - interval ? .late : .overdue
  }

  var level: Level {
    switch self {
    case .onTime, .onDemand: .pass
    case .late, .notYetRun: .warn
    case .overdue, .failedOnDemand: .error
    }
  }

  var words: String {
    switch self {
    case .onTime: "On time"
    case .late: "Late"
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
