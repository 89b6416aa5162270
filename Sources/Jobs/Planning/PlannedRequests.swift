package import Model
package import Sync

/// What a job would ask servers for if it ran now, before anybody knows what they hold.
package struct PlannedRequests: Hashable, Sendable {
  package struct Upload: Hashable, Sendable {
    package var kind: OutboxItem.Kind
    package var count: Int
  }

  package var queries: [PlannedQuery] = []
  /// Single documents, each one billed read.
  package var documents: Int = 0
  /// One for each kind that the job delivers.
  package var uploads: [Upload] = []
  /// What the price leaves out, a sentence each.
  package var unknown: [String] = []

  mutating func add(_ others: PlannedRequests) {
    queries += others.queries
    documents += others.documents
    uploads += others.uploads
    unknown += others.unknown
  }
}
