import HTTP
package import Model
import Reports
package import Workspace

package struct JobResult: Sendable {
  package var outcome: Run.Outcome
  /// Why the run did not begin; nil for a run that began.
  package var refusedBy: Run.Refusal?
  package var counts: RunCounts
  package var readTime: Instant?
  package var warnings: [RunWarning]
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
    self.warnings = warnings.map { RunWarning($0) }
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
    warnings.insert(RunWarning(sentence), at: 0)
  }
}

/// A sentence about a run that its operator should read.
package struct RunWarning: Hashable, Sendable {
  package var sentence: String
  /// The cause of its incident; nil for a warning that is no alert.
  ///
  /// An alert is shown even for a successful run, such as a failed hook.
  private(set) var cause: String?

  init(_ sentence: String) { self.sentence = sentence }

  /// Creates an alert.
  ///
  /// Alerts about the same `problem`, but for its numbers, have one cause; it is the sentence
  /// unless given.
  static func alert(_ sentence: String, about problem: String? = nil) -> RunWarning {
    var warning = RunWarning(sentence)
    warning.cause = JobTrouble.withoutNumbers(QuotedText.clipped(problem ?? sentence))
    return warning
  }

  /// The same on one line, of a limited length.
  var clipped: RunWarning {
    var warning = self
    warning.sentence = QuotedText.clipped(sentence)
    return warning
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
  package var warnings: [RunWarning] = []
  /// The incident notices of the run, with their deliveries.
  package var notices: [IncidentNotice] = []
  /// Whether the run used the key, and so knows who can read it.
  var usedKey = false
  /// The database's edition, which determines what billed reads are.
  package var edition = FirestoreEdition.standard

  package var succeeded: Bool { run.outcome.isSuccess }

  /// The warnings that are always shown, such as a failed hook or a key that others can read.
  package var alerts: [String] { warnings.filter { $0.cause != nil }.map(\.sentence) }

  /// The others.
  package var remarks: [String] { warnings.filter { $0.cause == nil }.map(\.sentence) }
}
