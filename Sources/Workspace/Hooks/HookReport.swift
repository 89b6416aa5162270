import Foundation
package import Model
import Reports

/// The report about one run of a job for its hooks: `docs/running.md#hooks`.
package struct HookReport: Hashable, Sendable {
  package enum Moment: Hashable, Sendable {
    case started
    case ended(Run.Outcome)
  }

  /// The app's name, since several workspaces may use the same address.
  package var app: String
  package var job: String
  /// The run's row in the ledger; nil outside of a run.
  package var run: Int64?
  package var moment: Moment
  /// The number of consecutive failures, including this run; after a success, those before it.
  package var failures: Int
  /// Nil while the run goes on.
  package var exitCode: Int32?
  /// Nil while the run goes on.
  package var duration: Duration?
  package var summary: String?
  /// The reason why the run did not succeed; nil when it did.
  package var error: String?
  package var warnings: [String] = []
  /// Additional variables of the job's kind.
  package var variables: [String: String] = [:]
  /// Whether the run is fictitious.
  package var isTest: Bool
  /// The message to send instead of the text about a run; nil for that text.
  package var message: String?

  package init(
    app: String, job: String, run: Int64? = nil, moment: Moment, failures: Int = 0,
    isTest: Bool = false
  ) {
    self.app = app
    self.job = job
    self.run = run
    self.moment = moment
    self.failures = failures
    self.isTest = isTest
  }

  /// The largest size of the text that a hook sends, in bytes; `docs/running.md#hook-text`.
  package static let longestText = 10_000
  /// The largest size of `FIRETALLY_ERROR`, in bytes.
  package static let longestError = 4_096
}

extension HookReport.Moment {
  /// The value of `FIRETALLY_OUTCOME`.
  package var word: String {
    switch self {
    case .started: "started"
    case .ended(let outcome): outcome.rawValue
    }
  }
}

extension HookReport {
  /// The variables that every command gets; empty when they have no value.
  package static let variableNames = [
    "FIRETALLY_JOB", "FIRETALLY_OUTCOME", "FIRETALLY_FAILURES", "FIRETALLY_RUN_ID",
    "FIRETALLY_EXIT_CODE", "FIRETALLY_DURATION", "FIRETALLY_ERROR", "FIRETALLY_TEST",
  ]

  /// The additional variables for a command of `notify`: docs/incidents.md#notify.
  package static let incidentVariableNames = [
    "FIRETALLY_INCIDENT", "FIRETALLY_MOMENT", "FIRETALLY_HEADLINE",
  ]

  /// Returns the beginning of a message, without control characters and within the size limit.
  package static func bounded(_ message: String) -> String {
    beginning(of: VisibleText.of(message), bytes: longestText)
  }

  package var environment: [String: String] {
    let values = [
      job, moment.word, String(failures), run.map { String($0) } ?? "",
      exitCode.map { String($0) } ?? "", duration.map { String($0.components.seconds) } ?? "",
      Self.beginning(of: VisibleText.of(error ?? ""), bytes: Self.longestError),
      isTest ? "1" : "",
    ]
    return Dictionary(uniqueKeysWithValues: zip(Self.variableNames, values))
      .merging(variables) { own, _ in own }
  }

  /// The text for people: the result, the run, and the end of the run's messages.
  package var text: String {
    if let message { return message }
    let head =
      (isTest ? "This is a test of the hooks; no such run took place.\n" : "")
      + "\(app): \(headline)\n"
    let body = VisibleText.of(([details] + messages).filter { !$0.isEmpty }.joined(separator: "\n"))
    return body.isEmpty
      ? head : head + Self.end(of: body, bytes: Self.longestText - head.utf8.count)
  }

  private var headline: String {
    let times = failures == 1 ? "1 run" : "\(failures) runs"
    switch moment {
    case .started: return "\(job) begins."
    case .ended(.failed): return "\(job) failed."
    case .ended(.blocked): return "\(job) was blocked."
    case .ended(.interrupted): return "\(job) was interrupted."
    case .ended(let outcome):
      return failures > 0
        ? "\(job) works again, after \(times) that failed." : "\(job) ended: \(outcome.rawValue)."
    }
  }

  /// The line about the run: its number, exit code, time and failures in a row.
  private var details: String {
    let isFailure = HookEvent(moment) == .onFailure
    let parts = [
      run.map { "run \($0)" }, exitCode.map { "exit code \($0)" },
      duration.map { NumberWords.duration(seconds: $0.fractionalSeconds) },
      isFailure && failures > 1 ? "failure \(failures) in a row" : nil,
    ].compactMap(\.self)
    guard let first = parts.first else { return "" }
    return first.prefix(1).uppercased() + first.dropFirst()
      + parts.dropFirst().map { ", \($0)" }.joined() + "."
  }

  private var messages: [String] {
    let own = variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    return own + [summary ?? ""] + warnings.map { "Warning: \($0)" }
      + (error.map { ["Error: \($0)"] } ?? [])
  }

  private static func beginning(of text: String, bytes: Int) -> String {
    guard text.utf8.count > bytes else { return text }
    // The end is a scalar boundary.
    return text[..<text.utf8.index(text.startIndex, offsetBy: bytes)] + "…"
  }

  /// Returns the end of a text that is too long, with a line about the omission.
  private static func end(of text: String, bytes: Int) -> String {
    guard text.utf8.count + 1 > bytes else { return text + "\n" }
    let note = "(The beginning was left out.)\n"
    let rest = text.utf8.suffix(bytes - note.utf8.count - 1)
    let lineEnd = rest.prefix(1_000).firstIndex(of: UInt8(ascii: "\n"))
    let kept = lineEnd.map { rest[$0...].dropFirst() } ?? rest
    return note + String(decoding: kept.drop { $0 & 0xC0 == 0x80 }, as: UTF8.self) + "\n"
  }
}
