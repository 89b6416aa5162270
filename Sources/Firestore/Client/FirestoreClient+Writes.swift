extension FirestoreClient {
  /// Creates a document that must not exist.
  ///
  /// Retries after an unknown outcome, so `.alreadyExists` may mean the document of an earlier
  /// attempt (`followsUnknownOutcome` says when that is likely): read and compare. An answer
  /// without the document's name and times throws `.malformedAnswer` without a retry; only reading
  /// shows whether the document exists.
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
      request: "create \(collection)/\(id)", tagPlace: .parameters)
    return try await perform(call) { body in
      let document = try Document(json: StreamedResponse.object(body))
      try Self.check(document, isNamed: "\(collection)/\(id)")
      return BilledResult(result: document, billedReadCount: 0)
    }
  }

  package func create(
    documentId: String, in collection: String, fields: [String: Value]
  ) async throws {
    _ = try await createDocument(in: try name(of: collection), id: documentId, fields: fields)
  }

  /// Throws unless the answer proves that this document was created.
  private static func check(_ document: Document, isNamed name: String) throws(WireError) {
    guard document.name == name else {
      throw document.name.isEmpty
        ? WireError("is missing", at: ["name"])
        : WireError("the answer is about `\(document.name)`", at: ["name"])
    }
    guard document.createTime != nil else { throw WireError("is missing", at: ["createTime"]) }
    guard document.updateTime != nil else { throw WireError("is missing", at: ["updateTime"]) }
  }

  /// Carries out all writes in order, or none.
  ///
  /// Retries after an unknown outcome only when every write is repeatable, see
  /// `Write.isRepeatable`.
  package func commit(_ writes: [Write]) async throws -> CommitResult {
    let request = "commit \(writes.count) writes to \(root)"
    return try await perform(writeCall(":commit", writes, request)) { body in
      let result = try CommitResult(json: StreamedResponse.object(body), writeCount: writes.count)
      for (write, result) in zip(writes, result.results) { try write.check(result) }
      return BilledResult(result: result, billedReadCount: 0)
    }
  }

  private func writeCall(_ method: String, _ writes: [Write], _ request: String) -> FirestoreCall {
    FirestoreCall(
      url: endpoint.url(root, method: method),
      body: .object(["writes": .array(writes.map(\.json))]),
      repetition: writes.allSatisfy(\.isRepeatable) ? .repeatableWrite : .write, request: request)
  }

  package func update(
    _ path: String, fields: [String: Value], ifUnchangedSince updateTime: Timestamp
  ) async throws {
    let name = try name(of: path).description
    _ = try await commit([Write(fields: fields, of: name, ifUnchangedSince: updateTime)])
  }

  /// Carries out each write on its own, in no order; at most one write per document.
  ///
  /// Needs IAM rights on the project: Firestore refuses a token under Security Rules. Retries like
  /// a commit, so `.alreadyExists` may mean the document of an earlier attempt: read and compare. A
  /// write that was refused is not retried.
  ///
  /// - Returns: one result per write, in order.
  /// - Throws: when the outcome of no write is known; see `FirestoreError.leavesOutcomeUnknown`.
  package func batchWrite(
    _ writes: [Write]
  ) async throws -> [Result<WriteResult, FirestoreError>] {
    guard !writes.isEmpty else { return [] }
    // By bytes: Firestore tells names apart that Swift takes for equal.
    guard Set(writes.map { Array("\($0.name)".utf8) }).count == writes.count else {
      throw FirestoreError.invalidRequest(WireError("a batch writes each document once"))
    }
    let request = "write \(writes.count) documents to \(root)"
    let batch = try await perform(writeCall(":batchWrite", writes, request)) { body in
      let result = try BatchResult(json: StreamedResponse.object(body), writeCount: writes.count)
      for case (let write, .success(let done)) in zip(writes, result.outcomes) {
        try write.check(done)
      }
      return BilledResult(result: result, billedReadCount: 0)
    }
    return zip(writes, batch.outcomes).map { write, outcome in
      outcome.mapError { envelope in
        .refused(
          Refusal(
            envelope, httpStatus: envelope.status.httpStatus, request: "write \(write.name)"))
      }
    }
  }

  package func create(
    _ documents: [String: [String: Value]]
  ) async throws -> [String: FirestoreError] {
    let paths = documents.keys.sorted()
    let writes = try paths.map { path in
      let document = Document(name: try name(of: path).description, fields: documents[path] ?? [:])
      return Write(.update(document, mask: nil), precondition: .exists(false))
    }
    let outcomes = try await batchWrite(writes)
    let failures = zip(paths, outcomes).compactMap { path, outcome -> (String, FirestoreError)? in
      guard case .failure(let error) = outcome else { return nil }
      return (path, error)
    }
    return Dictionary(failures) { _, last in last }
  }
}

extension Write {
  /// Writes the given fields of a document that did not change since; other fields are kept.
  package init(
    fields: [String: Value], of name: String, ifUnchangedSince updateTime: Timestamp
  ) {
    self.init(
      .update(
        Document(name: name, fields: fields),
        mask: fields.keys.sorted().map { FieldPath(segments: [$0]) }),
      precondition: .updateTime(updateTime))
  }

  /// Whether repeating the write changes nothing, or is refused in a way that shows the first.
  ///
  /// An update with an update time is not: a repetition is refused as if another client had been
  /// first.
  package var isRepeatable: Bool {
    switch precondition {
    case .exists(false), nil: true
    case .exists(true): isUpdate
    case .updateTime: false
    }
  }

  /// Throws unless the result proves that the write was carried out.
  fileprivate func check(_ result: WriteResult) throws(WireError) {
    guard !isUpdate || result.updateTime != nil else {
      throw WireError("the result of the write to \(name) has no updateTime")
    }
  }

  private var isUpdate: Bool {
    if case .update = operation { true } else { false }
  }
}

package struct CommitResult: Hashable, Sendable {
  /// One per write, in order.
  package var results: [WriteResult]
  package var commitTime: Timestamp?
}

extension CommitResult {
  init(json: JSON, writeCount: Int) throws(WireError) {
    let members = try json.members()
    results = try members.list("writeResults", WriteResult.init(json:))
    commitTime = try members.optional("commitTime", Timestamp.init(json:))
    guard results.count == writeCount else {
      throw WireError("the server confirmed \(results.count) of \(writeCount) writes")
    }
  }
}

package struct WriteResult: Hashable, Sendable {
  /// The document's update time, unchanged when the write changed nothing; nil for a delete.
  package var updateTime: Timestamp?

  package init(updateTime: Timestamp?) { self.updateTime = updateTime }
}

extension WriteResult {
  init(json: JSON) throws(WireError) {
    updateTime = try json.members().optional("updateTime", Timestamp.init(json:))
  }
}

/// The outcomes of a batch, whose writes are carried out one by one.
struct BatchResult {
  /// One per write, in order: its result or its error.
  let outcomes: [Result<WriteResult, ErrorEnvelope>]

  init(json: JSON, writeCount: Int) throws(WireError) {
    let members = try json.members()
    let results = try members.list("writeResults", WriteResult.init(json:))
    let refusals = try members.list("status", ErrorEnvelope.refusal(rpcStatus:))
    guard results.count == writeCount, refusals.count == writeCount else {
      let confirmed = min(results.count, refusals.count)
      throw WireError("the server confirmed \(confirmed) of \(writeCount) writes")
    }
    outcomes = zip(results, refusals).map { result, refusal in
      refusal.map { .failure($0) } ?? .success(result)
    }
  }
}
