/// How a job of kind `import-events` works; see `docs/jobs.md#import-events`.
package struct ImportEventsOptions: Hashable, Sendable {
  /// Glob patterns; relative ones count from the workspace.
  package var files: [String]
  /// Where lines that could not be read go; relative to the workspace.
  package var rejects: String

  package static let keys = KeyTable(["files", "rejects"])

  package init(files: [String], rejects: String) {
    self.files = files
    self.rejects = rejects
  }

  init(_ reader: MappingReader, job: String) {
    files = reader.texts("files") ?? []
    if reader.entry("files") == nil {
      reader.missing("files", "list the export's files, 'files: [exports/*.ndjson]'")
    }
    rejects = reader.text("rejects") ?? "data/rejects/\(job).txt"
  }
}
