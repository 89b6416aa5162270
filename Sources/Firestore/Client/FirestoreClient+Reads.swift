extension FirestoreClient {
  /// A missing database is an error.
  package func document(at path: String, readTime: Timestamp? = nil) async throws -> Document? {
    let name = try name(of: path)
    let call = FirestoreCall(
      url: endpoint.url(name, query: readTime.map { [("readTime", $0.rfc3339)] } ?? []),
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
    var query = [("pageSize", "\(pageSize)")]
    query += (mask ?? []).map { ("mask.fieldPaths", $0.description) }
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

  package func documentIds(in collection: ResourceName, count: Int) async throws -> [String] {
    let page = try await list(
      collection, pageSize: count, mask: [.documentName], showMissing: true)
    return page.documents.map(\.id)
  }

  package func documents(at paths: [String]) async throws -> [String: Document] {
    let pairs = try paths.map { (try name(of: $0).description, $0) }
    let paths = Dictionary(pairs) { _, last in last }
    guard !paths.isEmpty else { return [:] }
    let names = JSON.array(pairs.map { .string($0.0) })
    let call = FirestoreCall(
      url: endpoint.url(root, method: ":batchGet"), body: .object(["documents": names]),
      repetition: .read, request: "read \(pairs.count) documents of \(root)")
    return try await perform(call) { body in
      let found = try Self.found(in: body, outOf: paths)
      return BilledResult(result: found, billedReadCount: pairs.count)
    }
  }

  /// Also the ids of collections whose documents are all missing.
  ///
  /// A page has at most 300 ids. Google bills one read.
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

  /// The found documents by path; throws unless the answer covers every name.
  private static func found(
    in body: [UInt8], outOf paths: [String: String]
  ) throws -> [String: Document] {
    var found: [String: Document] = [:]
    var unanswered = Set(paths.keys)
    for element in try StreamedResponse.elements(body) {
      if let document = try element.optional("found", Document.init(json:)) {
        guard let path = paths[document.name] else {
          throw DocumentOrigin.strayDocument(document.name)
        }
        found[path] = document
        unanswered.remove(document.name)
      }
      let missing = try element.text("missing")
      if let missing { unanswered.remove(missing) }
    }
    guard let first = unanswered.min() else { return found }
    throw WireError("nothing is said about \(first)")
  }

  /// The name of a path below the root, or of the root itself.
  func name(of path: String?) throws(FirestoreError) -> ResourceName {
    guard let path else { return root }
    do {
      return try root.appending(path: path)
    } catch {
      throw .invalidRequest(error)
    }
  }
}
