import Dispatch
import Foundation
import Model
import Store
import Synchronization

/// How long a job's work may take; see `docs/jobs.md#job-files`.
struct Timeout: Sendable {
  private enum Turn: Sendable {
    case ended(Result<JobResult, any Error>)
    case timeIsUp
    /// The pause was cut short, because the work ended or everything was cancelled.
    case calledOff
  }

  /// How long cancelled work may take to end: enough to store a page on a slow disk.
  static let grace = Duration.seconds(10)

  let timeout: Duration?
  var grace = Self.grace
  let sleep: @Sendable (Duration) async throws -> Void
  /// Is called on another thread when the work goes on after the grace, as a computation does that
  /// never looks whether it was cancelled.
  var overrun: @Sendable () -> Void = {}

  /// The result of the work, which is cancelled when the time is up.
  ///
  /// Work that gets all done while it is being stopped has succeeded: what it stored is stored.
  ///
  /// - Throws: what the work throws, or `JobsError.timedOut` when it was stopped.
  func run(_ work: @escaping @Sendable () async throws -> JobResult) async throws -> JobResult {
    guard let timeout else { return try await work() }
    let deadline = Deadline(after: timeout, grace: grace, overrun)
    defer { deadline.callOff() }
    return try await withThrowingTaskGroup(of: Turn.self) { group in
      group.addTask { await Self.outcome(of: work) }
      group.addTask { [sleep] in
        do {
          try await sleep(timeout)
          return .timeIsUp
        } catch {
          return .calledOff
        }
      }
      var isLate = false
      for try await turn in group {
        group.cancelAll()
        switch turn {
        case .ended(.success(let result)) where !isLate || result.problem == nil: return result
        case .ended(let result) where !isLate: return try result.get()
        case .ended: throw JobsError.timedOut(after: timeout)
        case .timeIsUp: isLate = true
        case .calledOff: break
        }
      }
      throw CancellationError()
    }
  }

  private static func outcome(of work: () async throws -> JobResult) async -> Turn {
    do {
      return .ended(.success(try await work()))
    } catch {
      return .ended(.failure(error))
    }
  }
}

extension JobContext {
  /// Does the work of a run within the timeout of its job.
  ///
  /// A cancellation also stops the statement that the database is at. Work that goes on all the
  /// same is an overrun, which ends the program.
  ///
  /// - Throws: as `Timeout.run` does.
  func perform(
    _ job: Job, _ recorder: RunRecorder, _ notifier: RunNotifier? = nil,
    _ work: @escaping @Sendable () async throws -> JobResult
  ) async throws -> JobResult {
    let timeout = Timeout(timeout: job.timeout, grace: timeoutGrace, sleep: clock.sleep) {
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

/// Calls a function when a time and the grace after it have passed, on a thread of its own.
///
/// The grace begins when the time is over, also for a process that was stopped meanwhile.
///
/// Tasks share one thread a processor. Work that computes may hold all of them, so that no pause of
/// a task ends.
final class Deadline: Sendable {
  private let isCalledOff = DispatchSemaphore(value: 0)
  /// Whether it has passed or was called off, whichever came first.
  private let isOver = Mutex(false)

  init(after time: Duration, grace: Duration, _ passed: @escaping @Sendable () -> Void) {
    Thread.detachNewThread { [isCalledOff, weak self] in
      for part in [time, grace] {
        let seconds = Double(part.components.seconds) + Double(part.components.attoseconds) * 1e-18
        guard isCalledOff.wait(timeout: .now() + seconds) == .timedOut else { return }
      }
      self?.isOver.withLock { isOver in
        guard !isOver else { return }
        isOver = true
        passed()
      }
    }
  }

  /// Prevents the call; waits for a call that has begun.
  func callOff() {
    isOver.withLock { $0 = true }
    isCalledOff.signal()
  }
}
