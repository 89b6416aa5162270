/// How a job of kind `maintain` works; see `docs/jobs.md#maintain`.
package struct MaintainOptions: Hashable, Sendable {
  /// Backups to keep, newest first; 0 makes none.
  package var keepBackups: Int

  package static let defaultKeepBackups = 7
  package static let backupCounts = 0...365
  package static let keys = KeyTable(["keep_backups"])

  package init(keepBackups: Int = defaultKeepBackups) {
    self.keepBackups = keepBackups
  }

  init(_ reader: MappingReader) {
    keepBackups =
      reader.integer("keep_backups", in: Self.backupCounts) ?? Self.defaultKeepBackups
  }
}
