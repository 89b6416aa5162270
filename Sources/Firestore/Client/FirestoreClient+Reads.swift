extension FirestoreClient {
  /// Reads one document; nil when it does not exist.
  ///
  /// A missing database is an error.
  package func get(
    _ name: ResourceName, mask: [FieldPath]? = nil, readTime: Timestamp? = nil
  ) async throws -> Document? {
    let call = FirestoreCall(
      url: endpoint.url(name, query: Self.parameters(mask, readTime)),
      repetition: .read, request: "read \(name)")
    do {
      return try await perform(call) { body in
        let document = try Document(json: StreamedResponse.object(body))
        guard document.name == name.description else {
          throw WireError("the answer holds `\(document.name)` instead", at: ["name"])
        }
        return BilledResult(result: document, billedReadCount: 1)
      }
    } catch let error as FirestoreError where error.reason == .notFound {
      countReads(1)
      return nil
    }
  }

  /// Lists a page of the collection's documents by name.
  ///
  /// Firestore allows a `pageSize` of 300. A `pageToken` is valid only with unchanged parameters.
  /// `showMissing` adds documents that do not exist but have subcollections, without their times.
  package func list(
    _ collection: ResourceName, pageSize: Int = 300, pageToken: String? = nil,
    mask: [FieldPath]? = nil, showMissing: Bool = false
  ) async throws -> ListPage {
    var query = [("pageSize", "\(pageSize)")] + Self.parameters(mask, nil)
    if let pageToken { query.append(("pageToken", pageToken)) }
    if showMissing { query.append(("showMissing", "true")) }
    let call = FirestoreCall(
      url: endpoint.url(collection, query: query), repetition: .read,
      request: "list \(collection)")
    return try await perform(call) { body in
      let page = try ListPage(
        json: StreamedResponse.object(body), from: DocumentOrigin(collection: collection))
      return BilledResult(result: page, billedReadCount: max(1, page.documents.count))
    }
  }

  /// Reads documents by name in one request; the result lacks those that do not exist.
  package func batchGet(
    _ names: [ResourceName], mask: [FieldPath]? = nil
  ) async throws -> [String: Document] {
    guard !names.isEmpty else { return [:] }
    var body: [String: JSON] = ["documents": .array(names.map { .string($0.description) })]
    body["mask"] = mask.map(FieldPath.maskJSON)
    let call = FirestoreCall(
      url: endpoint.url(endpoint.root, method: ":batchGet"), body: .object(body),
      repetition: .read, request: "read \(names.count) documents of \(endpoint.root)")
    return try await perform(call) { body in
      let found = try Self.found(in: body, outOf: names)
      return BilledResult(result: found, billedReadCount: names.count)
    }
  }

  /// A page of the ids of the collections under `parent`, a document or the root (nil).
  ///
  /// Also those of collections whose documents are all missing. `token` is that of the page before,
  /// nil for the first; a page has at most 300 ids. Google bills one read.
  package func collectionPage(
    under parent: ResourceName?, after token: String?
  ) async throws -> CollectionPage {
    let parent = parent ?? endpoint.root
    var body: [String: JSON] = ["pageSize": .integer(300)]
    body["pageToken"] = token.map { .string($0) }
    let call = FirestoreCall(
      url: endpoint.url(parent, method: ":listCollectionIds"), body: .object(body),
      repetition: .read, request: "list the collections of \(parent)")
    return try await perform(call) { body in
      BilledResult(
        result: try CollectionPage(json: StreamedResponse.object(body)), billedReadCount: 1)
    }
  }

  /// The found documents by name; throws unless the answer covers every name.
  private static func found(
    in body: [UInt8], outOf names: [ResourceName]
  ) throws -> [String: Document] {
    var found: [String: Document] = [:]
    let asked = Set(names.map(\.description))
    var unanswered = asked
    for element in try StreamedResponse.elements(body) {
      if let document = try element.optional("found", Document.init(json:)) {
        guard asked.contains(document.name) else {
          throw DocumentOrigin.strayDocument(document.name)
        }
        found[document.name] = document
        unanswered.remove(document.name)
      }
      let missing = try element.text("missing")
      if let missing { unanswered.remove(missing) }
    }
    guard let first = unanswered.min() else { return found }
    throw WireError("nothing is said about \(first)")
  }

  private static func parameters(
    _ mask: [FieldPath]?, _ readTime: Timestamp?
  ) -> [(String, String)] {
    (mask ?? []).map { ("mask.fieldPaths", $0.description) }
      + (readTime.map { [("readTime", $0.rfc3339)] } ?? [])
  }
}
