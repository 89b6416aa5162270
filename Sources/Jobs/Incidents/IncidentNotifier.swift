import Feeds
import Firestore
import Foundation
import HTTP
import Model
import Reports
import Store
import Synchronization
package import Workspace

/// Sends the messages about incidents to `notify`: docs/incidents.md#notify.
final class IncidentNotifier: Sendable {
  private let context: JobContext
  private let hooks: HookRunner
  private let ledger: IncidentLedger
  /// The reason why a message of this command failed; nil while none has.
  private let failure = Mutex<String?>(nil)

  /// Creates a notifier; `store` is a separate connection for when the work may hold the context's
  /// one.
  init(_ context: JobContext, hooks: HookRunner, store: Store? = nil) {
    self.context = context
    self.hooks = hooks
    ledger = IncidentLedger(store ?? context.store)
  }

  /// Sends the messages that no hook has sent, and records those that arrived.
  ///
  /// After a failed delivery the command sends no more: an unreachable address costs one timeout.
  /// The remaining messages fail with the same reason, so that they are printed.
  ///
  /// - Returns: the messages that this command sent or failed to send.
  /// - Throws: `StoreError` when a delivery cannot be recorded.
  func deliver(_ notices: [IncidentNotice]) async throws -> [IncidentNotice] {
    let target = context.config.notify
    var told: [IncidentNotice] = []
    for var notice in notices {
      switch notice.delivery {
      case .hook:
        if target != nil { notice.delivery = .notify }
        told.append(notice)
        continue
      case .hookFailed: break
      case .none, .notify, .notifyFailed:
        guard isToDeliver(notice),
          let claimed = try ledger.claim(
            notice, at: context.clock.now, for: target?.hook.longestTime ?? .zero)
        else { continue }
        notice = claimed
      }
      if let target {
        var reason = failure.withLock(\.self)
        if reason == nil { reason = await send(notice, to: target) }
        failure.withLock { $0 = reason }
        notice.delivery = reason.map { .notifyFailed($0) } ?? .notify
        if reason == nil { try ledger.recordDeliveries([notice], at: context.clock.now) }
      }
      told.append(notice)
    }
    return told
  }

  /// Whether this command should send or print a notice, instead of leaving it to a hook.
  private func isToDeliver(_ notice: IncidentNotice) -> Bool {
    let isPrinted = !context.options.isQuiet || !notice.isMinor
    return (context.config.notify != nil || isPrinted) && !context.isLeftToHook(notice)
  }

  /// Sends a message; returns the reason of a failure as a sentence, nil on success.
  func send(_ notice: IncidentNotice, to target: NotifyTarget) async -> String? {
    let answer = await target.send(notice, app: context.config.app.name, with: hooks)
    return answer.succeeded ? nil : "The message to notify was not sent: it \(answer.text)."
  }
}

extension NotifyTarget {
  /// Sends a message that says that it is a test.
  package func test(app: String, with hooks: HookRunner) async -> HookRunner.Outcome {
    let incident = JobIncident(
      .failure, causes: ["test"],
      sentence: "This is a test of notify; no such incident took place.",
      beganAt: Instant(unixSeconds: 0))
    return await send(
      IncidentNotice(incident: incident, moment: .began), app: app, with: hooks, isTest: true)
  }

  func send(
    _ notice: IncidentNotice, app: String, with hooks: HookRunner, isTest: Bool = false
  ) async -> HookRunner.Outcome {
    let words = IncidentWords(notice.incident, notice.moment)
    let isGood = notice.isGood
    let subject = isTest ? "\(app): a test of notify" : "\(app): \(words.headline)"
    let text = HookReport.bounded(
      isTest
        ? "\(subject)\n\n\(words.line)\n"
        : words.text(app: app, listing: hooks.workspace.command("incidents")))
    var report = HookReport(
      app: app, job: notice.incident.jobs.first ?? "", moment: .ended(isGood ? .ok : .failed),
      failures: notice.incident.runs, isTest: isTest)
    report.message = text
    if case .mail(let address) = self {
      report.message =
        MailMessage(to: [address], subject: VisibleText.of(subject), text: text).source
    }
    report.error = isGood ? nil : notice.incident.sentence
    let values = [notice.incident.kind.rawValue, notice.moment.rawValue, words.headline]
    report.variables = Dictionary(
      uniqueKeysWithValues: zip(HookReport.incidentVariableNames, values.map(VisibleText.line)))
    // An interruption does not cancel the task of its own message.
    return await Task { [report, hook] in await hooks.run(hook, about: report) }.value
  }
}

extension JobContext {
  /// Whether a hook with `once_per_outage` will deliver a notice of a failure:
  /// docs/running.md#outages.
  ///
  /// The hook of an affected job does that at the job's next run. The end of an incident is left to
  /// hooks only when every affected job has such a hook, since any of the jobs may end it.
  fileprivate func isLeftToHook(_ notice: IncidentNotice) -> Bool {
    guard notice.incident.kind.isFailure else { return false }
    let isEnd = notice.moment == .ended
    let names = isEnd ? notice.incident.jobs : notice.incident.waiting
    let hooks =
      catalog.jobs.filter { names.contains($0.name) }.map(\.hooks)
      + catalog.broken.filter { names.contains($0.name) }.map { _ in config.hooks }
    guard isEnd else { return hooks.contains { $0[.onFailure]?.isOncePerOutage == true } }
    return !hooks.isEmpty && hooks.allSatisfy { $0[.onSuccess]?.isOncePerOutage == true }
  }
}
