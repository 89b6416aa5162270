package import Model
import Store

/// Runs jobs one after the other, each with its hooks and its row in the ledger.
package struct JobRunner: Sendable {
  private let context: JobContext
  private let hooks: HookRunner
  private let sleep: @Sendable (Duration) async throws -> Void

  package init(
    _ context: JobContext, hooks: HookRunner,
    sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.context = context
    self.hooks = hooks
    self.sleep = sleep
  }

  /// What each of the jobs would do now.
  package func plan(_ jobs: [Job]) throws -> [(job: Job, plan: String)] {
    try jobs.map { ($0, try $0.work(context).plan()) }
  }

  /// Runs the jobs in their order; `ended` hears of each as soon as it is over.
  ///
  /// A job that fails takes those that need it with it, as `blocked`, and no other. An interrupted
  /// job ends the whole run. The ledger says `trigger`, or else what each job itself says.
  package func run(
    _ jobs: [Job], trigger: Run.Trigger? = nil, ended: @Sendable (JobReport) -> Void
  ) async throws -> [JobReport] {
    var queue = JobQueue(jobs, of: context.jobs)
    var reports: [JobReport] = []
    while let job = queue.next() {
      let report = try await run(job, trigger: trigger)
      ended(report)
      reports.append(report)
      guard report.run.outcome != .interrupted else { break }
      for blocked in queue.finished(job, succeeded: report.succeeded) {
        let report = try await block(blocked, because: job)
        ended(report)
        reports.append(report)
      }
    }
    return reports
  }

  private func run(_ job: Job, trigger: Run.Trigger?) async throws -> JobReport {
    let ledger = try await RunLedger(
      context, job: job, trigger: try trigger ?? job.work(context).trigger())
    let work = job.work(context.reading(within: ledger.reads))
    var warnings = [await hooks.run(.started, of: job)].compactMap(\.self)
    var result: JobResult
    do {
      result = try await TimeLimit(job.timeout, sleep: sleep).hold(work.perform)
    } catch is CancellationError {
      result = JobResult(.interrupted, "Interrupted.", problem: JobsError.interrupted)
    } catch {
      result = JobResult(.failed, "Failed.", problem: error)
    }
    warnings += [await told(.ended(result.outcome), of: job)].compactMap(\.self)
    result.warnings += warnings
    return try await ledger.end(with: result)
  }

  /// Whoever is to hear of an interruption hears of it although everything else was cancelled.
  private func told(_ moment: HookRunner.Moment, of job: Job) async -> String? {
    await Task { await hooks.run(moment, of: job) }.value
  }

  private func block(_ job: Job, because failed: Job) async throws -> JobReport {
    let ledger = try await RunLedger(context, job: job, trigger: .scheduled)
    let reason = "Not run, because it needs the job '\(failed.name)', which did not succeed."
    return try await ledger.end(with: JobResult(refusedBy: .need, reason))
  }
}
