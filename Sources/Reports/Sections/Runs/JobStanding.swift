import Model

/// One job with its last run and whether it keeps its schedule.
struct JobStanding {
  let job: RunsFacts.Job
  let lastRun: Run?
  let lastSuccess: Run?
  /// Whether the last run is still going on.
  let isRunning: Bool
  let freshness: JobFreshness

  /// Every job of the workspace, in their own order.
  static func all(_ facts: RunsFacts) -> [JobStanding] {
    facts.jobs.map { job in
      let lastRun = facts.lastRuns[job.name]
      let lastSuccess = facts.lastSuccesses[job.name]
      let isRunning = facts.running.contains(job.name)
      return JobStanding(
        job: job, lastRun: lastRun, lastSuccess: lastSuccess, isRunning: isRunning,
        freshness: JobFreshness(
          of: job, lastRun: lastRun, lastSuccess: lastSuccess, isRunning: isRunning))
    }
  }

  /// How the last run ended, or that it has not; nil when there is none.
  var outcome: Cell? {
    isRunning
      ? .level(.pass, "running") : lastRun.map { .level($0.outcome.level, $0.outcome.rawValue) }
  }

  /// What a person should know of the job; nil when it is in order.
  func finding(now: Instant) -> Finding? {
    let level = max(freshness.level, lastRun?.outcome == .partial ? .notice : .pass)
    guard level > .pass else { return nil }
    return Finding(
      level, sentence(now: now), report: .runs, section: RunJobs.id, subject: "job \(job.name)")
  }

  private func sentence(now: Instant) -> String {
    let name = "Job \(job.name)"
    if freshness == .notYetRun { return "\(name) has a schedule and has not run yet." }
    guard freshness.level > .pass else {
      return "\(name) left something out at its last run, which ended partial."
    }
    let since =
      lastSuccess.map {
        "last succeeded \(NumberWords.roughly(seconds: (now - $0.startedAt).fractionalSeconds)) ago"
      } ?? "has never succeeded"
    let reason = lastRun?.outcome.isSuccess == false ? lastRun?.error : nil
    return "\(name) \(since)" + (reason.map { ": \($0)" } ?? ".")
  }
}
