import Dispatch
import Model
import Store
import Synchronization

extension JobContext {
  /// Does the work of a run within the timeout of its job.
  ///
  /// A cancellation also stops the statement that the database is at. Work that goes on all the same
  /// is an overrun, which ends the program.
  ///
  /// - Throws: as `Timeout.run` does.
  func perform(
    _ job: Job, _ recorder: RunRecorder, _ notifier: RunNotifier? = nil,
    _ work: @escaping @Sendable () async throws -> JobResult
  ) async throws -> JobResult {
    let timeout = Timeout(job.timeout, grace: timeoutGrace, sleep: clock.sleep) {
      Overrun(job: job, context: self, recorder: recorder, notifier: notifier).end()
    }
    return try await timeout.run { [store] in
      try await withTaskCancellationHandler {
        try await work()
      } onCancel: {
        store.interrupt()
      }
    }
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
    let result = JobResult(.failed, "Failed.", problem: problem)
    var report = recorder.report(of: result)
    do {
      try recorder.endBesides(report.run, with: result)
    } catch {
      report.alerts.append("The run could not be recorded: \(error)")
    }
    report.alerts += tell(result)
    context.giveUp(report)
  }

  /// Runs the hook, unless the work leaves no thread to do that with.
  private func tell(_ result: JobResult) -> [String] {
    guard let notifier else { return [] }
    let alerts = Mutex<[String]>([])
    let isTold = DispatchSemaphore(value: 0)
    Task {
      do {
        let said = try await notifier.end(with: result)
        alerts.withLock { $0 = said }
      } catch {
        alerts.withLock { $0 = ["The hook's run could not be recorded: \(error)"] }
      }
      isTold.signal()
    }
    guard isTold.wait(timeout: .now() + Self.hookTime) == .success else {
      return ["The hook of the job '\(job.name)' was stopped with the program."]
    }
    return alerts.withLock(\.self)
  }
}
