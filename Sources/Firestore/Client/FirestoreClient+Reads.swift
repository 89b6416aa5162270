import Model

extension FirestoreClient {
  /// Throws for a missing database, unlike for a missing document.
  package func document(at path: String, readTime: Timestamp? = nil) async throws -> Document? {
    let name = try name(of: path)
    let call = FirestoreCall(
      url: endpoint.url(name, query: readTime.map { [("readTime", $0.rfc3339)] } ?? []),
      repetition: .read, request: "read \(name)", tagPlace: .parameters)
    do {
      return try await perform(call) { body in
        let document = try Document(json: StreamedResponse.object(body))
        guard document.name == name.description else {
          throw WireError("the answer holds `\(document.name)` instead", at: ["name"])
        }
        return BilledResult(
          result: document, billedReadCount: billedReads(ofLookUps: [document]))
      }
    } catch let error as FirestoreError where error.reason == .notFound {
      countReads(1)
      return nil
    }
  }

  /// A page of `documents.list`: at most 300 documents.
  package func documentIds(in collection: ResourceName, count: Int) async throws -> [String] {
    let origin = DocumentOrigin(collection: collection)
    func list(_ query: [(String, String)]) async throws -> [String] {
      let call = FirestoreCall(
        url: endpoint.url(
          collection, query: [("pageSize", "\(count)"), ("mask.fieldPaths", "__name__")] + query),
        repetition: .read, request: "list \(collection)", tagPlace: .parameters)
      return try await perform(call) { body in
        let members = try StreamedResponse.object(body).members()
        let documents = try members.list("documents", Document.init(json:))
        if let stray = documents.first(where: { !origin.holds($0.name) }) {
          throw DocumentOrigin.strayDocument(stray.name)
        }
        return BilledResult(result: documents.map(\.id), billedReadCount: max(1, documents.count))
      }
    }
    if edition.rules.listsMissingDocuments {
      do {
        return try await list([("showMissing", "true")])
      } catch let error as FirestoreError where error.reason == .notInEdition {}
    }
    return try await list([])
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
      let missing = pairs.count - found.count
      return BilledResult(
        result: found,
        billedReadCount: billedReads(ofLookUps: Array(found.values), missing: missing))
    }
  }

  /// Includes the ids of collections whose documents are all missing.
  ///
  /// A page has at most 300 ids. It counts as one read, though Google may bill each collection; see
  /// `docs/firestore.md#cost`.
  package func collectionPage(
    under parent: ResourceName?, after token: String?
  ) async throws -> CollectionPage {
    let parent = parent ?? endpoint.root
    var body: [String: JSON] = ["pageSize": .integer(300)]
    body["pageToken"] = token.map { .string($0) }
    let call = FirestoreCall(
      url: endpoint.url(parent, method: ":listCollectionIds"), body: .object(body),
      repetition: .read, request: "list the collections of \(parent)", parent: parent)
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
    throw WireError("\(first) is missing")
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
