package import CollectionMapping
import Firestore
package import Model
import Reports
import Store
import Sync
package import Workspace

/// How a job of kind `sync-settings` works; see `docs/jobs/sync-settings.md`.
package struct SyncSettingsOptions: JobKind {
  package static let kind = JobKindName.syncSettings

  /// The settings document; nil for `AppSettings/` and the bundle id.
  package var document: String?
  /// Whether an app without that document is expected.
  package var allowsEmpty = false

  package static let options = OptionKeys(
    SyncSettingsOptions(),
    [
      .key(
        "document", \.document,
        .text(wanted: "a document path such as AppSettings/com.app") {
          let ids = ResourceName.ids(in: $0)
          return ids.count.isMultiple(of: 2) && !ids.contains("")
        }),
      .key("allow_empty", \.allowsEmpty, .boolean),
    ])

  package func reads(_ collection: InspectedCollection) -> Bool {
    let names = ResourceName.ids(in: document ?? "AppSettings/id").dropLast()
    return !collection.source.isGroup && names == ResourceName.ids(in: collection.name)[...]
  }

  package func path(in config: WorkspaceConfig) -> String {
    document ?? "AppSettings/\(config.app.bundleId)"
  }

  package func work(_ job: String, _ context: JobContext) throws -> any JobWork {
    SyncSettingsWork(options: self, context: context)
  }
}

/// The work of the kind `sync-settings`: pulls the settings document; see
/// `docs/jobs/sync-settings.md`.
struct SyncSettingsWork: JobWork {
  let options: SyncSettingsOptions
  let context: JobContext

  private var document: String { options.path(in: context.config) }

  func plan() throws -> String {
    "Would read the document "
      + "\(document)\(context.config.usesRemoteConfig ? " and Remote Config" : "")."
  }

  func plannedRequests() throws -> PlannedRequests {
    PlannedRequests(documents: 1, unknown: [.absence(of: document)])
  }

  func perform(within budget: RunBudget) async throws -> JobResult {
    let client = try await context.services.firestore.database()
    let pull = SettingsPull(port: client, store: context.store)
    let read = try await budget.meter.spend(upTo: 1) { _ in
      (try await pull.run(document: document, at: context.now), 1)
    }
    guard let result = read else {
      return JobResult(
        .blocked, "The settings stay as they are.", problem: budget.exhaustion)
    }
    let remote = try await pullRemoteConfig()
    var counts = RunCounts(fetched: result.fieldCount == nil ? 0 : 1)
    counts.updated = result.changes.count + remote.changeCount
    counts.requests += context.config.usesRemoteConfig ? 1 : 0
    var ended = JobResult(
      remote.warning == nil ? .ok : .partial,
      result.fieldCount.map {
        "\(NumberWords.counted($0, "setting")), \(result.changes.count) changed."
      } ?? "No settings document.", counts: counts,
      warnings: [remote.warning].compactMap(\.self)
        + (try context.settings().all.compactMap(\.warning)) + (try conditionWarnings()))
    if result.fieldCount == nil {
      ended.reportEmptiness(try await absence(client, budget), isExpected: options.allowsEmpty)
    }
    return ended
  }

  /// Returns a sentence about a missing document.
  private func absence(
    _ client: any FirestorePort, _ budget: RunBudget
  ) async throws -> String {
    let siblings = SiblingCollections(client: client, reads: budget.meter)
    let ids = ResourceName.ids(in: document)
    let collection = ids.dropLast().joined(separator: "/")
    var hint = ""
    // If a missing document is expected, no billed look-up is made.
    if !options.allowsEmpty, let others = try await siblings.documents(in: collection) {
      hint = EmptyLoad.hint(
        for: ids.last ?? "", among: others, of: "the collection \(collection)")
      if others.isEmpty {
        let path = ids.dropLast(2).joined(separator: "/")
        let parent = path.isEmpty ? nil : path
        hint =
          "; the collection \(collection) is empty"
          + EmptyLoad.hint(
            for: ids.dropLast().last ?? "", among: try await siblings.collections(under: parent),
            of: siblings.place(under: parent))
      }
    }
    let sources = try context.settings().sourceWords
    return "The document \(document) does not exist: \(sources) are in force\(hint)."
  }

  /// Pulls Remote Config; it is the weaker source, so after an error its last values stay.
  private func pullRemoteConfig() async throws -> (changeCount: Int, warning: String?) {
    guard context.config.usesRemoteConfig else {
      try RemoteConfigPull.forget(in: context.store, at: context.now)
      return (0, nil)
    }
    do {
      let changes = try await RemoteConfigPull(
        store: context.store, fetch: context.services.firestore.template(etag:)
      )
      .run(at: context.now)
      return (changes.count, nil)
    } catch let error as StoreError {
      throw error
    } catch {
      try Task.checkCancellation()
      return (0, "Remote Config could not be read; its last values stay in force: \(error)")
    }
  }

  private func conditionWarnings() throws -> [String] {
    let all = try context.store.read { try $0.conditionalSettings() }
    return managedWarnings(all.filter { $0.kind != nil })
      + conditionWarnings(all.filter { !$0.condition.isEmpty })
  }

  private func managedWarnings(_ managed: [ConditionalSetting]) -> [String] {
    guard !managed.isEmpty else { return [] }
    let values = managed.map { setting in
      "\(setting.wireName) (\(setting.kindWords ?? "")"
        + (setting.rawValue.map { ": \(VisibleText.clipped($0, to: 60))" } ?? "") + ")"
    }
    return [
      "Firebase decides on values of Remote Config for some installations of the app, which are not "
        + "evaluated: \(values.listed(5)). See `firetally settings show`."
    ]
  }

  private func conditionWarnings(_ names: [ConditionalSetting]) -> [String] {
    guard !names.isEmpty else { return [] }
    let values = Set(names.map(\.wireName)).sorted().listed(5)
    let conditions = Set(names.map(\.condition)).sorted().listed(5)
    return [
      "Remote Config conditions are not evaluated, the default values count. Conditional values: "
        + "\(values); conditions: \(conditions). See `firetally settings show`."
    ]
  }
}
