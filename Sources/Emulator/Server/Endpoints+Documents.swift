import Firestore

/// The endpoints for one document at a time.
extension Endpoints {
  func get(_ name: ResourceName, _ target: RequestTarget) throws -> Answer {
    try target.allowOnly("mask.fieldPaths", "readTime", "transaction")
    _ = try target.readTime
    guard let document = documents.document(name).content else {
      throw RefusedRequest(.notFound, "Document \"\(name)\" not found.")
    }
    return Answer(json: document.masked(by: try target.mask("mask")).json)
  }

  /// Without a `documentId` a random one of 20 letters and digits is made up, as clients do.
  func create(
    in collection: ResourceName, _ target: RequestTarget, _ body: JSON
  ) throws -> Answer {
    try target.allowOnly("documentId", "mask.fieldPaths")
    guard collection.isCollection else { throw Endpoints.unknownMethod }
    let id = target.first("documentId").flatMap { $0.isEmpty ? nil : $0 } ?? Endpoints.randomId()
    let name = try collection.appending([id])
    let stored = try put(name, body, mask: nil, precondition: .exists(false))
    return Answer(json: stored.masked(by: try target.mask("mask")).json)
  }

  func patch(_ name: ResourceName, _ target: RequestTarget, _ body: JSON) throws -> Answer {
    try target.allowOnly(
      "updateMask.fieldPaths", "mask.fieldPaths", "currentDocument.exists",
      "currentDocument.updateTime")
    try name.requireDocument()
    let stored = try put(
      name, body, mask: try target.mask("updateMask"), precondition: try target.precondition)
    return Answer(json: stored.masked(by: try target.mask("mask")).json)
  }

  func delete(_ name: ResourceName, _ target: RequestTarget) throws -> Answer {
    try target.allowOnly("currentDocument.exists", "currentDocument.updateTime")
    let write = Write(
      .delete(name: name.description), precondition: try target.precondition)
    _ = try documents.commit([StoredWrite(write)])
    return Answer(json: .object([:]))
  }

  private func put(
    _ name: ResourceName, _ body: JSON, mask: [FieldPath]?, precondition: Write.Precondition?
  ) throws -> Document {
    var document = try Document(checking: body)
    document.name = name.description
    let write = Write(.update(document, mask: mask), precondition: precondition)
    _ = try documents.commit([StoredWrite(write)])
    return documents.document(name).content ?? document
  }

  private static func randomId() -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    return String((0..<20).compactMap { _ in alphabet.randomElement() })
  }
}

extension Document {
  /// A mask of nil keeps everything.
  func masked(by mask: [FieldPath]?) -> Document {
    guard let mask else { return self }
    var masked = self
    masked.fields = fields.selecting(mask)
    return masked
  }
}

extension RequestTarget {
  /// The field paths of `mask.fieldPaths` or `updateMask.fieldPaths`; nil when there are none.
  func mask(_ name: String) throws -> [FieldPath]? {
    let paths = all("\(name).fieldPaths")
    return paths.isEmpty ? nil : try paths.map { try FieldPath(parsing: $0) }
  }

  /// Checked, though only the present is kept.
  var readTime: Timestamp? {
    get throws(RefusedRequest) {
      guard let text = first("readTime") else { return nil }
      return try Timestamp(wire: text, of: "readTime")
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
