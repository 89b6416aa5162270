package import Model
import Reports
package import Workspace

package struct JobResult: Sendable {
  package var outcome: Run.Outcome
  /// Nil for a run that began.
  package var refusedBy: Run.Refusal?
  package var counts: RunCounts
  package var readTime: Instant?
  package var warnings: [String]
  /// Those of the warnings that are shown even for a run that succeeded.
  package var alerts: [String] = []
  /// Why the outcome is not `ok`; nil otherwise.
  package var problem: (any Error)?
  /// A sentence for the operator.
  package var summary: String
  /// Hooks of the kind itself, to be run once the work is done.
  package var announcements: [Announcement] = []

  /// What a hook of the job's kind reports beside the job's own hooks.
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

  /// A run that did not begin; `problem` makes it a failure of the command.
  init(refusedBy refusal: Run.Refusal, _ reason: String, problem: (any Error)? = nil) {
    self.init(refusal == .lock ? .locked : .blocked, reason, problem: problem)
    refusedBy = refusal
  }

  /// Reports that there was nothing to store: a warning that makes the run partial, unless that is
  /// expected; does nothing without a sentence.
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

extension [String: Int] {
  /// A warning that counts what there is of each; empty without any.
  func warning(_ lead: String) -> [String] {
    guard !isEmpty else { return [] }
    let counts = sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    return ["\(lead): \(counts.joined(separator: ", "))."]
  }
}

/// How the summaries of runs name what became of the documents that they fetched.
extension RunCounts {
  /// `12 new, 1 changed, 3,000 unchanged`.
  var stored: String {
    "\(NumberWords.grouped(inserted)) new, \(NumberWords.grouped(updated)) changed, "
      + "\(NumberWords.grouped(unchanged)) unchanged"
  }

  /// The end of such a sentence: rows that were removed, if any, and the full stop.
  var removed: String { deleted > 0 ? ", \(NumberWords.grouped(deleted)) removed." : "." }
}

package struct JobReport: Sendable {
  package var run: Run
  package var summary: String
  /// What stopped it; nil when it finished.
  package var error: (any Error)?
  /// Those of the run's warnings that are always shown: a failed hook, a key that others can read.
  package var alerts: [String] = []
  /// News of incidents, and whether a hook or `notify` told them.
  package var notices: [IncidentNotice] = []
  /// The alerts about keys; nil when the run used no key.
  package var keyWarnings: [String]?
  /// Of the database, which says what the billed reads are.
  package var edition = FirestoreEdition.standard

  package var succeeded: Bool { run.outcome.isSuccess }
}
