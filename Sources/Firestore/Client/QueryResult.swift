/// The whole answer to a query.
package struct QueryResult: Hashable, Sendable {
  /// In the query's order.
  package var documents: [Document]
  /// The instant that the documents were read at; nil when the server did not say.
  package var readTime: Timestamp?
  /// Documents that the query's offset passed over; they are billed too.
  package var skippedCount: Int

  package init(documents: [Document], readTime: Timestamp?, skippedCount: Int = 0) {
    self.documents = documents
    self.readTime = readTime
    self.skippedCount = skippedCount
  }

  init(answer bytes: [UInt8]) throws {
    self.init(documents: [], readTime: nil)
    for element in try StreamedAnswer.elements(bytes) {
      if let document = try element.optional("document", Document.init(json:)) {
        guard !document.name.isEmpty else {
          throw WireError("is missing", at: ["document", "name"])
        }
        documents.append(document)
      }
      readTime = try element.optional("readTime", Timestamp.init(json:)) ?? readTime
      skippedCount += try element.optional("skippedResults", StructuredQuery.count(json:)) ?? 0
    }
  }
}

/// A page of `documents.list`.
package struct ListPage: Hashable, Sendable {
  /// In the order of their names.
  package var documents: [Document]
  /// Nil on the last page.
  package var nextPageToken: String?

  init(json: JSON) throws(WireError) {
    let members = try json.members()
    documents = try members.list("documents", Document.init(json:))
    let token = try members.optional("nextPageToken") { json throws(WireError) in try json.text() }
    nextPageToken = token == "" ? nil : token
  }
}
