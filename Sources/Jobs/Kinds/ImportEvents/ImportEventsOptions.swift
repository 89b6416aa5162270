/// How a job of kind `import-events` works; see `docs/jobs/import-events.md`.
package struct ImportEventsOptions: JobDefinition {
  package static let kind = JobKind("import-events")

  /// Glob patterns; relative ones count from the workspace.
  package var files: [String]
  /// Where lines that could not be read go; relative to the workspace.
  package var rejects: String

  package static let keys = KeyTable([
    ConfigurationKey("files", .list(.text), isRequired: true),
    ConfigurationKey("rejects", .text, default: "data/rejects/JOB.txt"),
  ])

  package init(files: [String], rejects: String) {
    self.files = files
    self.rejects = rejects
  }

  package init(_ reader: MappingReader, job: String) {
    files = reader.texts("files") ?? []
    if reader.entry("files") == nil {
      reader.missing("files", "list the export's files, 'files: [exports/*.ndjson]'")
    }
    rejects = reader.text("rejects") ?? "data/rejects/\(job).txt"
  }

  package func work(_ job: String, _ context: JobContext) throws -> any JobWork {
    ImportEventsWork(self, context)
  }
}

extension ImportEventsOptions {
  package static var template: WorkspaceTemplate.File? {
    WorkspaceTemplate.File(path: "jobs/events.yml", text: jobFile)
  }

  private static let jobFile = """
    # Reads the usage events of a GA4 export (BigQuery, as NDJSON, plain or gzip).
    # A file that was read before adds nothing, so it can stay where it is.
    kind: import-events
    description: Usage events from the analytics export
    schedule: "20 * * * *"
    timeout: 1h

    files:
      - data/exports/*.ndjson
      - data/exports/*.ndjson.gz

    # Lines that cannot be read go here, each with its number and the reason.
    rejects: data/rejects/events.txt

    """
}
