package import Model
package import Store
import Workspace

/// The end of a run, in the only order in which a process may die after any step:
/// docs/incidents.md#delivery.
///
/// `IncidentRule` decides, from what a run observed and the open incidents, which rows change and
/// which messages are due. This type applies it: incidents before their messages, the run's row
/// before messages about what it left out, and a delivery once it has arrived.
///
/// What a person waits for (`RateLimitedRefresh`, `AdHocReads`) is only recorded, and so is a job
/// that a needed one blocked: their ends are no news.
struct RunEnding: Sendable {
  let context: JobContext
  let messages: IncidentNotifier

  private var ledger: IncidentLedger { IncidentLedger(context.store) }

  /// Ends a run whose work is over.
  ///
  /// `alerts` came up before the work. `annotate` adds what the hooks are not given.
  ///
  /// - Throws: `StoreError` when a step cannot be recorded, and what `annotate` throws; the run's
  ///   row may then say that it was interrupted.
  func end(
    _ recorder: RunRecorder, with result: JobResult, hooks notifier: RunNotifier,
    alerts: [RunWarning] = [],
    annotate: (inout JobResult) throws -> Void = { _ in }
  ) async throws -> JobReport {
    var result = result
    let ending = try await notifier.runHooks(with: result)
    result.warnings += alerts + ending.warnings
    try annotate(&result)
    return try await record(recorder, result, ending.notices)
  }

  /// Ends a run that another process's lock kept from beginning; it has no hooks.
  func end(_ recorder: RunRecorder, lockedOut result: JobResult) async throws -> JobReport {
    let now = context.clock.now
    let notices = try ledger.record(
      context.observation(of: recorder.job, result, lockedAt: nil), startedAt: now, at: now)
    return try await record(recorder, result, notices)
  }

  /// Records a run and its incidents, and sends the messages that no hook has delivered.
  private func record(
    _ recorder: RunRecorder, _ result: JobResult, _ notices: [IncidentNotice]
  ) async throws -> JobReport {
    var report = try await recorder.recordEnd(with: result)
    let others = try ledger.record(
      report.remainingObservation, startedAt: report.run.startedAt, at: context.clock.now)
    report.notices = try await messages.deliver(notices + others)
    return report
  }
}

/// What a command printed when a run ended, or about incidents of no run, for the caller to record.
package struct RunPrintout: Sendable {
  /// The notices that only the printed lines have delivered.
  package var notices: [IncidentNotice]
  /// A sentence about lines that could not be written; nil when all were.
  package var loss: String?

  package init(of notices: [IncidentNotice] = []) { self.notices = notices }

  /// Records the deliveries, and the loss as a warning of the run.
  ///
  /// - Returns: a warning when the deliveries could not be recorded, so that they are repeated; nil
  ///   when they were.
  /// - Throws: `StoreError` when the run's row cannot be changed.
  package func record(in store: Store, ofRun id: Int64?, at now: Instant) throws -> String? {
    var warning: String?
    do {
      try IncidentLedger(store).recordDeliveries(notices, at: now)
    } catch {
      warning = "Printed messages cannot be recorded, so they come again: \(error)"
    }
    if let loss, let id { try store.write { try $0.addWarning(loss, toRun: id) } }
    return warning
  }
}
