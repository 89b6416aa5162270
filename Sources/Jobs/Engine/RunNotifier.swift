import Model
import Store
import Workspace

/// Runs the hooks of one run, at its beginning and at its end.
struct RunNotifier: Sendable {
  struct Ending: Sendable {
    /// An alert for each failed hook.
    var warnings: [RunWarning] = []
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
  /// - Returns: an alert about the failure; nil on success and without a hook.
  func start() async -> RunWarning? {
    guard let hook = hooks[.onStart] else { return nil }
    let report = HookReport(
      app: context.config.app.name, job: job, run: run, moment: .started, failures: failuresBefore)
    return alert(await runner.run(hook, about: report), of: HookEvent.onStart.rawValue)
  }

  /// Runs the hooks of the job's kind, then `on_success` or `on_failure`.
  ///
  /// `store` is a separate connection, for use while the work may hold the context's connection.
  ///
  /// - Throws: `StoreError` when the incidents or their deliveries cannot be recorded.
  func runHooks(with result: JobResult, store: Store? = nil) async throws -> Ending {
    var ending = Ending()
    for announcement in result.announcements {
      var report = report(of: JobResult(.ok, result.summary))
      report.variables = announcement.variables
      let answer = await runner.run(announcement.hook, about: report)
      ending.warnings += [alert(answer, of: announcement.key)].compactMap(\.self)
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
  func runHooks(unrecorded result: JobResult, isNews: Bool) async -> [String] {
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
    let warning = alert(answer, of: event.rawValue)
    ending.warnings += [warning].compactMap(\.self)
    guard hook.isOncePerOutage else { return }
    for index in own.indices {
      own[index].delivery = warning.map { .hookFailed($0.sentence) } ?? .hook
    }
    if warning == nil { try ledger.recordDeliveries(own, at: context.clock.now) }
    ending.notices += own
  }

  /// Returns an alert about a failed hook; all jobs may use the same one, so its cause names none.
  private func alert(_ answer: HookRunner.Outcome, of key: String) -> RunWarning? {
    answer.warning(key, of: job).map { .alert($0, about: answer.warning(key, of: nil)) }
  }

  /// Sends the notices that no hook has delivered, as at the end of any run.
  func deliver(_ notices: [IncidentNotice], store: Store) async throws -> [IncidentNotice] {
    try await IncidentNotifier(context, hooks: runner, store: store).deliver(notices)
  }

  private func report(of result: JobResult) -> HookReport {
    let hasFailed = result.outcome == .failed || result.outcome == .blocked
    var report = HookReport(
      app: context.config.app.name, job: job, run: run, moment: .ended(result.outcome),
      failures: failuresBefore + (hasFailed ? 1 : 0))
    report.exitCode = exitCode(of: result)
    report.duration = context.clock.now - startedAt
    report.summary = result.summary
    report.error = result.problem.map { String(describing: $0) }
    report.warnings = result.warnings.map(\.sentence)
    return report
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
