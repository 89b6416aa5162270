import Model
import Store

/// Tells the hooks of one run: at its beginning and at its end.
struct RunNotifier: Sendable {
  /// What came of the end.
  struct Ending: Sendable {
    /// A sentence for each hook that went wrong.
    var warnings: [String] = []
    /// What there is to tell of incidents, and whether a hook did.
    var notices: [IncidentNotice] = []
  }

  private let context: JobContext
  private let runner: HookRunner
  private let job: String
  private let hooks: JobHooks
  /// The run's row; nil for one that cannot be recorded.
  private let run: Int64?
  /// Whether such a run begins only under the lock.
  private let needsLock: Bool
  private let startedAt: Instant
  private let failuresBefore: Int

  /// - Throws: `StoreError`.
  init(
    _ context: JobContext, _ runner: HookRunner, of job: String, hooks: JobHooks, run: Int64?,
    needsLock: Bool = true
  ) throws {
    self.context = context
    self.runner = runner
    self.job = job
    self.hooks = hooks
    self.run = run
    self.needsLock = needsLock
    startedAt = context.clock.now
    failuresBefore = try context.store.read { try $0.failuresInARow(ofJob: job) }
  }

  /// Runs `on_start`.
  ///
  /// - Returns: a sentence about what went wrong; nil when all went well or there is no hook.
  func start() async -> String? {
    guard let hook = hooks[.onStart] else { return nil }
    let report = HookReport(
      app: context.config.app.name, job: job, run: run, moment: .started, failures: failuresBefore)
    return await runner.run(hook, about: report).warning(HookEvent.onStart.rawValue, of: job)
  }

  /// Runs the hooks of the job's kind, then `on_success` or `on_failure`.
  ///
  /// `store` is another connection, for work that may hold that of the context.
  ///
  /// - Throws: `StoreError` when what was told of an incident cannot be remembered.
  func end(with result: JobResult, store: Store? = nil) async throws -> Ending {
    var ending = Ending()
    for announcement in result.announcements {
      var report = report(of: JobResult(.ok, result.summary))
      report.variables = announcement.variables
      let answer = await runner.run(announcement.hook, about: report)
      ending.warnings += [answer.warning(announcement.key, of: job)].compactMap(\.self)
    }
    let ledger = IncidentLedger(store ?? context.store)
    ending.notices = try ledger.note(
      context.sighting(of: job, result, needsLock: needsLock), startedAt: startedAt,
      at: context.clock.now)
    try await tellEnd(report(of: result), &ending, ledger)
    return ending
  }

  /// The same for a run that cannot be recorded; `isNews` is whether an incident is to be told.
  func end(unrecorded result: JobResult, isNews: Bool) async -> [String] {
    guard let hook = hooks[.onFailure], isNews || !hook.isOncePerOutage else { return [] }
    let answer = await runner.run(hook, about: report(of: result))
    return [answer.warning(HookEvent.onFailure.rawValue, of: job)].compactMap(\.self)
  }

  /// Runs the hook of the event; one that runs once an outage goes by the incidents of failures.
  private func tellEnd(
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
    if warning == nil { try ledger.remember(own, at: context.clock.now) }
    ending.notices += own
  }

  /// Tells what no hook has told, as the end of any run does.
  func tell(_ notices: [IncidentNotice], store: Store) async throws -> [IncidentNotice] {
    try await IncidentTeller(context, hooks: runner, store: store).tell(notices)
  }

  private func report(of result: JobResult) -> HookReport {
    let hasFailed = result.outcome == .failed || result.outcome == .blocked
    return HookReport(
      app: context.config.app.name, job: job, run: run, moment: .ended(result.outcome),
      failures: failuresBefore + (hasFailed ? 1 : 0), exitCode: exitCode(of: result),
      duration: context.clock.now - startedAt, summary: result.summary,
      error: result.problem.map { String(describing: $0) }, warnings: result.warnings)
  }

  /// What `firetally run` with this job alone ends with.
  private func exitCode(of result: JobResult) -> Int32 {
    switch result.outcome {
    case .ok, .fresh: 0
    case .partial: 3
    default: result.problem.map(runner.exitCode) ?? 1
    }
  }
}
