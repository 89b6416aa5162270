/// The kind of a job, as named in its file after `kind:`, in the database and in reports.
package struct JobKindName: Hashable, Sendable {
  package let rawValue: String

  /// Names a new kind.
  package init(_ word: String) { rawValue = word }

  /// The kinds that modules below the jobs name; the others are named where they are made.
  package static let importEvents = JobKindName("import-events")
  package static let maintain = JobKindName("maintain")
  package static let syncReviews = JobKindName("sync-reviews")
  package static let syncSettings = JobKindName("sync-settings")
  package static let syncUsers = JobKindName("sync-users")
}
