package import Firestore
import Model

/// A write of a commit, with what only servers support.
package struct StoredWrite: Sendable {
  package var write: Write
  /// Applied in order after the update; empty for a delete.
  var transforms: [FieldTransform] = []
  /// Whether it only checks its precondition.
  package var onlyVerifies = false

  package init(_ write: Write) {
    self.write = write
  }

  /// The document's name as the request contains it.
  package var name: String { write.name }
}

extension StoredWrite {
  /// Reads the REST form, including the operations `transform` and `verify`.
  init(json: JSON, _ rules: EditionRules) throws {
    let message = try Message(
      json, "update", "delete", "transform", "verify", "updateMask", "updateTransforms",
      "currentDocument")
    let kinds = ["update", "delete", "transform", "verify"].filter { message[$0] != nil }
    guard kinds.count == 1, let kind = kinds.first else {
      throw RefusedRequest.invalid(
        "a write has exactly one of update, delete, transform and verify")
    }
    switch kind {
    case "update": try self.init(update: message, rules)
    case "transform": try self.init(transform: message, rules)
    default: try self.init(removing: message, kind: kind)
    }
    try FieldTransform.check(transforms)
  }

  private init(update message: Message, _ rules: EditionRules) throws {
    let document = try Document(checking: message["update"] ?? .object([:]), rules)
    self.init(
      Write(
        .update(document, mask: try message.mask("updateMask")),
        precondition: try message.precondition))
    transforms = try message.list("updateTransforms")
      .map { try FieldTransform(json: $0, rules) }
  }

  /// Reads the older form of a write that only transforms.
  private init(transform message: Message, _ rules: EditionRules) throws {
    let content = try Message(message["transform"] ?? .object([:]), "document", "fieldTransforms")
    let document = Document(name: try content.text("document") ?? "", fields: [:])
    self.init(Write(.update(document, mask: []), precondition: try message.precondition))
    transforms = try content.list("fieldTransforms")
      .map { try FieldTransform(json: $0, rules) }
    guard !transforms.isEmpty else {
      throw RefusedRequest.invalid("The list of FieldTransform must not be empty.")
    }
  }

  private init(removing message: Message, kind: String) throws {
    guard message["updateMask"] == nil, message["updateTransforms"] == nil else {
      throw RefusedRequest.invalid("a \(kind) must not specify a document mask or transforms.")
    }
    let name = try message.text(kind) ?? ""
    self.init(Write(.delete(name: name), precondition: try message.precondition))
    onlyVerifies = kind == "verify"
    guard !onlyVerifies || write.precondition != nil else {
      throw RefusedRequest.invalid("a verify must contain a precondition")
    }
  }
}

extension Document {
  /// Reads a document to be stored; throws for what Firestore does not store.
  init(checking json: JSON, _ rules: EditionRules) throws {
    _ = try Message(json, "name", "fields", "createTime", "updateTime")
    try self.init(json: json)
    try FieldCheck.check(fields, rules)
  }
}

extension Message {
  /// Nil when it is absent or empty.
  fileprivate var precondition: Write.Precondition? {
    get throws {
      guard let json = self["currentDocument"], json != .object([:]) else { return nil }
      return try Write.Precondition(json: json)
    }
  }
}
