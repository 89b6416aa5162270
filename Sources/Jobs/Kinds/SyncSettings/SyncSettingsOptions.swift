import Firestore

/// How a job of kind `sync-settings` works; see `docs/jobs/sync-settings.md`.
package struct SyncSettingsOptions: JobDefinition {
  package static let kind = JobKind("sync-settings")

  /// The settings document; nil for `AppSettings/` and the bundle id.
  package var document: String?
  /// Whether an app without that document is as it should be.
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

  package func work(_ job: String, _ context: JobContext) throws -> any JobWork {
    SyncSettingsWork(self, context)
  }
}

extension SyncSettingsOptions {
  package static var template: WorkspaceTemplate.File? {
    WorkspaceTemplate.File(path: "jobs/settings.yml", text: jobFile)
  }

  private static let jobFile = """
    # Fetches the app's remote configuration: limits, cooldowns, free period.
    # Every key of a job file is explained in docs/jobs.md.
    kind: sync-settings
    description: The app's settings from Firestore
    schedule: "3-59/30 * * * *"
    timeout: 5m

    # The document; AppSettings/ and the app's bundle id when left out.
    # document: AppSettings/com.peppty.ChatApp

    """
}
