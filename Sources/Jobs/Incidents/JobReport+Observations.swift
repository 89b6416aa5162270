import Feeds
import Firestore
import HTTP
import Model
import Workspace

extension JobReport {
  /// What the recorded run says about incidents beside its failure: what it left out, and warnings.
  var remainingObservation: IncidentRule.RunObservation {
    // After any other outcome `on_success` did not run, so its state is unknown.
    IncidentRule.RunObservation(
      job: run.job, troubles: remainingTroubles, cleared: succeeded ? [.warning] : [],
      unknown: usedKey ? [] : [Self.causeOfKeys])
  }

  /// The common cause of all warnings about keys.
  static let causeOfKeys = "key"

  private var remainingTroubles: [JobTrouble] {
    let alerts = warnings.compactMap { warning in
      warning.cause.map { JobTrouble(.warning, cause: $0, warning.sentence) }
    }
    guard run.outcome == .partial else { return alerts }
    return alerts + [JobTrouble(.partial, sentences: remarks.isEmpty ? [summary] : remarks)]
  }
}

extension JobContext {
  /// Returns the trouble that an error stands for; nil for an interruption.
  func trouble(of problem: any Error) -> JobTrouble? {
    let sentence = String(describing: problem)
    switch problem {
    case is CancellationError: return nil
    case let error as WorkspaceError where error.category == .interrupted: return nil
    case WorkspaceError.jobFiles: return JobTrouble(.file, sentence)
    case let error as FirestoreError where error.isTransient:
      return JobTrouble(.server, cause: "Firestore", sentence)
    case let error as FirestoreError:
      return JobTrouble(.failure, cause: error.commonCause, sentence)
    case let error as HTTPError where error.isTransient:
      return JobTrouble(.server, cause: error.host ?? "a server", sentence)
    case FeedError.busy(let feed, _): return JobTrouble(.server, cause: feed, sentence)
    case FeedError.refused(let feed, let status, _) where status >= 500:
      return JobTrouble(.server, cause: feed, sentence)
    default: return JobTrouble(.failure, sentence)
    }
  }

  /// Returns what a run's end means for incidents, without its left-out data:
  /// docs/incidents.md#kinds.
  func observation(
    of job: String, _ result: JobResult, lockedAt: Instant?
  ) -> IncidentRule.RunObservation {
    var trouble: JobTrouble?
    if let problem = result.problem {
      trouble =
        result.outcome == .locked
        ? JobTrouble(.lock, cause: "lock", String(describing: problem)) : self.trouble(of: problem)
    }
    return IncidentRule.RunObservation(
      of: job, result.outcome, trouble: trouble, lockedAt: lockedAt)
  }
}
