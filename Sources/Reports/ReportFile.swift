/// One finished file: where it belongs in the output folder, and its bytes.
package struct ReportFile: Hashable, Sendable {
  /// `usage.html`; no folder.
  package var name: String
  package var bytes: [UInt8]

  package init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}
