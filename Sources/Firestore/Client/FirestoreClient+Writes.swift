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
      let result = try CommitResult(
        json: StreamedAnswer.object(body), writeCount: writes.count)
      return Reading(result: result, billedReadCount: 0)
    }
  }

  /// Carries out each of the writes by itself, at most one a document, in no order.
  ///
  /// Needs rights of the project: a token under Security Rules is refused as a whole. It is sent
  /// again under the same condition as a commit, so that `.alreadyExists` may be about one's own
  /// document: read and compare. What a write was refused for is not tried again.
  ///
  /// - Returns: one for each, in their order.
  /// - Throws: when nothing is known of any write; see `FirestoreError.leavesOutcomeUnknown`.
  package func batchWrite(
    _ writes: [Write]
  ) async throws -> [Result<Write.Result, FirestoreError>] {
    guard !writes.isEmpty else { return [] }
    guard Set(writes.map(\.name)).count == writes.count else {
      throw FirestoreError.invalidRequest(WireError("a batch writes each document once"))
    }
    let call = FirestoreCall(
      url: endpoint.url(endpoint.root, method: ":batchWrite"),
      body: .object(["writes": .array(writes.map(\.json))]),
      repetition: writes.allSatisfy(\.isRepeatable) ? .repeatableWrite : .write,
      request: "write \(writes.count) documents to \(endpoint.root)")
    let batch = try await perform(call) { body in
      let result = try BatchResult(json: StreamedAnswer.object(body), writeCount: writes.count)
      return Reading(result: result, billedReadCount: 0)
    }
    return zip(writes, batch.outcomes).map { write, outcome in
      outcome.mapError { envelope in
        .refused(
          Refusal(
            envelope, httpStatus: envelope.status.httpStatus, request: "write \(write.name)"))
      }
    }
  }
}

extension Write {
  /// Whether a second time changes nothing, or is refused in a way that shows the first.
  ///
  /// An update bound to the time of the last one would be refused as if another had come first, and
  /// a number would grow twice.
  package var isRepeatable: Bool {
    switch precondition {
    case .exists(false): true
    case .exists(true): isUpdate && transforms.allSatisfy(\.isRepeatable)
    case nil: transforms.allSatisfy(\.isRepeatable)
    case .updateTime: false
    }
  }

  private var isUpdate: Bool {
    guard case .update = operation else { return false }
    return true
  }
}
