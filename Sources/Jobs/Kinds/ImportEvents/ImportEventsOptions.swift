/// How a job of kind `import-events` works; see `docs/jobs/import-events.md`.
package struct ImportEventsOptions: JobDefinition {
  package static let kind = JobKind("import-events")

  /// Glob patterns; relative ones count from the workspace.
  package var files: [String] = []
  /// Where lines that could not be read go; relative to the workspace.
  package var rejects = "data/rejects/JOB.txt"

  package static let options = OptionKeys(
    ImportEventsOptions(),
    [
      .required(
        "files", \.files, .texts, "list the export's files, 'files: [exports/*.ndjson]'"),
      .key("rejects", \.rejects, .text),
    ])

  package mutating func check(_ reader: MappingReader, job: String) {
    if reader.entry("rejects") == nil { rejects = "data/rejects/\(job).txt" }
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
