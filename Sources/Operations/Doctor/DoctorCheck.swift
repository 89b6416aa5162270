/// One thing that `firetally doctor` looks at; see `docs/doctor.md#checks`.
///
/// A check changes nothing. What it throws becomes a failure of its own line, except
/// `DoctorObstacle`: then it is listed as not made.
protocol DoctorCheck: Sendable {
  /// Kebab-case and stable.
  static var name: String { get }
  /// Whether `--offline` leaves it out.
  static var needsNetwork: Bool { get }

  init()

  /// What was found; at least one finding.
  func findings(in context: DoctorContext) async throws -> [DoctorFinding]
}

extension DoctorCheck {
  static var needsNetwork: Bool { false }

  func ok(_ message: String, about subject: String? = nil) -> [DoctorFinding] {
    finding(.ok, message, nil, subject)
  }

  func warn(
    _ message: String, _ advice: String? = nil, about subject: String? = nil
  ) -> [DoctorFinding] {
    finding(.warn, message, advice, subject)
  }

  func fail(
    _ message: String, _ advice: String? = nil, about subject: String? = nil
  ) -> [DoctorFinding] {
    finding(.fail, message, advice, subject)
  }

  /// One finding of this check, as a list to which others are added.
  private func finding(
    _ verdict: DoctorFinding.Verdict, _ message: String, _ advice: String?, _ subject: String?
  ) -> [DoctorFinding] {
    let check = Self.name
    return [
      .init(check: check, verdict: verdict, subject: subject, message: message, advice: advice)
    ]
  }
}

/// What a check found: a line.
package struct DoctorFinding: Hashable, Sendable {
  package enum Verdict: String, CaseIterable, Hashable, Sendable {
    case ok
    /// Works, and should be seen to.
    case warn
    /// Something does not work.
    case fail
  }

  package var check: String
  package var verdict: Verdict
  /// The job, the host or the file that it is about; nil when the check has one thing to look at.
  package var subject: String?
  /// A sentence.
  package var message: String
  /// What to do, as a sentence; nil when the message says it, or there is nothing to do.
  package var advice: String?
}

/// Why a check could not be made, when another check says what is wrong.
struct DoctorObstacle: Error, Hashable {
  /// A clause.
  let reason: String

  static let configuration = DoctorObstacle(reason: "firetally.yml is wrong")
  static let jobFiles = DoctorObstacle(reason: "the job files cannot be read")
  static let database = DoctorObstacle(reason: "the database cannot be read")
}
