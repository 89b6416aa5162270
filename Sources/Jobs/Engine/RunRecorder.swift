import Firestore
import HTTP
import Model
import Store
import Sync
import Synchronization

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
    run.estimatedCost = context.config.cost.price.cost(of: run.counts.billedReads)
    run.readTime = result.readTime
    // Every run that used the credentials says what is wrong with them, not only the first.
    let usedThem = traffic.requestCount > 0 || run.outcome == .failed
    let ofCredentials = usedThem ? await context.services.firestore.credentialWarnings() : []
    let unreadable = result.outcome == .partial ? result.counts.unreadable : []
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
      keyWarnings: usedThem ? ofCredentials.map(QuotedText.clipped) : nil)
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
  fileprivate var unreadable: [String] {
    let prefix = "bad-field:"
    let fields = skipped.filter { $0.key.hasPrefix(prefix) }
      .map { (String($0.key.dropFirst(prefix.count)), $0.value) }
    return Dictionary(uniqueKeysWithValues: fields)
      .warning("Left out, because a field could not be read")
  }

  /// Adds what went over the wire.
  fileprivate mutating func add(_ traffic: Traffic) {
    requests += traffic.requestCount
    retries += traffic.retryCount
    bytes += traffic.receivedBytes
    billedReads += traffic.billedReadCount
  }
}
