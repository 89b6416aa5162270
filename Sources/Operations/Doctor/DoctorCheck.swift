/// A check of `firetally doctor`; see `docs/doctor.md#checks`.
///
/// A check changes nothing. An error that it throws fails its own line, except `DoctorObstacle`:
/// then the check is listed as not made.
protocol DoctorCheck: Sendable {
  /// Kebab-case and stable.
  static var name: String { get }
  /// Whether `--offline` skips the check.
  static var needsNetwork: Bool { get }

  init()

  /// Returns at least one finding.
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

  /// Returns one finding of this check in a list, so that others can be added.
  private func finding(
    _ verdict: DoctorFinding.Verdict, _ message: String, _ advice: String?, _ subject: String?
  ) -> [DoctorFinding] {
    let check = Self.name
    return [
      .init(check: check, verdict: verdict, subject: subject, message: message, advice: advice)
    ]
  }
}

/// The result of a check, printed as one line.
package struct DoctorFinding: Hashable, Sendable {
  package enum Verdict: String, CaseIterable, Hashable, Sendable {
    case ok
    /// Works, but needs attention.
    case warn
    /// Something does not work.
    case fail
  }

  package var check: String
  package var verdict: Verdict
  /// The job, host or file of the finding; nil when the check has a single subject.
  package var subject: String?
  /// A sentence.
  package var message: String
  /// The advice as a sentence; nil when the message contains it, or when nothing is to be done.
  package var advice: String?
}

/// The reason why a check could not run, when another check reports the cause.
struct DoctorObstacle: Error, Hashable {
  /// A clause.
  let reason: String

  static let configuration = DoctorObstacle(reason: "firetally.yml is wrong")
  static let jobFiles = DoctorObstacle(reason: "the job files cannot be read")
  static let database = DoctorObstacle(reason: "the database cannot be read")
}
