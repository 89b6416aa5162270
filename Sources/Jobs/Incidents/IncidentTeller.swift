import Feeds
import Firestore
import HTTP
import Model
import Reports
import Synchronization

/// Sends what there is to tell of incidents to whom `notify` names: docs/incidents.md#notify.
struct IncidentTeller: Sendable {
  private let context: JobContext
  private let hooks: HookRunner
  private let delivery = Delivery()

  /// Whether a message of this command did not arrive.
  private final class Delivery: Sendable {
    let hasFailed = Mutex(false)
  }

  init(_ context: JobContext, hooks: HookRunner) {
    self.context = context
    self.hooks = hooks
  }

  /// Sends the messages that nobody was told, and remembers those that arrived.
  ///
  /// After one that did not arrive the command sends no other: nobody waits for a dead address more
  /// than once.
  ///
  /// - Returns: those that this command has to tell, with what became of them.
  /// - Throws: `StoreError` when that cannot be remembered.
  func tell(_ notices: [IncidentNotice]) async throws -> [IncidentNotice] {
    let ledger = IncidentLedger(context.store)
    var told: [IncidentNotice] = []
    for notice in notices {
      guard !notice.isTold else {
        var notice = notice
        if context.config.notify != nil { notice.isToldByHook = false }
        told.append(notice)
        continue
      }
      guard !delivery.hasFailed.withLock(\.self),
        var claimed = try ledger.claim(notice, at: context.clock.now)
      else { continue }
      if let target = context.config.notify {
        claimed.failure = await send(claimed, to: target)
        claimed.isTold = claimed.failure == nil
        if claimed.isTold { try ledger.remember([claimed], at: context.clock.now) }
        delivery.hasFailed.withLock { $0 = !claimed.isTold }
      }
      told.append(claimed)
    }
    return told
  }

  /// Returns why a message could not be sent, as a sentence; nil when it was.
  func send(_ notice: IncidentNotice, to target: NotifyTarget) async -> String? {
    let answer = await target.send(notice, app: context.config.app.name, with: hooks)
    return answer.succeeded ? nil : "The message to notify was not sent: it \(answer.text)."
  }
}

extension NotifyTarget {
  /// Sends a message that says that it is a test.
  package func test(app: String, with hooks: HookRunner) async -> HookRunner.Answer {
    let incident = JobIncident(
      .failure, cause: "test",
      sentence: "This is a test of notify; no such incident took place.",
      beganAt: Instant(unixSeconds: 0))
    return await send(
      IncidentNotice(incident: incident, moment: .began), app: app, with: hooks, isTest: true)
  }

  /// Sends the message of a notice.
  func send(
    _ notice: IncidentNotice, app: String, with hooks: HookRunner, isTest: Bool = false
  ) async -> HookRunner.Answer {
    let words = IncidentWords(notice.incident, notice.moment)
    let isGood = notice.moment == .ended
    let subject = isTest ? "\(app): a test of notify" : "\(app): \(words.headline)"
    let text = HookReport.bounded(
      isTest ? "\(subject)\n\n\(words.line)\n" : words.text(app: app))
    var report = HookReport(
      app: app, job: notice.incident.jobs.first ?? "", moment: .ended(isGood ? .ok : .failed),
      failures: notice.incident.runs, isTest: isTest)
    report.message = text
    if case .mail(let address) = self {
      report.message = MailMessage(to: address, subject: VisibleText.of(subject), text: text).source
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
  /// What stopped a run, as trouble; nil for an interruption.
  func trouble(of problem: any Error) -> JobTrouble? {
    let sentence = String(describing: problem)
    switch problem {
    case is CancellationError: return nil
    case let error as JobsError where error.category == .interrupted: return nil
    case JobsError.jobFiles: return JobTrouble(.file, sentence)
    case let error as FirestoreError where error.isTransient:
      return JobTrouble(.server, cause: "Firestore", sentence)
    case let error as HTTPError where error.isTransient:
      return JobTrouble(.server, cause: error.host ?? "a server", sentence)
    case FeedError.busy(let feed, _): return JobTrouble(.server, cause: feed, sentence)
    case FeedError.refused(let feed, let status, _) where status >= 500:
      return JobTrouble(.server, cause: feed, sentence)
    default: return JobTrouble(.failure, sentence)
    }
  }

  /// What a run's end says of incidents, but for what it left out: docs/incidents.md#kinds.
  func sighting(
    of job: String, _ result: JobResult, needsLock: Bool
  ) -> IncidentRule.Sighting {
    var trouble: JobTrouble?
    if let problem = result.problem {
      trouble =
        result.outcome == .locked
        ? JobTrouble(.lock, cause: "lock", String(describing: problem)) : self.trouble(of: problem)
    }
    return IncidentRule.Sighting(
      of: job, result.outcome, trouble: trouble, needsLock: needsLock)
  }
}
