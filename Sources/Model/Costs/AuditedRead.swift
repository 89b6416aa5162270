/// A request that read documents, as an audit log names it: docs/readers.md#the-audit-log.
package struct AuditedRead: Hashable, Sendable {
  /// A hash of what names the entry, so that it counts once however often it is imported.
  package var id: Int64
  package var at: Instant
  /// `Users`, `Users/*/Sessions`, or `Sessions (group)`; empty when the log does not name it.
  package var collection: String
  /// For example `RunQuery`.
  package var method: String
  /// A service account, or what kind of caller it was; never a person's id or address.
  package var caller: String
  /// In the order of their bytes, without duplicates.
  package var tags: [String]
  /// The number of documents in the answer; nil when the log does not have it.
  package var documentCount: Int?

  package init(
    id: Int64, at: Instant, collection: String, method: String, caller: String,
    tags: [String] = [], documentCount: Int? = nil
  ) {
    self.id = id
    self.at = at
    self.collection = collection
    self.method = method
    self.caller = caller
    self.tags = tags
    self.documentCount = documentCount
  }

  /// The job of Firetally that sent the request, by its tags; nil for other requests.
  package var job: String? {
    guard tags.contains("app=firetally") else { return nil }
    return tags.first { $0.hasPrefix("job=") }.map { String($0.dropFirst("job=".count)) }
  }
}
