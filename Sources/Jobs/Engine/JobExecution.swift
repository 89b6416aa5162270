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

extension JobReport {
  /// The common cause of all warnings about keys.
  fileprivate static let causeOfKeys = "key"

  /// The run's problems apart from its failure: left-out data and warnings that are always shown.
  fileprivate var troublesBesideFailure: [JobTrouble] {
    let alerts = alerts.map { alert -> JobTrouble in
      // All jobs may send messages to the same server: its problem is one cause.
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

/// Runs the hooks of one run, at its beginning and at its end.
struct RunNotifier: Sendable {
  struct Ending: Sendable {
    /// A sentence for each failed hook.
    var warnings: [String] = []
    /// The incident notices of the run, and whether a hook delivered them.
    var notices: [IncidentNotice] = []
  }

  private let context: JobContext
  private let runner: HookRunner
  private let job: String
  private let hooks: JobHooks
  /// The run's row; nil for one that cannot be recorded.
  private let run: Int64?
  /// When the lock was taken; nil for a run without it.
  private let lockedAt: Instant?
  private let startedAt: Instant
  private let failuresBefore: Int

  init(
    _ context: JobContext, _ runner: HookRunner, of job: String, hooks: JobHooks, run: Int64?,
    lockedAt: Instant? = nil
  ) throws {
    self.context = context
    self.runner = runner
    self.job = job
    self.hooks = hooks
    self.run = run
    self.lockedAt = lockedAt
    startedAt = context.clock.now
    failuresBefore = try context.store.read { try $0.failuresInARow(ofJob: job) }
  }

  /// Runs `on_start`.
  ///
  /// - Returns: a sentence about the failure; nil on success and without a hook.
  func start() async -> String? {
    guard let hook = hooks[.onStart] else { return nil }
    let report = HookReport(
      app: context.config.app.name, job: job, run: run, moment: .started, failures: failuresBefore)
    return await runner.run(hook, about: report).warning(HookEvent.onStart.rawValue, of: job)
  }

  /// Runs the hooks of the job's kind, then `on_success` or `on_failure`.
  ///
  /// `store` is a separate connection, for use while the work may hold the context's connection.
  ///
  /// - Throws: `StoreError` when the incidents or their deliveries cannot be recorded.
  func end(with result: JobResult, store: Store? = nil) async throws -> Ending {
    var ending = Ending()
    for announcement in result.announcements {
      var report = report(of: JobResult(.ok, result.summary))
      report.variables = announcement.variables
      let answer = await runner.run(announcement.hook, about: report)
      ending.warnings += [answer.warning(announcement.key, of: job)].compactMap(\.self)
    }
    let ledger = IncidentLedger(store ?? context.store)
    ending.notices = try ledger.record(
      context.observation(of: job, result, lockedAt: lockedAt), startedAt: startedAt,
      at: context.clock.now)
    try await runEndHook(report(of: result), &ending, ledger)
    return ending
  }

  /// Runs `on_failure` for a run that cannot be recorded; a `once_per_outage` hook only if
  /// `isNews`.
  func end(unrecorded result: JobResult, isNews: Bool) async -> [String] {
    guard let hook = hooks[.onFailure], isNews || !hook.isOncePerOutage else { return [] }
    let answer = await runner.run(hook, about: report(of: result))
    return [answer.warning(HookEvent.onFailure.rawValue, of: job)].compactMap(\.self)
  }

  /// Runs the event's hook; with `once_per_outage` only for due notices of failure incidents.
  private func runEndHook(
    _ report: HookReport, _ ending: inout Ending, _ ledger: IncidentLedger
  ) async throws {
    guard let event = HookEvent(report.moment), let hook = hooks[event] else { return }
    func isOwn(_ notice: IncidentNotice) -> Bool {
      notice.incident.kind.isFailure && (notice.moment == .ended) == (event == .onSuccess)
    }
    var own = ending.notices.filter(isOwn)
    if hook.isOncePerOutage {
      ending.notices.removeAll(where: isOwn)
      own = try own.compactMap {
        try ledger.claim($0, at: context.clock.now, for: hook.longestTime)
      }
      guard !own.isEmpty else { return }
    }
    var report = report
    if event == .onSuccess {
      report.failures = own.map(\.incident.runs).reduce(report.failures, max)
    }
    // An interruption does not cancel the task of its own hook.
    let answer = await Task { [report] in await runner.run(hook, about: report) }.value
    let warning = answer.warning(event.rawValue, of: job)
    ending.warnings += [warning].compactMap(\.self)
    guard hook.isOncePerOutage else { return }
    for index in own.indices { own[index].delivery = warning.map { .hookFailed($0) } ?? .hook }
    if warning == nil { try ledger.recordDeliveries(own, at: context.clock.now) }
    ending.notices += own
  }

  /// Sends the notices that no hook has delivered, as at the end of any run.
  func deliver(_ notices: [IncidentNotice], store: Store) async throws -> [IncidentNotice] {
    try await IncidentNotifier(context, hooks: runner, store: store).deliver(notices)
  }

  private func report(of result: JobResult) -> HookReport {
    let hasFailed = result.outcome == .failed || result.outcome == .blocked
    return HookReport(
      app: context.config.app.name, job: job, run: run, moment: .ended(result.outcome),
      failures: failuresBefore + (hasFailed ? 1 : 0), exitCode: exitCode(of: result),
      duration: context.clock.now - startedAt, summary: result.summary,
      error: result.problem.map { String(describing: $0) }, warnings: result.warnings)
  }

  /// Returns the exit code of `firetally run` with this job alone.
  private func exitCode(of result: JobResult) -> Int32 {
    switch result.outcome {
    case .ok, .fresh: 0
    case .partial: 3
    default: result.problem.map(context.exitStatus) ?? 1
    }
  }
}
