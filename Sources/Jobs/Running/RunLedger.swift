import Firestore
import Model
import Store

/// The row of one run in `sync_runs`, from its beginning to its end.
struct RunLedger {
  /// What the run may read.
  let reads: RunReads
  private let context: JobContext
  private let run: Run
  private let trafficBefore: Traffic
  /// Warnings about the credentials that an earlier run of the command has got.
  private let warningsBefore: Int

  /// Enters the run as interrupted, which it is unless `end` is reached.
  init(_ context: JobContext, job: Job, trigger: Run.Trigger) async throws {
    var run = Run(
      job: job.name, kind: job.kind.name.rawValue, trigger: trigger,
      startedAt: context.now + context.elapsed())
    let (budget, id) = try context.store.write { [run] writer in
      (try context.budget(maxPerRun: job.kind.maxReads, writer), try writer.begin(run))
    }
    run.id = id
    reads = RunReads(budget, runId: id)
    self.context = context
    self.run = run
    trafficBefore = await context.traffic()
    warningsBefore = await context.credentialWarnings().count
  }

  /// Writes what became of it, with what went over the wire, also of a run that failed.
  func end(with result: JobResult) async throws -> JobReport {
    var run = run
    run.endedAt = context.now + context.elapsed()
    run.outcome = result.outcome
    run.refusedBy = result.refusedBy
    run.counts = result.counts
    run.counts.add(await context.traffic() - trafficBefore)
    run.estimatedCost = context.config.cost.price.cost(of: run.counts.billedReads)
    run.readTime = result.readTime
    run.warnings = result.warnings
    run.warnings += await context.credentialWarnings().dropFirst(warningsBefore)
    run.error =
      result.problem.map { String(describing: $0) }
      ?? (result.outcome == .blocked ? result.summary : nil)
    try context.store.write { [run] in try $0.finish(run) }
    return JobReport(run: run, summary: result.summary, error: result.problem)
  }
}

extension RunCounts {
  /// Adds what went over the wire.
  fileprivate mutating func add(_ traffic: Traffic) {
    requests += traffic.requestCount
    retries += traffic.retryCount
    bytes += traffic.receivedBytes
    billedReads += traffic.billedReadCount
  }
}
