/// How well something stands, from well to badly.
package enum Level: String, CaseIterable, Codable, Comparable, Sendable {
  case pass, notice, warn, error

  package static func < (left: Level, right: Level) -> Bool {
    left.rank < right.rank
  }

  private var rank: Int {
    switch self {
    case .pass: 0
    case .notice: 1
    case .warn: 2
    case .error: 3
    }
  }
}

/// One sentence about something that a person should know, and the place that explains it.
package struct Finding: Hashable, Sendable {
  package var level: Level
  package var sentence: String
  package var report: Report.Name
  /// The id of a section of that report.
  package var section: String
  /// What stays the same while the sentence's numbers change, so that the finding is known again.
  ///
  /// Unique in its report; nil when the sentence does not change.
  package var subject: String?

  package init(
    _ level: Level, _ sentence: String, report: Report.Name, section: String,
    subject: String? = nil
  ) {
    self.level = level
    self.sentence = sentence
    self.report = report
    self.section = section
    self.subject = subject
  }

  /// Worst first; findings of one level keep their order.
  package static func worstFirst(_ findings: [Finding]) -> [Finding] {
    Level.allCases.reversed().flatMap { level in findings.filter { $0.level == level } }
  }
}
