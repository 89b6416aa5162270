package struct QueryResult: Hashable, Sendable {
  /// The documents in the query's order.
  package var documents: [Document]
  /// The snapshot's time; nil when the server did not send it.
  package var readTime: Timestamp?
  /// Documents that the query's offset skipped; they are billed too.
  package var skippedCount = 0
}

extension QueryResult {
  /// Throws for a document outside of `origin`; nil accepts any document.
  init(answer bytes: [UInt8], from origin: DocumentOrigin? = nil) throws {
    self.init(documents: [], readTime: nil)
    for element in try StreamedResponse.elements(bytes) {
      if let document = try element.optional("document", Document.init(json:)) {
        guard !document.name.isEmpty else {
          throw WireError("is missing", at: ["document", "name"])
        }
        guard origin?.holds(document.name) ?? true else {
          throw DocumentOrigin.strayDocument(document.name)
        }
        documents.append(document)
      }
      readTime = try element.optional("readTime", Timestamp.init(json:)) ?? readTime
      skippedCount += try element.optional("skippedResults", StructuredQuery.count(json:)) ?? 0
    }
  }
}

/// A page of `listCollectionIds`.
package struct CollectionPage: Hashable, Sendable {
  /// The ids, sorted.
  package var ids: [String]
  /// The token of the next page; nil on the last page.
  package var nextPageToken: String?

  init(json: JSON) throws(WireError) {
    let members = try json.members()
    ids = try members.list("collectionIds") { json throws(WireError) in try json.text() }.sorted()
    nextPageToken = try members.nextPageToken()
  }
}

/// The array in the answers of streaming methods such as `runQuery`; see
/// `docs/firestore.md#streams`.
enum StreamedResponse {
  /// The elements of a complete answer; throws an `ErrorEnvelope` found in any element.
  static func elements(_ bytes: [UInt8]) throws -> [[String: JSON]] {
    let elements = try object(bytes).elements()
    guard !elements.isEmpty else { throw noElements }
    return try elements.map { element throws(WireError) in try element.members() }
  }

  /// The error for an empty array: an answer without results still has an element with its read
  /// time.
  static var noElements: WireError { WireError("is an array without a single element") }

  /// The error for an answer with only progress elements: its end is missing.
  static var noReadTime: WireError { WireError("has no element with a readTime") }

  /// Parses a complete answer; throws it when it is an `ErrorEnvelope`.
  static func object(_ bytes: [UInt8]) throws -> JSON {
    let json = try JSON(parsing: bytes)
    if let envelope = ErrorEnvelope(in: json) { throw envelope }
    return json
  }
}
