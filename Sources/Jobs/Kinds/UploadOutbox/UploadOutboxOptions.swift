package import Model

/// How a job of kind `upload-outbox` works; see `docs/jobs/upload-outbox.md`.
package struct UploadOutboxOptions: JobDefinition {
  package static let kind = JobKind("upload-outbox")

  /// Which items it delivers; not empty.
  package var kinds = OutboxItem.Kind.allCases
  /// Items of each kind that one run delivers at most; 1 to 10,000.
  package var maxItems = 500

  package static let itemCounts = 1...10_000

  package static let options = OptionKeys(
    UploadOutboxOptions(),
    [
      .key("kinds", \.kinds, .choices(of: OutboxItem.Kind.self)),
      .key("max_items", \.maxItems, .integer(itemCounts)),
    ])

  package func work(_ job: String, _ context: JobContext) throws -> any JobWork {
    UploadOutboxWork(self, context)
  }
}

extension UploadOutboxOptions {
  package static var template: WorkspaceTemplate.File? {
    WorkspaceTemplate.File(path: "jobs/upload-feedback.yml", text: jobFile)
  }

  private static let jobFile = """
    # Delivers what waits in the outbox: feedback to Firestore, moments to the service that
    # moments.base_url of firetally.yml names, events to Google Analytics if it has a section for that.
    kind: upload-outbox
    description: Queued feedback, moments and events to their servers
    schedule: "2-59/5 * * * *"
    timeout: 5m

    kinds: [feedback, moment, event]
    # Of each kind, in one run.
    max_items: 500

    # Tell a monitoring service of this job, instead of what firetally.yml says for all:
    # hooks:
    #   on_success:
    #     ping: https://hc-ping.com/your-check-id
    #   on_failure:
    #     ping: https://hc-ping.com/your-check-id
    #     healthchecks: true

    """
}
