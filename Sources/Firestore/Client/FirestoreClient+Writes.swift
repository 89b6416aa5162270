extension FirestoreClient {
  /// Creates a document that must not exist.
  ///
  /// It is sent again after an unknown outcome. A refusal with `.alreadyExists` may therefore be
  /// about our own document (`followsUnknownOutcome` says when that is likely): read and compare.
  package func createDocument(
    in collection: ResourceName, id: String, fields: [String: Value]
  ) async throws -> Document {
    guard collection.isCollection, ResourceName.isValid(id: id) else {
      throw FirestoreError.invalidRequest(
        WireError("`\(id)` in \(collection) cannot be the name of a document"))
    }
    let call = FirestoreCall(
      url: endpoint.url(collection, query: [("documentId", id)]),
      body: Document(name: "", fields: fields).json, repetition: .repeatableWrite,
      request: "create \(collection)/\(id)")
    return try await perform(call) { body in
      Reading(result: try Document(json: StreamedAnswer.object(body)), billedReadCount: 0)
    }
  }

  /// Carries out all of the writes, in their order, or none.
  ///
  /// After an unknown outcome it is sent again only if doing it twice leaves what doing it once
  /// leaves; see `Write.isRepeatable`.
  package func commit(_ writes: [Write]) async throws -> CommitResult {
    let call = FirestoreCall(
      url: endpoint.url(endpoint.root, method: ":commit"),
      body: .object(["writes": .array(writes.map(\.json))]),
      repetition: writes.allSatisfy(\.isRepeatable) ? .repeatableWrite : .write,
      request: "commit \(writes.count) writes to \(endpoint.root)")
    return try await perform(call) { body in
      let result = try CommitResult(json: StreamedAnswer.object(body))
      guard result.updateTimes.count == writes.count else {
        throw WireError("\(result.updateTimes.count) results came for \(writes.count) writes")
      }
      return Reading(result: result, billedReadCount: 0)
    }
  }
}

extension Write {
  /// Whether a second time changes nothing, or is refused in a way that shows the first.
  ///
  /// An update bound to the time of the last one would be refused as if another had come first.
  package var isRepeatable: Bool {
    switch precondition {
    case nil: true
    case .exists(let exists): isUpdate || !exists
    case .updateTime: false
    }
  }

  private var isUpdate: Bool {
    guard case .update = operation else { return false }
    return true
  }
}
