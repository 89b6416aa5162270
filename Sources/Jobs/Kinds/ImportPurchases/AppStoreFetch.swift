import Feeds
import Glibc
import Model
import Store
import Workspace

/// Downloads Apple's daily reports, each once, into a folder from which they are imported;
/// docs/purchases.md#download.
struct AppStoreFetch {
  /// The age in days after which Apple no longer creates a missing report.
  private static let settledDays = 8

  let folder: String
  let vendor: String
  let reports: [AppStoreConnectReport]
  /// The number of requested days, back from yesterday: today's report does not exist yet.
  let days: Int
  let store: Store
  let ask: (AppStoreConnectReport, String) async throws -> AppStoreConnectClient.Response

  /// The result of a run.
  struct Outcome {
    var requests = 0
    var files = 0
    /// A warning that names the reason why reports were left for the next run.
    var warning: String?
    /// A warning that others can read the key.
    var keyWarning: String?
  }

  /// Downloads the missing reports, oldest day first.
  ///
  /// A file gets its name once it is complete, so an interrupted run continues with the others.
  func run(at now: Instant) async throws -> Outcome {
    var outcome = Outcome()
    try FileContents.makeFolder(folder)
    for back in (1...days).reversed() {
      let day = String((now - .seconds(back * 86_400)).iso8601.prefix(10))
      for report in reports {
        try Task.checkCancellation()
        let name = report.fileName(vendor: vendor, day: day)
        let mark: MarkName = "no report \(name)"
        if access("\(folder)/\(name)", F_OK) == 0 { continue }
        if try store.read({ try $0.mark(named: mark) }) != nil { continue }
        outcome.requests += 1
        switch try await ask(report, day) {
        case .report(let bytes):
          try AtomicFile.write(bytes, to: "\(folder)/\(name)")
          outcome.files += 1
        case .none:
          guard back > Self.settledDays else { continue }
          try store.write { try $0.setMark("none", named: mark) }
        case .later(let error):
          outcome.warning = "The next run asks for the other reports: \(error)"
          return outcome
        }
      }
    }
    return outcome
  }
}
