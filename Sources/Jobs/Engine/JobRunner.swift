import Model
import Reports
import Store

/// Runs jobs one after the other, each with its hooks and its row in the database.
struct JobRunner: Sendable {
  private let context: JobContext
  private let hooks: HookRunner
  private let teller: IncidentTeller

  init(_ context: JobContext, hooks: HookRunner, teller: IncidentTeller) {
    self.context = context
    self.hooks = hooks
    self.teller = teller
  }

  /// Runs the jobs in their order.
  ///
  /// A job that fails blocks those that need it, and no other; a report runs all the same. An
  /// interrupted job ends the whole run.
  ///
  /// - Parameters:
  ///   - selection: the jobs. Those whose files are wrong are reported first, as failed.
  ///   - trigger: what is recorded, instead of what each job itself says.
  ///   - lock: records which job begins; nil when none is held.
  ///   - ended: is called with each job that is over, blocked ones included.
  /// - Returns: what `ended` was called with.
  /// - Throws: what the database or `ended` throws; an error of a job is in its report.
  func run(
    _ selection: JobSelection, trigger: Run.Trigger? = nil, lock: WorkspaceLock?,
    ended: (JobReport) throws -> Void
  ) async throws -> [JobReport] {
    var queue = JobQueue(selection.jobs, of: context.catalog.jobs)
    var reports: [JobReport] = []
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
      try lock?.begin(job, at: context.clock.now)
      let report = try await run(job, trigger: trigger, after: reports)
      try end(report)
      guard report.run.outcome != .interrupted else { break }
      for blocked in queue.finished(job, succeeded: report.succeeded) {
        try end(try await block(blocked, because: job.name))
      }
    }
    return reports
  }

  /// Records that another process kept the jobs from running: `docs/running.md#lock`.
  ///
  /// - Parameters:
  ///   - jobs: those that could not begin.
  ///   - owner: who holds the lock; nil when it is unknown.
  ///   - waited: how long the command has waited for it.
  ///   - ended: is called with each job.
  /// - Returns: what `ended` was called with; only a job that should have run has an error.
  /// - Throws: what the database or `ended` throws.
  func lockOut(
    _ jobs: [Job], by owner: LockOwner?, waited: Duration, ended: (JobReport) throws -> Void
  ) async throws -> [JobReport] {
    let all = Dictionary(context.catalog.jobs.map { ($0.name, $0) }) { first, _ in first }
    var reports: [JobReport] = []
    for job in jobs {
      let verdict = LockRule.verdict(
        on: job.name, needs: JobOrder.needed(by: job.name, in: all), holding: owner?.holding,
        at: context.clock.now)
      let lockout = Lockout(job: job.name, owner: owner, waited: waited, verdict: verdict)
      let trigger = try job.definition.work(job.name, context).trigger
      let recorder = try await RunRecorder(context, job: job, trigger: trigger)
      let result = JobResult(
        refusedBy: .lock, lockout.description,
        problem: verdict == .covered ? nil : JobsError.lockedOut(lockout))
      let notices = try IncidentLedger(context.store).note(
        context.sighting(of: job.name, result, needsLock: true), startedAt: context.clock.now,
        at: context.clock.now)
      let report = try await end(recorder, result, notices)
      try ended(report)
      reports.append(report)
    }
    return reports
  }

  /// Runs the failure hooks of jobs whose runs cannot be recorded, the broken ones first.
  ///
  /// Of the hooks that run once an outage one runs, and only when `isNews`.
  ///
  /// - Returns: a sentence for each hook that went wrong.
  /// - Throws: what the context's database throws, which is one in memory.
  func tellUnrecorded(
    _ selection: JobSelection, because error: any Error, isNews: Bool
  ) async throws -> [String] {
    let jobs =
      selection.broken.map { ($0.name, context.config.hooks) }
      + selection.jobs.map { ($0.name, $0.hooks) }
    let result = JobResult(.failed, "Not run, because it cannot be recorded.", problem: error)
    var warnings: [String] = []
    var isNews = isNews
    for (name, jobHooks) in jobs {
      let notifier = try RunNotifier(context, hooks, of: name, hooks: jobHooks, run: nil)
      warnings += await notifier.end(unrecorded: result, isNews: isNews)
      if jobHooks[.onFailure]?.isOncePerOutage == true { isNews = false }
    }
    return warnings
  }

  private func run(
    _ job: Job, trigger: Run.Trigger?, after reports: [JobReport]
  ) async throws -> JobReport {
    try await run(
      job, try job.definition.work(job.name, context), trigger: trigger, after: reports)
  }

  /// Does some work as a run of a job: with its hooks, its timeout and its row.
  func run(
    _ job: Job, _ work: any JobWork, trigger: Run.Trigger? = nil, after reports: [JobReport] = []
  ) async throws -> JobReport {
    let recorder = try await RunRecorder(context, job: job, trigger: trigger ?? work.trigger)
    let hooks = hooks.alsoHeard { [log = recorder.log] line, _, _ in log.add(.info, line) }
    let notifier = try RunNotifier(
      context, hooks, of: job.name, hooks: job.hooks, run: recorder.runId,
      needsLock: !job.isReadOnly)
    var alerts = [await notifier.start()].compactMap(\.self)
    var result: JobResult
    do {
      defer { context.observer.end() }
      result = try await context.perform(job, recorder, notifier) {
        try await work.perform(within: recorder.budget)
      }
    } catch is CancellationError {
      result = JobResult(.interrupted, "Interrupted.", problem: JobsError.interrupted)
    } catch {
      result = JobResult(.failed, "Failed.", problem: error)
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

  /// Records a run and tells the news of incidents, including those about skipped documents.
  private func end(
    _ recorder: RunRecorder, _ result: JobResult, _ notices: [IncidentNotice]
  ) async throws -> JobReport {
    var report = try await recorder.end(with: result)
    // After any other outcome `on_success` did not run, and nothing is known of it.
    let others = try IncidentLedger(context.store).note(
      IncidentRule.Sighting(
        job: report.run.job, troubles: report.troublesBesideFailure,
        cleared: result.outcome.isSuccess ? [.warning] : [],
        unknown: report.keyWarnings == nil ? [JobReport.causeOfKeys] : []),
      startedAt: report.run.startedAt, at: context.clock.now)
    report.notices = try await teller.tell(notices + others)
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
    // Hooks of its own cannot be read, so those that all jobs have by default are run.
    let notifier = try RunNotifier(
      context, hooks, of: job.name, hooks: context.config.hooks, run: recorder.runId)
    let ending = try await notifier.end(with: result)
    for alert in ending.warnings { result.alert(alert) }
    return try await end(recorder, result, ending.notices)
  }
}

extension JobResult {
  /// Names the jobs whose data a report could not wait for.
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

extension JobReport {
  /// The one cause of all warnings of keys.
  fileprivate static let causeOfKeys = "key"

  /// What is wrong with a run beside why it failed: what it left out, and what is always shown.
  fileprivate var troublesBesideFailure: [JobTrouble] {
    let alerts = alerts.map { alert -> JobTrouble in
      // One server that gets the messages of all jobs is one cause.
      guard keyWarnings?.contains(alert) != true else {
        return JobTrouble(.warning, cause: Self.causeOfKeys, alert)
      }
      var trouble = JobTrouble(.warning, alert.replacing("'\(run.job)'", with: ""))
      trouble.sentence = alert
      return trouble
    }
    guard run.outcome == .partial else { return alerts }
    let reasons = run.warnings.filter { !self.alerts.contains($0) }
    return alerts + [JobTrouble(.partial, sentences: reasons.isEmpty ? [summary] : reasons)]
  }
}
