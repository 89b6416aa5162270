import Model
import Reports
import Store
import Sync
import Workspace

/// Runs jobs in sequence, each with its hooks and its row in the database.
struct JobExecution: Sendable {
  let context: JobContext
  let hookRunner: HookRunner
  let ending: RunEnding

  /// Runs the jobs in their order.
  ///
  /// A failed job blocks only the jobs that need it; read-only jobs run anyway. An interrupted job
  /// ends the whole run. Broken jobs come first, as failed. `trigger` replaces the trigger that
  /// each job's work names. `lock` records which job begins. `ended` receives the report of each
  /// job that is over, also of blocked ones.
  ///
  /// - Throws: what the database or `ended` throws; a job's error is in its report.
  func run(
    _ selection: JobSelection, trigger: Run.Trigger? = nil, lock: WorkspaceLock?,
    ended: (JobReport) throws -> Void
  ) async throws -> [JobReport] {
    var queue = JobQueue(waiting: selection.jobs, jobs: context.catalog.jobs)
    var reports: [JobReport] = []
    let lockedAt = context.clock.now
    func end(_ report: JobReport) throws {
      try ended(report)
      reports.append(report)
    }
    for job in selection.broken {
      try end(try await refuse(job))
      for blocked in queue.blocked(by: job.name) {
        try end(try await block(blocked, because: job.name))
      }
    }
    while let job = queue.next() {
      try lock?.begin(job: job.name, timeout: job.timeout, at: context.clock.now)
      let report = try await run(
        job, try job.definition.work(job.name, context), trigger: trigger, after: reports,
        lockedAt: lockedAt)
      try end(report)
      guard report.run.outcome != .interrupted else { break }
      for blocked in report.succeeded ? [] : queue.blocked(by: job.name) {
        try end(try await block(blocked, because: job.name))
      }
    }
    return reports
  }

  /// Records that another process's lock kept the jobs from running: `docs/running.md#lock`.
  ///
  /// - Returns: the reports passed to `ended`; only a job that should have run has an error.
  func recordLockout(
    _ jobs: [Job], by owner: LockOwner?, waited: Duration, ended: (JobReport) throws -> Void
  ) async throws -> [JobReport] {
    var reports: [JobReport] = []
    for job in jobs {
      let verdict = LockRule.verdict(
        on: job.name, needs: JobOrder.needed(by: job.name, in: context.catalog.jobs),
        holding: owner?.holding, at: context.clock.now)
      let lockout = Lockout(job: job.name, owner: owner, waited: waited, verdict: verdict)
      let trigger = try job.definition.work(job.name, context).trigger
      let recorder = try await RunRecorder(context, job: job, trigger: trigger)
      let result = JobResult(
        refusedBy: .lock, lockout.description,
        problem: verdict == .covered ? nil : WorkspaceError.lockedOut(lockout))
      let report = try await ending.end(recorder, lockedOut: result)
      try ended(report)
      reports.append(report)
    }
    return reports
  }

  /// Runs the failure hooks of jobs whose runs cannot be recorded, broken jobs first.
  ///
  /// Among hooks with `once_per_outage` only the first one runs, and only when `isNews`.
  ///
  /// - Returns: a sentence for each failed hook.
  /// - Throws: what the context's database throws, which is in memory.
  func reportUnrecorded(
    _ selection: JobSelection, because error: any Error, isNews: Bool
  ) async throws -> [String] {
    let jobs =
      selection.broken.map { ($0.name, context.config.hooks) }
      + selection.jobs.map { ($0.name, $0.hooks) }
    let result = JobResult(.failed, "Not run, because it cannot be recorded.", problem: error)
    var warnings: [String] = []
    var isNews = isNews
    for (name, jobHooks) in jobs {
      let notifier = try RunNotifier(context, hookRunner, of: name, hooks: jobHooks, run: nil)
      warnings += await notifier.runHooks(unrecorded: result, isNews: isNews)
      if jobHooks[.onFailure]?.isOncePerOutage == true { isNews = false }
    }
    return warnings
  }

  /// Runs work as a run of a job, with its hooks, its timeout and its row.
  ///
  /// `lockedAt` is when the lock was taken; nil for just now.
  func run(
    _ job: Job, _ work: any JobWork, trigger: Run.Trigger? = nil, after reports: [JobReport] = [],
    lockedAt: Instant? = nil
  ) async throws -> JobReport {
    let recorder = try await RunRecorder(context, job: job, trigger: trigger ?? work.trigger)
    let hookRunner = hookRunner.alsoHeard { [log = recorder.log] line, _, _ in log.add(.info, line)
    }
    let notifier = try RunNotifier(
      context, hookRunner, of: job.name, hooks: job.hooks, run: recorder.runId,
      lockedAt: job.isReadOnly ? nil : lockedAt ?? context.clock.now)
    let alert = await notifier.start()
    let result = try await recorder.outcome {
      defer { context.observer.end() }
      return try await context.perform(job, recorder, notifier) {
        try await work.perform(within: recorder.budget)
      }
    } failure: { problem in
      Run.Outcome(of: problem) == .interrupted
        ? (.interrupted, "Interrupted.") : (.failed, recorder.budget.counts.storedOfFetched)
    }
    return try await ending.end(
      recorder, with: result, hooks: notifier, alerts: [alert].compactMap(\.self)
    ) { result in
      if let future = try context.store.read({
        try $0.futureRuns(at: context.clock.now, job: job.name)
      }) {
        result.warnings.append(RunWarning("\(future.sentence) \(FutureRuns.advice)"))
      }
      if job.isReadOnly { result.nameMissing(reports.filter { !$0.succeeded }) }
    }
  }

  private func block(_ job: Job, because failed: String) async throws -> JobReport {
    let recorder = try await RunRecorder(context, job: job, trigger: .scheduled)
    let reason = "Not run, because it needs the job '\(failed)', which did not succeed."
    return try await recorder.recordEnd(with: JobResult(refusedBy: .need, reason))
  }

  private func refuse(_ job: BrokenJob) async throws -> JobReport {
    let recorder = try await RunRecorder(context, broken: job)
    let result = JobResult(.failed, "Not run, because its file is wrong.", problem: job.problem)
    // A broken job's own hooks cannot be read, so the default hooks run.
    let notifier = try RunNotifier(
      context, hookRunner, of: job.name, hooks: context.config.hooks, run: recorder.runId)
    return try await ending.end(recorder, with: result, hooks: notifier)
  }
}

extension JobResult {
  /// Adds a warning that names the jobs that did not succeed before this report.
  fileprivate mutating func nameMissing(_ reports: [JobReport]) {
    guard !reports.isEmpty else { return }
    let names = reports.map { "\($0.run.job) (\($0.run.outcome.rawValue))" }
    let sentence =
      "Written although these jobs did not succeed: \(names.joined(separator: ", ")). The pages "
      + "show what was stored before."
    warnings.append(RunWarning(sentence))
    summary += " \(sentence)"
  }
}
