import Firestore
import HTTP
import Model
import Reports
import Store
import Sync
import Synchronization
import Workspace

/// The row of one run in `sync_runs`, written at its beginning and its end.
struct RunRecorder {
  /// The read budget of the run.
  let budget: RunBudget
  var runId: Int64 { budget.runId }
  var job: String { run.job }
  /// The log of the run, collected while it goes on.
  let log: RunLogRecorder
  private let context: JobContext
  private let run: Run
  private let trafficBefore: Traffic

  /// Inserts the run as interrupted, which it stays unless `end` is reached.
  init(_ context: JobContext, job: Job, trigger: Run.Trigger) async throws {
    try await self.init(
      context, job.name, kind: job.kind.rawValue, maxReads: job.definition.maxReads,
      trigger: trigger)
  }

  /// Inserts the run of a job that cannot run.
  init(_ context: JobContext, broken job: BrokenJob) async throws {
    try await self.init(
      context, job.name, kind: job.kindWord, maxReads: nil, trigger: .scheduled)
  }

  /// Inserts a run of reads outside of any job, named after the command.
  init(_ context: JobContext, command: String, maxReads: Int?) async throws {
    try await self.init(context, command, kind: command, maxReads: maxReads, trigger: .manual)
  }

  private init(
    _ context: JobContext, _ job: String, kind: String, maxReads: Int?, trigger: Run.Trigger
  ) async throws {
    var run = Run(job: job, kind: kind, trigger: trigger, startedAt: context.clock.now)
    let (budget, edition, id) = try context.store.write { [run] writer in
      var run = run
      run.edition = try KnownDatabase.stored(in: writer)?.facts.edition
      let id = try writer.begin(run)
      return (try context.readBudget(maxPerRun: maxReads, writer), run.edition, id)
    }
    (run.edition, run.id) = (edition, id)
    self.budget = RunBudget(budget, runId: id)
    self.context = context
    self.run = run
    log = RunLogRecorder(context.clock)
    trafficBefore = await context.services.firestore.traffic()
  }

  /// Performs the work of the run, and makes a result also of an error.
  ///
  /// `failure` names the outcome and the summary of an error; that of a cancelled task is
  /// `WorkspaceError.interrupted`. Pages that a pull has stored stay, and count.
  ///
  /// - Throws: what `failure` throws.
  func outcome(
    of work: () async throws -> JobResult,
    failure: (any Error) throws -> (outcome: Run.Outcome, summary: String)
  ) async throws -> JobResult {
    do {
      return try await work()
    } catch {
      let problem: any Error = error is CancellationError ? WorkspaceError.interrupted : error
      let (outcome, summary) = try failure(problem)
      return JobResult(outcome, summary, counts: budget.counts, problem: problem)
    }
  }

  /// Records the result, the log and the traffic, also for a failed run.
  func recordEnd(with result: JobResult) async throws -> JobReport {
    var run = run
    run.endedAt = context.clock.now
    run.outcome = result.outcome
    run.refusedBy = result.refusedBy
    run.counts = result.counts
    let traffic = await context.services.firestore.traffic() - trafficBefore
    run.counts.add(traffic)
    // The run may have learned it.
    let edition = await context.services.firestore.edition() ?? run.edition
    let price = context.config.cost.price(on: edition ?? context.config.cost.edition)
    run.edition = run.counts.billedReads > 0 ? edition : nil
    run.estimatedCost = price.cost(of: run.counts.billedReads)
    run.readTime = result.readTime
    // Every run that used the credentials reports their problems, not only the first one.
    let usedThem = traffic.requestCount > 0 || run.outcome == .failed
    let ofCredentials = usedThem ? await context.services.firestore.credentialWarnings() : []
    let noun = run.kind == JobKindName.syncUsers.rawValue ? "user" : "document"
    let unreadable = result.outcome == .partial ? result.counts.unreadable(noun) : []
    let warnings =
      unreadable.map { RunWarning($0) } + result.warnings
      + ofCredentials.map { .alert($0, about: JobReport.causeOfKeys) }
    run.warnings = warnings.map(\.clipped.sentence)
    run.error =
      result.problem.map { String(describing: $0) }
      ?? (result.refusedBy != nil || result.outcome == .blocked ? result.summary : nil)
    run.exitStatus = result.problem.map(context.exitStatus)
    log.add(result, run)
    try context.store.write { [run, lines = log.lines] in try $0.finish(run, log: lines) }
    return JobReport(
      run: run, summary: result.summary, error: result.problem,
      warnings: warnings.map(\.clipped), usedKey: usedThem, edition: price.edition)
  }

  /// Returns the report of a run whose work still goes on; its traffic is unknown.
  func report(of result: JobResult) -> JobReport {
    var run = run
    run.endedAt = context.clock.now
    run.outcome = result.outcome
    run.counts = budget.meter.counts
    run.counts.billedReads = budget.meter.spent
    let edition = budget.meter.edition
    run.estimatedCost = context.config.cost.price(on: edition).cost(of: run.counts.billedReads)
    run.error = result.problem.map { String(describing: $0) }
    run.exitStatus = result.problem.map(context.exitStatus)
    return JobReport(run: run, summary: result.summary, error: result.problem, edition: edition)
  }

  /// Ends the row of a run whose work still goes on and may hold the connection.
  ///
  /// - Throws: `StoreError`; `.busy` when the work holds a transaction.
  func recordEndBesides(_ run: Run, with result: JobResult) throws {
    log.add(result, run)
    let own = try Store.open(path: context.store.path)
    try own.write { [lines = log.lines] in try $0.finish(run, log: lines) }
    try own.close()
  }
}

/// Collects the log lines of one run while it goes on: `docs/runs.md#log`.
final class RunLogRecorder: Sendable {
  private let clock: WorkspaceClock
  private let log = Mutex(RunLog())

  init(_ clock: WorkspaceClock) {
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

/// The read budget of one run, its meter and the run's id.
package struct RunBudget: Sendable {
  let budget: ReadBudget
  let meter: ReadBudgetMeter
  let runId: Int64

  init(_ budget: ReadBudget, runId: Int64) {
    self.budget = budget
    self.runId = runId
    meter = ReadBudgetMeter(budget.allowance, runId: runId, edition: budget.edition)
  }

  /// The counts of what the pull has stored so far.
  var counts: RunCounts { meter.counts }

  /// Why the run stopped before its end.
  var exhaustion: WorkspaceError {
    .readBudget(budget.ended(on: meter.edition, atScan: meter.refusedScan), spent: meter.spent)
  }
}

extension JobContext {
  /// Returns the read budget of a run that begins now.
  ///
  /// `reads` are added to the recorded reads of the day.
  func readBudget(
    maxPerRun: Int?, after reads: Int = 0, _ reader: some Readable
  ) throws -> ReadBudget {
    let maxPerDay = config.cost.maxReadsPerDay
    return ReadBudget(
      maxPerRun: maxPerRun, maxPerDay: maxPerDay,
      // Without a limit the count is not needed, and a new run need not load a calendar.
      readToday: maxPerDay == nil ? 0 : reads + (try readToday(reader)), now: now,
      edition: try KnownDatabase.stored(in: reader)?.facts.edition ?? config.cost.edition)
  }

  private func readToday(_ reader: some Readable) throws -> Int {
    let day = ReadBudget.day(of: now)
    let latest = now.latestCounted + .microseconds(1)
    return try reader.billedReads(from: day.start, to: min(day.end, latest))
  }
}

extension RunCounts {
  /// Returns a warning that counts the left-out documents by unreadable field; empty when none.
  fileprivate func unreadable(_ noun: String) -> [String] {
    let fields = badFields
    guard let only = fields.first else { return [] }
    let documents = NumberWords.counted(fields.map(\.count).reduce(0, +), noun)
    let reason =
      fields.count == 1
      ? "`\(only.name)` is unreadable"
      : "a field is unreadable ("
        + fields.map { "`\($0.name)` \($0.count)" }.joined(separator: ", ") + ")"
    return ["\(documents) left out: \(reason)."]
  }

  /// Adds the requests, retries, bytes and billed reads.
  mutating func add(_ traffic: Traffic) {
    requests += traffic.requestCount
    retries += traffic.retryCount
    bytes += traffic.receivedBytes
    billedReads += traffic.billedReadCount
  }
}
