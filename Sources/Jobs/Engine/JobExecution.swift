import Model
import Reports
import Store
import Sync
import Workspace

/// Runs jobs in sequence, each with its hooks and its row in the database.
struct JobExecution: Sendable {
  let context: JobContext
  let hookRunner: HookRunner
  let incidentNotifier: IncidentNotifier

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
      let notices = try IncidentLedger(context.store).record(
        context.observation(of: job.name, result, lockedAt: nil), startedAt: context.clock.now,
        at: context.clock.now)
      let report = try await end(recorder, result, notices)
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
      warnings += await notifier.end(unrecorded: result, isNews: isNews)
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
    var alerts = [await notifier.start()].compactMap(\.self)
    var result: JobResult
    do {
      defer { context.observer.end() }
      result = try await context.perform(job, recorder, notifier) {
        try await work.perform(within: recorder.budget)
      }
    } catch is CancellationError {
      // Pages that the pull has stored stay.
      result = JobResult(
        .interrupted, "Interrupted.", counts: recorder.budget.counts,
        problem: WorkspaceError.interrupted)
    } catch {
      let counts = recorder.budget.counts
      result = JobResult(
        .failed,
        counts.fetched == 0
          ? "Nothing was fetched."
          : "\(NumberWords.grouped(counts.storedTotal)) of "
            + "\(NumberWords.counted(counts.fetched, "document")) fetched were stored.",
        counts: counts, problem: error)
    }
    let ending = try await notifier.end(with: result)
    alerts += ending.warnings
    for alert in alerts { result.alert(alert) }
    if let future = try context.store.read({
      try $0.futureRuns(at: context.clock.now, job: job.name)
    }) {
      result.warnings.append("\(future.sentence) \(FutureRuns.advice)")
    }
    if job.isReadOnly { result.nameMissing(reports.filter { !$0.succeeded }) }
    return try await end(recorder, result, ending.notices)
  }

  /// Records a run and reports its incidents, including those about skipped documents.
  private func end(
    _ recorder: RunRecorder, _ result: JobResult, _ notices: [IncidentNotice]
  ) async throws -> JobReport {
    var report = try await recorder.end(with: result)
    // After any other outcome `on_success` did not run, so its state is unknown.
    let others = try IncidentLedger(context.store).record(
      IncidentRule.RunObservation(
        job: report.run.job, troubles: report.troublesBesideFailure,
        cleared: result.outcome.isSuccess ? [.warning] : [],
        unknown: report.keyWarnings == nil ? [JobReport.causeOfKeys] : []),
      startedAt: report.run.startedAt, at: context.clock.now)
    report.notices = try await incidentNotifier.deliver(notices + others)
    return report
  }

  private func block(_ job: Job, because failed: String) async throws -> JobReport {
    let recorder = try await RunRecorder(context, job: job, trigger: .scheduled)
    let reason = "Not run, because it needs the job '\(failed)', which did not succeed."
    return try await recorder.end(with: JobResult(refusedBy: .need, reason))
  }

  private func refuse(_ job: BrokenJob) async throws -> JobReport {
    let recorder = try await RunRecorder(context, broken: job)
    var result = JobResult(.failed, "Not run, because its file is wrong.", problem: job.problem)
    // A broken job's own hooks cannot be read, so the default hooks run.
    let notifier = try RunNotifier(
      context, hookRunner, of: job.name, hooks: context.config.hooks, run: recorder.runId)
    let ending = try await notifier.end(with: result)
    for alert in ending.warnings { result.alert(alert) }
    return try await end(recorder, result, ending.notices)
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
    warnings.append(sentence)
    summary += " \(sentence)"
  }
}
