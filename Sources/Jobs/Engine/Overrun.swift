import Dispatch
import Model
import Store
import Synchronization
import Workspace

/// Work that continues after its job's timeout although it was cancelled.
///
/// It may still write, so the whole process ends, which also releases the lock.
struct Overrun: Sendable {
  /// The time limit for the failed run's hook.
  private static let hookTime = DispatchTimeInterval.seconds(30)

  let job: Job
  let context: JobContext
  let recorder: RunRecorder
  let notifier: RunNotifier?

  /// Records the run as failed, runs its hook, and ends the program.
  func end() {
    guard let timeout = job.timeout else { return }
    context.observer.end()
    let problem = WorkspaceError.overrun(job: job.name, timeout: timeout)
    let result = JobResult(.failed, "Ended at its timeout.", problem: problem)
    var report = recorder.report(of: result)
    do {
      try recorder.recordEndBesides(report.run, with: result)
    } catch {
      report.warnings.append(.alert("The run could not be recorded: \(error)"))
    }
    let (isNews, alerts) = tell(result)
    report.warnings += alerts
    context.giveUp(report, isNews)
  }

  /// Runs the hook and sends `notify` messages, unless the work leaves no thread for them.
  ///
  /// Returns whether to print the failure, and a sentence for each failed message.
  private func tell(_ result: JobResult) -> (isNews: Bool, alerts: [RunWarning]) {
    guard let notifier else { return (true, []) }
    let told = Mutex<(isNews: Bool, alerts: [RunWarning])>((true, []))
    let isTold = DispatchSemaphore(value: 0)
    Task {
      do {
        // The work may hold the connection of the context.
        let store = try Store.open(path: context.store.path)
        let ending = try await notifier.runHooks(with: result, store: store)
        let notices = try await notifier.deliver(ending.notices, store: store)
        let printed = notices.filter(\.isForErrors)
        try IncidentLedger(store).recordDeliveries(
          printed.filter { !$0.isDelivered }, at: context.clock.now)
        let known = ending.warnings.map(\.sentence)
        let failures = Set(printed.compactMap(\.failure)).subtracting(known)
        told.withLock { $0 = (!printed.isEmpty, ending.warnings + failures.map { .alert($0) }) }
      } catch {
        told.withLock { $0 = (true, [.alert("The hook's run could not be recorded: \(error)")]) }
      }
      isTold.signal()
    }
    guard isTold.wait(timeout: .now() + Self.hookTime) == .success else {
      return (true, [.alert("The hook of the job '\(job.name)' was stopped with the program.")])
    }
    return told.withLock(\.self)
  }
}
