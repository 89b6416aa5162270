package import Model
import Reports
package import Workspace

package struct JobResult: Sendable {
  package var outcome: Run.Outcome
  /// Why the run did not begin; nil for a run that began.
  package var refusedBy: Run.Refusal?
  package var counts: RunCounts
  package var readTime: Instant?
  package var warnings: [String]
  /// The warnings that are shown even for a successful run.
  package var alerts: [String] = []
  /// Why the outcome is not `ok`; nil otherwise.
  package var problem: (any Error)?
  /// A sentence for the operator.
  package var summary: String
  /// The kind's own hooks, which run once the work is done.
  package var announcements: [Announcement] = []

  /// A run of a kind's own hook, in addition to the job's hooks.
  package struct Announcement: Hashable, Sendable {
    /// The hook's key in the job file.
    package var key: String
    package var hook: Hook
    /// Variables for the hook's command.
    package var variables: [String: String]
  }

  package init(
    _ outcome: Run.Outcome, _ summary: String, counts: RunCounts = RunCounts(),
    readTime: Instant? = nil, warnings: [String] = [], problem: (any Error)? = nil
  ) {
    self.outcome = outcome
    self.summary = summary
    self.counts = counts
    self.readTime = readTime
    self.warnings = warnings
    self.problem = problem
  }

  /// Creates the result of a run that did not begin; `problem` makes the command fail.
  init(refusedBy refusal: Run.Refusal, _ reason: String, problem: (any Error)? = nil) {
    self.init(refusal == .lock ? .locked : .blocked, reason, problem: problem)
    refusedBy = refusal
  }

  /// Reports that there was nothing to store; does nothing without a sentence.
  ///
  /// The sentence becomes a warning that makes the run partial, unless emptiness is expected.
  mutating func reportEmptiness(_ sentence: String?, isExpected: Bool) {
    guard let sentence else { return }
    guard !isExpected else {
      summary += " " + sentence
      return
    }
    if outcome == .ok { outcome = .partial }
    warnings.insert(sentence, at: 0)
  }

  /// Adds a warning that is always shown.
  mutating func alert(_ warning: String) {
    warnings.append(warning)
    alerts.append(warning)
  }
}

extension Run.Outcome {
  /// The outcome of a run that an error ended.
  init(of error: any Error) {
    self =
      switch (error as? WorkspaceError)?.category {
      case .interrupted: .interrupted
      case .tryLater: .blocked
      default: .failed
      }
  }
}

extension [String: Int] {
  /// Returns one warning that lists the keys with their counts; empty when there are none.
  func warning(_ lead: String) -> [String] {
    guard !isEmpty else { return [] }
    let counts = sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    return ["\(lead): \(counts.joined(separator: ", "))."]
  }
}

/// The counts of documents as the summaries of runs phrase them.
extension RunCounts {
  /// `12 new, 1 changed, 3,000 unchanged`.
  var stored: String {
    "\(NumberWords.grouped(inserted)) new, \(NumberWords.grouped(updated)) changed, "
      + "\(NumberWords.grouped(unchanged)) unchanged"
  }

  /// What a failed run says of its documents.
  var storedOfFetched: String {
    fetched == 0
      ? "Nothing was fetched."
      : "\(NumberWords.grouped(storedTotal)) of \(NumberWords.counted(fetched, "document")) fetched "
        + "were stored."
  }

  /// The end of such a sentence: the number of removed rows, if any, and the full stop.
  var removed: String { deleted > 0 ? ", \(NumberWords.grouped(deleted)) removed." : "." }
}

package struct JobReport: Sendable {
  package var run: Run
  package var summary: String
  /// The error that stopped the run; nil when it finished.
  package var error: (any Error)?
  /// The warnings that are always shown, such as a failed hook or a key that others can read.
  package var alerts: [String] = []
  /// The incident notices of the run, with their deliveries.
  package var notices: [IncidentNotice] = []
  /// The alerts about keys; nil when the run used no key.
  package var keyWarnings: [String]?
  /// The database's edition, which determines what billed reads are.
  package var edition = FirestoreEdition.standard

  package var succeeded: Bool { run.outcome.isSuccess }
}
