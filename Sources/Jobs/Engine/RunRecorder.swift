import Dispatch
import Firestore
import HTTP
import Model
import Reports
import Store
import Sync
import Synchronization
import Workspace

/// The row of one run in `sync_runs`, from its beginning to its end.
struct RunRecorder {
  /// What the run may read.
  let budget: RunBudget
  var runId: Int64 { budget.runId }
  /// What is said while the run goes on.
  let log: RunLogRecorder
  private let context: JobContext
  private let run: Run
  private let trafficBefore: Traffic

  /// Enters the run as interrupted, which it is unless `end` is reached.
  init(_ context: JobContext, job: Job, trigger: Run.Trigger) async throws {
    try await self.init(
      context, job.name, kind: job.kind.rawValue, maxReads: job.definition.maxReads,
      trigger: trigger)
  }

  /// The same for a job that cannot run.
  init(_ context: JobContext, broken job: BrokenJob) async throws {
    try await self.init(
      context, job.name, kind: job.kindWord, maxReads: nil, trigger: .scheduled)
  }

  /// The same for reads outside of any job; the run bears the command's name.
  init(_ context: JobContext, command: String, maxReads: Int?) async throws {
    try await self.init(context, command, kind: command, maxReads: maxReads, trigger: .manual)
  }

  private init(
    _ context: JobContext, _ job: String, kind: String, maxReads: Int?, trigger: Run.Trigger
  ) async throws {
    var run = Run(job: job, kind: kind, trigger: trigger, startedAt: context.clock.now)
    let (budget, id) = try context.store.write { [run] writer in
      (try context.readBudget(maxPerRun: maxReads, writer), try writer.begin(run))
    }
    run.id = id
    self.budget = RunBudget(budget, runId: id)
    self.context = context
    self.run = run
    log = RunLogRecorder(context.clock)
    trafficBefore = await context.services.firestore.traffic()
  }

  /// Records the result and the log, with what went over the wire, also of a run that failed.
  func end(with result: JobResult) async throws -> JobReport {
    var run = run
    run.endedAt = context.clock.now
    run.outcome = result.outcome
    run.refusedBy = result.refusedBy
    run.counts = result.counts
    let traffic = await context.services.firestore.traffic() - trafficBefore
    run.counts.add(traffic)
    var cost = context.config.cost
    // The run may have learned it.
    if await context.services.firestore.edition() == .enterprise { cost.edition = .enterprise }
    run.estimatedCost = cost.price.cost(of: run.counts.billedReads)
    run.readTime = result.readTime
    // Every run that used the credentials says what is wrong with them, not only the first.
    let usedThem = traffic.requestCount > 0 || run.outcome == .failed
    let ofCredentials = usedThem ? await context.services.firestore.credentialWarnings() : []
    let noun = run.kind == SyncUsersOptions.kind.rawValue ? "user" : "document"
    let unreadable = result.outcome == .partial ? result.counts.unreadable(noun) : []
    run.warnings = (unreadable + result.warnings + ofCredentials).map(QuotedText.clipped)
    run.error =
      result.problem.map { String(describing: $0) }
      ?? (result.refusedBy != nil || result.outcome == .blocked ? result.summary : nil)
    run.exitStatus = result.problem.map(context.exitStatus)
    log.add(result, run)
    try context.store.write { [run, lines = log.lines] in try $0.finish(run, log: lines) }
    return JobReport(
      run: run, summary: result.summary, error: result.problem,
      alerts: (result.alerts + ofCredentials).map(QuotedText.clipped),
      keyWarnings: usedThem ? ofCredentials.map(QuotedText.clipped) : nil,
      edition: cost.edition)
  }

  /// The report of a run whose work goes on; its traffic is unknown.
  func report(of result: JobResult) -> JobReport {
    var run = run
    run.endedAt = context.clock.now
    run.outcome = result.outcome
    run.counts = budget.meter.counts
    run.counts.billedReads = budget.meter.spent
    run.estimatedCost = context.config.cost.price.cost(of: run.counts.billedReads)
    run.error = result.problem.map { String(describing: $0) }
    run.exitStatus = result.problem.map(context.exitStatus)
    return JobReport(run: run, summary: result.summary, error: result.problem)
  }

  /// Ends the row of a run whose work goes on and may hold the connection.
  ///
  /// - Throws: `StoreError`, which is `.busy` when the work holds a transaction.
  func endBesides(_ run: Run, with result: JobResult) throws {
    log.add(result, run)
    let own = try Store.open(path: context.store.path)
    try own.write { [lines = log.lines] in try $0.finish(run, log: lines) }
    try own.close()
  }
}

/// Work that goes on after its job's timeout although it was cancelled.
///
/// It may still write, so the process ends with it, which also gives the lock back.
struct Overrun: Sendable {
  /// How long the hook of the failed run may take.
  private static let hookTime = DispatchTimeInterval.seconds(30)

  let job: Job
  let context: JobContext
  let recorder: RunRecorder
  let notifier: RunNotifier?

  /// Records the run as failed, runs its hook, and ends the program.
  func end() {
    guard let timeout = job.timeout else { return }
    context.observer.end()
    let problem = JobsError.overrun(job: job.name, timeout: timeout)
    let result = JobResult(.failed, "Ended at its timeout.", problem: problem)
    var report = recorder.report(of: result)
    do {
      try recorder.endBesides(report.run, with: result)
    } catch {
      report.alerts.append("The run could not be recorded: \(error)")
    }
    let (isNews, alerts) = tell(result)
    report.alerts += alerts
    context.giveUp(report, isNews)
  }

  /// Runs the hook and tells `notify`, unless the work leaves no thread to do that with.
  ///
  /// Returns whether the failure is to be printed, and what went wrong with the messages.
  private func tell(_ result: JobResult) -> (isNews: Bool, alerts: [String]) {
    guard let notifier else { return (true, []) }
    let told = Mutex<(isNews: Bool, alerts: [String])>((true, []))
    let isTold = DispatchSemaphore(value: 0)
    Task {
      do {
        // The work may hold the connection of the context.
        let store = try Store.open(path: context.store.path)
        let ending = try await notifier.end(with: result, store: store)
        let notices = try await notifier.tell(ending.notices, store: store)
        let printed = notices.filter(\.isForErrors)
        try IncidentLedger(store).remember(printed.filter { !$0.isTold }, at: context.clock.now)
        let failures = printed.compactMap(\.failure).filter { !ending.warnings.contains($0) }
        told.withLock { $0 = (!printed.isEmpty, ending.warnings + Set(failures)) }
      } catch {
        told.withLock { $0 = (true, ["The hook's run could not be recorded: \(error)"]) }
      }
      isTold.signal()
    }
    guard isTold.wait(timeout: .now() + Self.hookTime) == .success else {
      return (true, ["The hook of the job '\(job.name)' was stopped with the program."])
    }
    return told.withLock(\.self)
  }
}

/// Collects the log lines of one run while it goes on: `docs/runs.md#log`.
final class RunLogRecorder: Sendable {
  private let clock: JobClock
  private let log = Mutex(RunLog())

  init(_ clock: JobClock) {
    self.clock = clock
  }

  var lines: RunLog { log.withLock(\.self) }

  func add(_ level: RunLog.LineLevel, _ message: String) {
    let line = RunLog.LoggedLine(at: clock.now, level: level, message: message)
    log.withLock { $0.append(line) }
  }

  fileprivate func add(_ result: JobResult, _ run: Run) {
    for warning in run.warnings { add(.warning, warning) }
    if let error = run.error, error != result.summary { add(.error, error) }
    add(result.outcome.isSuccess ? .info : .error, result.summary)
  }
}

/// What one run may read, and why.
package struct RunBudget: Sendable {
  let budget: ReadBudget
  let meter: ReadBudgetMeter
  let runId: Int64

  init(_ budget: ReadBudget, runId: Int64) {
    self.budget = budget
    self.runId = runId
    meter = ReadBudgetMeter(budget.allowance, runId: runId)
  }

  /// What its pull has stored so far.
  var counts: RunCounts { meter.counts }

  /// Why the run stopped before its end.
  var exhaustion: JobsError { .readBudget(budget, spent: meter.spent) }
}

extension JobContext {
  /// The read budget of a run that begins now; `reads` add to those that the database has recorded
  /// of the day.
  func readBudget(
    maxPerRun: Int?, after reads: Int = 0, _ reader: some Readable
  ) throws -> ReadBudget {
    let maxPerDay = config.cost.maxReadsPerDay
    return ReadBudget(
      maxPerRun: maxPerRun, maxPerDay: maxPerDay,
      // Without a limit nobody needs the count, and a fresh run loads no calendar.
      readToday: maxPerDay == nil ? 0 : reads + (try readToday(reader)), now: now)
  }

  private func readToday(_ reader: some Readable) throws -> Int {
    let day = ReadBudget.day(of: now)
    let latest = now.latestCounted + .microseconds(1)
    return try reader.billedReads(from: day.start, to: min(day.end, latest))
  }
}

extension RunCounts {
  /// A warning that counts the documents left out for each unreadable field; empty without any.
  fileprivate func unreadable(_ noun: String) -> [String] {
    let prefix = "bad-field:"
    let fields = skipped.filter { $0.key.hasPrefix(prefix) }.sorted { $0.key < $1.key }
      .map { (name: $0.key.dropFirst(prefix.count), count: $0.value) }
    guard let only = fields.first else { return [] }
    let documents = NumberWords.counted(fields.map(\.count).reduce(0, +), noun)
    let reason =
      fields.count == 1
      ? "`\(only.name)` is unreadable"
      : "a field is unreadable ("
        + fields.map { "`\($0.name)` \($0.count)" }.joined(separator: ", ") + ")"
    return ["\(documents) left out: \(reason)."]
  }

  /// Adds what went over the wire.
  mutating func add(_ traffic: Traffic) {
    requests += traffic.requestCount
    retries += traffic.retryCount
    bytes += traffic.receivedBytes
    billedReads += traffic.billedReadCount
  }
}
