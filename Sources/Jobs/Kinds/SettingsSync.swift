import Firestore
import Model
import Store
import Sync

/// The kind `sync-settings`: fetches the app's settings document; see `docs/jobs.md#sync-settings`.
struct SettingsSync: JobWork {
  private let options: SyncSettingsOptions
  private let context: JobContext

  init(_ options: SyncSettingsOptions, _ context: JobContext) {
    self.options = options
    self.context = context
  }

  private var document: String {
    options.document ?? "AppSettings/\(context.config.app.bundleId)"
  }

  func plan() throws -> String { "Would read the document \(document)." }

  func perform() async throws -> JobResult {
    let client = try await context.firestore()
    let before = client.traffic
    let result = try await SettingsPull(port: client, store: context.store)
      .run(document: document, at: context.now)
    var counts = RunCounts(fetched: result.fieldCount == nil ? 0 : 1)
    counts.updated = result.changes.count
    counts.add(client.traffic - before)
    return JobResult(
      .ok, summary(of: result), counts: counts, warnings: try warnings(about: result))
  }

  private func summary(of result: SettingsPull.Result) -> String {
    guard let fieldCount = result.fieldCount else { return "No settings document." }
    return "\(fieldCount) settings, \(result.changes.count) changed."
  }

  private func warnings(about result: SettingsPull.Result) throws -> [String] {
    let missing =
      result.fieldCount == nil
      ? ["There is no document \(document): the defaults are in force."] : []
    return missing + (try context.settings().all.compactMap(\.warning))
  }
}

extension JobContext {
  func settings() throws -> Settings {
    try WorkspaceSettings.inForce(in: store, config: config)
  }
}
