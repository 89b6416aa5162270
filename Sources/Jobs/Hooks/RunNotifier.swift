import Model
import Store

/// Tells the hooks of one run: at its beginning and at its end.
struct RunNotifier: Sendable {
  private let context: JobContext
  private let runner: HookRunner
  private let job: String
  private let hooks: JobHooks
  /// The run's row; nil for one that cannot be recorded.
  private let run: Int64?
  private let startedAt: Instant
  private let failuresBefore: Int

  /// - Throws: `StoreError`.
  init(
    _ context: JobContext, _ runner: HookRunner, of job: String, hooks: JobHooks, run: Int64?
  ) throws {
    self.context = context
    self.runner = runner
    self.job = job
    self.hooks = hooks
    self.run = run
    startedAt = context.clock.now
    failuresBefore = try context.store.read { try $0.outage(of: job) }?.failures ?? 0
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
  /// - Returns: a sentence for each that went wrong.
  /// - Throws: `StoreError` when what was told of an outage cannot be remembered.
  func end(with result: JobResult) async throws -> [String] {
    var warnings: [String] = []
    for announcement in result.announcements {
      var report = report(of: JobResult(.ok, result.summary))
      report.variables = announcement.variables
      let answer = await runner.run(announcement.hook, about: report)
      warnings += [answer.warning(announcement.key, of: job)].compactMap(\.self)
    }
    return warnings + [try await tellEnd(report(of: result))].compactMap(\.self)
  }

  private func tellEnd(_ report: HookReport) async throws -> String? {
    guard let event = HookEvent(report.moment) else { return nil }
    var report = report
    var memory = hooks.needMemory ? try remembered() : OutageMessages()
    let before = memory
    let isDue = memory.isDue(report.moment, afterFailures: failuresBefore)
    // A success that could not be told is told with a later one.
    if memory.isRecoveryDue, event == .onSuccess {
      report.failures = max(report.failures, memory.failures ?? 0)
    }
    var answer: HookRunner.Answer?
    if let hook = hooks[event], isDue || !hook.isOncePerOutage {
      // An interruption does not cancel the task of its own hook.
      answer = await Task { await runner.run(hook, about: report) }.value
    }
    let isSettled = !isDue || (event == .onSuccess && hooks[event] == nil)
    memory.note(report, wasTold: answer?.succeeded ?? isSettled)
    if hooks.needMemory, memory != before { try remember(memory) }
    return answer?.warning(event.rawValue, of: job)
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

  private var memoryName: String { "outage-hooks:\(job)" }

  private func remembered() throws -> OutageMessages {
    guard let text = try context.store.read({ try $0.metadata(named: memoryName) }) else {
      return OutageMessages()
    }
    return try StoredJSON.value(of: text)
  }

  private func remember(_ memory: OutageMessages) throws {
    let text = memory == OutageMessages() ? nil : try StoredJSON.text(of: memory)
    try context.store.write { try $0.setMetadata(text, named: memoryName) }
  }
}

/// What hooks with `once_per_outage` have told of an outage: `docs/running.md#outages`.
struct OutageMessages: Codable, Hashable, Sendable {
  /// Whether the failure hook has run with success since the outage began.
  private(set) var isFailureTold = false
  /// Whether the job failed, and its success was not told since.
  private(set) var isRecoveryDue = false
  /// The runs that failed in a row during the outage; nil without one.
  private(set) var failures: Int?

  /// Whether a run is one to tell of; an interruption says nothing about the job.
  func isDue(_ moment: HookReport.Moment, afterFailures failures: Int) -> Bool {
    switch moment {
    case .ended(.failed), .ended(.blocked): !isFailureTold
    case .ended(.ok), .ended(.partial), .ended(.fresh): isRecoveryDue || failures > 0
    default: false
    }
  }

  /// Remembers a run; one that could not be told is told with the next of its kind.
  mutating func note(_ report: HookReport, wasTold: Bool) {
    switch report.moment {
    case .ended(.failed), .ended(.blocked):
      isFailureTold = isFailureTold || wasTold
      isRecoveryDue = true
      failures = report.failures
    case .ended(.ok), .ended(.partial), .ended(.fresh):
      isRecoveryDue = !wasTold
      isFailureTold = false
      if wasTold { failures = nil }
    default: break
    }
  }
}
