import Feeds
import Glibc
import Model
import Store
import Workspace

/// Downloads Apple's daily reports into a folder from which they are imported, each once;
/// docs/purchases.md#download.
struct AppStoreFetch {
  /// Days after which Apple makes no report any more that it had none of.
  private static let settledDays = 8

  let folder: String
  let vendor: String
  let reports: [AppStoreConnectReport]
  /// How many days before today's are asked for; today's is not made yet.
  let days: Int
  let store: Store
  let ask: (AppStoreConnectReport, String) async throws -> AppStoreConnectClient.Response

  /// What a run brought.
  struct Outcome {
    var requests = 0
    var files = 0
    /// Why the rest was left for the next run.
    var warning: String?
    /// Who else may read the key.
    var keyWarning: String?
  }

  /// Asks for what is missing, the oldest day first.
  ///
  /// A file takes its name when it is whole, so that who is killed goes on with the others.
  func run(at now: Instant) async throws -> Outcome {
    var outcome = Outcome()
    try FileContents.makeFolder(folder)
    for back in (1...days).reversed() {
      let day = String((now - .seconds(back * 86_400)).iso8601.prefix(10))
      for report in reports {
        try Task.checkCancellation()
        let name = report.fileName(vendor: vendor, day: day)
        let mark = "no report \(name)"
        if access("\(folder)/\(name)", F_OK) == 0 { continue }
        if try store.read({ try $0.metadata(named: mark) }) != nil { continue }
        outcome.requests += 1
        switch try await ask(report, day) {
        case .report(let bytes):
          try AtomicFile.write(bytes, to: "\(folder)/\(name)")
          outcome.files += 1
        case .none:
          guard back > Self.settledDays else { continue }
          try store.write { try $0.setMetadata("none", named: mark) }
        case .later(let error):
          outcome.warning = "The next run asks for the other reports: \(error)"
          return outcome
        }
      }
    }
    return outcome
  }
}
