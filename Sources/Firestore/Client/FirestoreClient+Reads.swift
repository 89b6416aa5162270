extension FirestoreClient {
  /// Reads one document; nil when there is none of that name.
  ///
  /// A missing database is an error, not a missing document.
  package func get(
    _ name: ResourceName, mask: [FieldPath]? = nil, readTime: Timestamp? = nil
  ) async throws -> Document? {
    let call = FirestoreCall(
      url: endpoint.url(name, query: Self.parameters(mask, readTime)),
      repetition: .read, request: "read \(name)")
    do {
      return try await perform(call) { body in
        let document = try Document(json: StreamedAnswer.object(body))
        guard document.name == name.description else {
          throw WireError("the answer holds `\(document.name)` instead", at: ["name"])
        }
        return Reading(result: document, billedReadCount: 1)
      }
    } catch let error as FirestoreError where error.reason == .notFound {
      countReads(1)
      return nil
    }
  }

  /// Lists a page of the collection's documents in the order of their names.
  ///
  /// `pageSize` is at most 300 for Firestore. With a `pageToken`, all else must be as it was.
  package func list(
    _ collection: ResourceName, pageSize: Int = 300, pageToken: String? = nil,
    mask: [FieldPath]? = nil, readTime: Timestamp? = nil
  ) async throws -> ListPage {
    var query = [("pageSize", "\(pageSize)")] + Self.parameters(mask, readTime)
    if let pageToken { query.append(("pageToken", pageToken)) }
    let call = FirestoreCall(
      url: endpoint.url(collection, query: query), repetition: .read,
      request: "list \(collection)")
    return try await perform(call) { body in
      let page = try ListPage(json: StreamedAnswer.object(body))
      return Reading(result: page, billedReadCount: max(1, page.documents.count))
    }
  }

  /// Reads documents by name, in one request; those that are missing are absent from the result.
  package func batchGet(
    _ names: [ResourceName], mask: [FieldPath]? = nil, readTime: Timestamp? = nil
  ) async throws -> [String: Document] {
    guard !names.isEmpty else { return [:] }
    var body: [String: JSON] = ["documents": .array(names.map { .string($0.description) })]
    body["mask"] = mask.map(FieldPath.maskJSON)
    body["readTime"] = readTime.map { .string($0.rfc3339) }
    let call = FirestoreCall(
      url: endpoint.url(endpoint.root, method: ":batchGet"), body: .object(body),
      repetition: .read, request: "read \(names.count) documents of \(endpoint.root)")
    return try await perform(call) { body in
      let found = try Self.found(in: body, outOf: names)
      return Reading(result: found, billedReadCount: names.count)
    }
  }

  /// Every name must be answered for, found or missing.
  private static func found(
    in body: [UInt8], outOf names: [ResourceName]
  ) throws -> [String: Document] {
    var found: [String: Document] = [:]
    var unanswered = Set(names.map(\.description))
    for element in try StreamedAnswer.elements(body) {
      if let document = try element.optional("found", Document.init(json:)) {
        found[document.name] = document
        unanswered.remove(document.name)
      }
      let missing = try element.optional("missing") { json throws(WireError) in try json.text() }
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
