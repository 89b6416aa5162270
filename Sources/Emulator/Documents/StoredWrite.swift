package import Firestore

/// A write of a commit with everything that the server understands of it.
package struct StoredWrite: Sendable {
  package var write: Write
  /// Applied in order, after the write itself.
  package var transforms: [FieldTransform]

  package init(_ write: Write, transforms: [FieldTransform] = []) {
    self.write = write
    self.transforms = transforms
  }

  /// The document's name as it was sent.
  package var name: String {
    switch write.operation {
    case .update(let document, _): document.name
    case .delete(let name): name
    }
  }
}

extension StoredWrite {
  /// Reads the REST form; `transform` and `verify`, which no client sends any more, are refused.
  init(json: JSON) throws {
    var members = try json.members()
    let transforms = members.removeValue(forKey: "updateTransforms")
    if let update = members["update"] { _ = try Document(checking: update) }
    self.init(
      try Write(json: .object(members)),
      transforms: try (transforms?.elements() ?? []).map(FieldTransform.init(json:)))
  }
}

extension Document {
  /// Reads what a client sends to be stored, and refuses what Firestore does not store.
  init(checking json: JSON) throws {
    _ = try Message(json, "name", "fields", "createTime", "updateTime")
    try self.init(json: json)
    try FieldCheck.check(fields)
  }
}

/// What Firestore refuses to store.
enum FieldCheck {
  static func check(_ fields: [String: Value]) throws(RefusedRequest) {
    for (name, value) in fields {
      guard !name.isEmpty else { throw .invalid("Document fields cannot have empty names.") }
      try check(value, of: name)
    }
  }

  private static func check(_ value: Value, of name: String) throws(RefusedRequest) {
    switch value {
    case .unknown(let kind, _):
      throw .invalid(
        "Invalid JSON payload received. Unknown name \"\(kind)\" at field '\(name)'.")
    case .map(let fields): try check(fields)
    case .array(let elements):
      for element in elements {
        if case .array = element {
          throw .invalid("Cannot convert an array value in an array value, in field '\(name)'.")
        }
        try check(element, of: name)
      }
    default: break
    }
  }
}
