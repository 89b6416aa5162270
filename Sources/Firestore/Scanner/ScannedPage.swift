/// What a page of a query holds, apart from its documents.
package struct ScannedPage: Hashable, Sendable {
  package var documentCount = 0
  /// Documents that the query's offset passed over.
  package var skippedCount = 0
  /// The instant that the page was read at; nil when the server did not say.
  package var readTime: Timestamp?
  /// The full name of the last document; nil on a page without any.
  package var lastName: String?
  /// What fields the documents have; nil unless the scan counts them.
  package var census: FieldCensus?
}
