package import Model
import Store

/// How a job of kind `sync-feedback` works; see `docs/jobs/sync-feedback.md`.
package struct SyncFeedbackOptions: JobDefinition {
  package static let kind = JobKind("sync-feedback")

  /// Documents a request asks for; 1 to 1,000.
  package var pageSize = 300
  /// How much later than others a text may become visible without everything being read again.
  package var overlap = Duration.seconds(3_600)
  /// How many rows a run may remove because their documents are gone.
  package var maxDelete = DeleteLimit.default
  /// Billed reads that a run may make; nil for as many as it takes.
  package var maxReads: Int?

  package static let options = OptionKeys(
    SyncFeedbackOptions(),
    [
      .key("page_size", \.pageSize, .integer(SyncUsersOptions.pageSizes)),
      .key("overlap", \.overlap, .time(longest: MirrorOptions.longestOverlap)),
      .key("max_delete", \.maxDelete, .deleteLimit),
      .key("max_reads", \.maxReads, .integer(CostConfig.readCounts)),
    ])

  package var tables: [(key: String, name: String)] { [("kind", SyncTable.feedback.name)] }

  package func work(_ job: String, _ context: JobContext) throws -> any JobWork {
    SyncFeedbackWork(self, job: job, context)
  }
}

extension SyncFeedbackOptions {
  package static var template: WorkspaceTemplate.File? {
    WorkspaceTemplate.File(path: "jobs/feedback.yml", text: jobFile)
  }

  private static let jobFile = """
    # Mirrors the feedback that the app itself sent to Firestore (Feedback/BUNDLE/Rating_Feedback),
    # so that feedback list, feedback export and the ratings report show all of it.
    # A run reads what is new; when the count says that a text came late, it reads everything.
    kind: sync-feedback
    description: Feedback that the app sent itself
    schedule: "26 * * * *"
    timeout: 10m

    # Texts that become visible up to so long after the time that they name are read at no extra cost.
    overlap: 1h

    """
}
