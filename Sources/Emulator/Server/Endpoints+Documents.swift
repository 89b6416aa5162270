import Firestore

extension Endpoints {
  func get(_ name: ResourceName, _ target: RequestTarget) throws -> ServerResponse {
    try target.allowOnly("mask.fieldPaths", "readTime", "transaction", RequestTarget.tags)
    let mask = try target.mask("mask")
    let found = try documents.read(name.databaseName, try target.consistency) { $0.document(name) }
    guard let document = found.content else {
      throw RefusedRequest(.notFound, "Document \"\(name)\" not found.")
    }
    return ServerResponse(json: document.masked(by: mask).json)
  }

  /// Creates a document; without a `documentId` its id is 20 random letters and digits.
  func create(
    in collection: ResourceName, _ target: RequestTarget, _ body: JSON
  ) throws -> ServerResponse {
    try target.allowOnly("documentId", "mask.fieldPaths", RequestTarget.tags)
    guard collection.isCollection else { throw Endpoints.unknownMethod }
    let mask = try target.mask("mask")
    let id = target.first("documentId").flatMap { $0.isEmpty ? nil : $0 } ?? Endpoints.randomId()
    let document = try Document(checking: body, rules)
    guard document.name.isEmpty else {
      throw RefusedRequest.invalid("document.name must not be set")
    }
    let name = try collection.appending([id])
    let stored = try put(document, as: name, mask: nil, precondition: .exists(false))
    return ServerResponse(json: stored.masked(by: mask).json)
  }

  func patch(_ name: ResourceName, _ target: RequestTarget, _ body: JSON) throws -> ServerResponse {
    try target.allowOnly(
      "updateMask.fieldPaths", "mask.fieldPaths", "currentDocument.exists",
      "currentDocument.updateTime", RequestTarget.tags)
    try name.requireDocument()
    let mask = try target.mask("mask")
    let document = try Document(checking: body, rules)
    guard document.name.isEmpty || document.name == name.description else {
      throw RefusedRequest.invalid("document.name is \"\(document.name)\", the path's \"\(name)\"")
    }
    let stored = try put(
      document, as: name, mask: try target.mask("updateMask"),
      precondition: try target.precondition)
    return ServerResponse(json: stored.masked(by: mask).json)
  }

  func delete(_ name: ResourceName, _ target: RequestTarget) throws -> ServerResponse {
    try target.allowOnly(
      "currentDocument.exists", "currentDocument.updateTime", RequestTarget.tags)
    let write = Write(.delete(name: name.description), precondition: try target.precondition)
    _ = try documents.commit([StoredWrite(write)])
    return ServerResponse(json: .object([:]))
  }

  private func put(
    _ document: Document, as name: ResourceName, mask: [FieldPath]?,
    precondition: Write.Precondition?
  ) throws -> Document {
    var document = document
    document.name = name.description
    let write = Write(.update(document, mask: mask), precondition: precondition)
    return try documents.commit([StoredWrite(write)]).results.first?.document ?? document
  }

  private static func randomId() -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    return String((0..<20).compactMap { _ in alphabet.randomElement() })
  }
}

extension Document {
  /// Keeps only the fields of the mask; nil keeps all.
  func masked(by mask: [FieldPath]?) -> Document {
    guard let mask else { return self }
    var masked = self
    masked.fields = fields.selecting(mask)
    return masked
  }
}

extension RequestTarget {
  /// Reads `mask.fieldPaths` or `updateMask.fieldPaths`; nil without paths.
  func mask(_ name: String) throws -> [FieldPath]? {
    let paths = all("\(name).fieldPaths")
    let mask = try paths.map(FieldPath.init(parsing:))
    for path in mask { try path.requireUnreserved(.selected) }
    return mask.isEmpty ? nil : mask
  }

  /// Reads `readTime` or `transaction`.
  var consistency: Consistency {
    get throws(RefusedRequest) {
      switch (first("readTime"), first("transaction")) {
      case (nil, nil): return .present
      case (let text?, nil): return .past(try Timestamp(wire: text, of: "readTime"))
      case (nil, let text?): return .transaction(try TransactionID(wire: text))
      default: throw .invalid("a request has at most one of readTime and transaction")
      }
    }
  }

  fileprivate var precondition: Write.Precondition? {
    get throws(RefusedRequest) {
      switch (first("currentDocument.exists"), first("currentDocument.updateTime")) {
      case (nil, nil): return nil
      case ("true", nil): return .exists(true)
      case ("false", nil): return .exists(false)
      case (nil, let text?):
        return .updateTime(try Timestamp(wire: text, of: "currentDocument.updateTime"))
      default:
        throw .invalid("a precondition is one of exists (true or false) and updateTime")
      }
    }
  }
}
