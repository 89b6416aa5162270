import Firestore

/// How a job of kind `sync-settings` works; see `docs/jobs/sync-settings.md`.
package struct SyncSettingsOptions: JobDefinition {
  package static let kind = JobKind("sync-settings")

  /// The settings document; nil for `AppSettings/` and the bundle id.
  package var document: String?
  /// Whether an app without that document is as it should be.
  package var allowsEmpty: Bool

  package static let keys = KeyTable([
    ConfigurationKey("document", .text),
    ConfigurationKey("allow_empty", .boolean, default: "false"),
  ])

  package init(document: String? = nil, allowsEmpty: Bool = false) {
    self.document = document
    self.allowsEmpty = allowsEmpty
  }

  package init(_ reader: MappingReader, job: String) {
    document = reader.text("document", wanted: "a document path such as AppSettings/com.app") {
      let ids = ResourceName.ids(in: $0)
      return ids.count.isMultiple(of: 2) && !ids.contains("")
    }
    allowsEmpty = reader.boolean("allow_empty") ?? false
  }

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
