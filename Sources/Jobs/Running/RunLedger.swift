import Firestore
import Model
import Store

/// The row of one run in `sync_runs`, from its beginning to its end.
struct RunLedger {
  private let context: JobContext
  private let run: Run

  /// Enters the run as interrupted, which it is unless `end` is reached.
  init(_ context: JobContext, job: Job, trigger: Run.Trigger) throws {
    var run = Run(
      job: job.name, kind: job.kind.name.rawValue, trigger: trigger,
      startedAt: context.now + context.elapsed())
    run.id = try context.store.write { [run] in try $0.begin(run) }
    self.context = context
    self.run = run
  }

  /// Writes what became of it.
  func end(with result: JobResult) throws -> JobReport {
    var run = run
    run.endedAt = context.now + context.elapsed()
    run.outcome = result.outcome
    run.counts = result.counts
    run.readTime = result.readTime
    run.warnings = result.warnings
    run.error =
      result.problem.map { String(describing: $0) }
      ?? (result.outcome == .blocked ? result.summary : nil)
    try context.store.write { [run] in try $0.finish(run) }
    return JobReport(run: run, summary: result.summary, error: result.problem)
  }
}

extension RunCounts {
  /// Adds what went over the wire.
  mutating func add(_ traffic: Traffic) {
    requests += traffic.requestCount
    retries += traffic.retryCount
    bytes += traffic.receivedBytes
    billedReads += traffic.billedReadCount
  }
}
