/// The name of a mark: what the program remembers besides rows, in the table `marks`.
///
/// Names are stored: a name that changes forgets its value.
package struct MarkName: Hashable, Sendable, ExpressibleByStringInterpolation {
  package let text: String

  package init(stringLiteral text: String) { self.text = text }
}

/// What loads of a project's data remember, so that another project's must not see it.
extension MarkName {
  /// The version of the remote configuration that was fetched last.
  package static let settingsETag: MarkName = "remote-config etag"

  /// How many documents that are no rows the last sweep of a table left unexplained.
  package static func unexplained(in table: String) -> MarkName { "unexplained in \(table)" }

  /// How far a job's shards are merged.
  package static func gather(of job: String) -> MarkName { "gather of \(job)" }

  /// Which run has merged all shards of a plan, named by its digest.
  package static func gather(of job: String, plan: String) -> MarkName {
    "gather of \(job), plan \(plan)"
  }

  /// The patterns of these, as GLOB has them.
  static let patternsOfLoads = [settingsETag, unexplained(in: "*"), gather(of: "*")].map(\.text)
}
