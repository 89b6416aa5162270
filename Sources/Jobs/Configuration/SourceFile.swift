/// A configuration file's bytes with the name that messages use for it.
package struct SourceFile: Hashable, Sendable {
  /// Relative to the workspace: `jobs/report.yml`.
  package var path: String
  package var bytes: [UInt8]

  package init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }

  package init(path: String, text: String) {
    self.init(path: path, bytes: Array(text.utf8))
  }
}
