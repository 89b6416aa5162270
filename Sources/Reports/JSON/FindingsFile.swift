import Model

/// What needs a person, for programs: docs/findings.md#findingsjson.
package enum FindingsFile {
  package static let name = "findings.json"
  /// Raise the number when a field goes or changes its meaning.
  static let currentSchema = 1

  private struct Content: Encodable {
    var schemaVersion = FindingsFile.currentSchema
    var app: String
    var writtenAt: Instant
    var timeZone: String
    var anonymous: Bool
    /// Worst first.
    var findings: [JSONFinding]
  }

  /// The links lead to the pages of the layout.
  static func bytes(of index: Report, in layout: PageLayout) throws(ReportsError) -> [UInt8] {
    let context = index.context
    let content = Content(
      app: context.appName, writtenAt: context.now, timeZone: context.timeZone,
      anonymous: context.isAnonymous,
      findings: index.attention.map { JSONFinding($0, in: layout) })
    return try JSONWriter.bytes(of: content, named: name)
  }
}
