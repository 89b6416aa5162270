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

  func plan() throws -> String {
    "Would read the document \(document)\(context.config.usesRemoteConfig ? " and Remote Config" : "")."
  }

  func plannedRequests() throws -> PlannedRequests { PlannedRequests(documents: 1) }

  func perform() async throws -> JobResult {
    let client = try await context.firestore()
    let pull = SettingsPull(port: client, store: context.store)
    let read = try await context.runReads.allowance.spend(upTo: 1) { _ in
      (try await pull.run(document: document, at: context.now), 1)
    }
    guard let result = read else {
      return JobResult(
        .blocked, "The settings stay as they are.", problem: context.runReads.exhaustion)
    }
    let remote = try await pullRemoteConfig()
    var counts = RunCounts(fetched: result.fieldCount == nil ? 0 : 1)
    counts.updated = result.changes.count + remote.changeCount
    counts.requests += context.config.usesRemoteConfig ? 1 : 0
    return JobResult(
      remote.warning == nil ? .ok : .partial, summary(of: result), counts: counts,
      warnings: try warnings(about: result) + [remote.warning].compactMap(\.self))
  }

  /// Remote Config is the weaker source: when it cannot be read, its last values stay.
  private func pullRemoteConfig() async throws -> (changeCount: Int, warning: String?) {
    guard context.config.usesRemoteConfig else {
      try RemoteConfigPull.forget(in: context.store, at: context.now)
      return (0, nil)
    }
    do {
      let changes = try await RemoteConfigPull(store: context.store, fetch: context.remoteConfig)
        .run(at: context.now)
      return (changes.count, nil)
    } catch let error as StoreError {
      throw error
    } catch {
      try Task.checkCancellation()
      return (0, "Remote Config was not read, its last values stay in force: \(error)")
    }
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
