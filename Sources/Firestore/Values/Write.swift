/// A write of a commit; see `docs/firestore.md#writes`.
package struct Write: Hashable, Sendable {
  package enum Operation: Hashable, Sendable {
    /// Replaces all fields, or those that `mask` names; deletes a named field that is absent.
    case update(Document, mask: [FieldPath]?)
    case delete(name: String)
  }

  package enum Precondition: Hashable, Sendable {
    case exists(Bool)
    case updateTime(Timestamp)
  }

  package var operation: Operation
  /// Applied in order after the update; empty for a delete.
  package var transforms: [FieldTransform]
  package var precondition: Precondition?

  package init(
    _ operation: Operation, transforms: [FieldTransform] = [], precondition: Precondition? = nil
  ) {
    self.operation = operation
    self.transforms = transforms
    self.precondition = precondition
  }

  package var name: String {
    switch operation {
    case .update(let document, _): document.name
    case .delete(let name): name
    }
  }

  package var json: JSON {
    var members: [String: JSON] = [:]
    switch operation {
    case .update(let document, let mask):
      let written = Document(name: document.name, fields: document.fields)
      members["update"] = written.json
      members["updateMask"] = mask.map(FieldPath.maskJSON)
    case .delete(let name): members["delete"] = .string(name)
    }
    if !transforms.isEmpty { members["updateTransforms"] = .array(transforms.map(\.json)) }
    members["currentDocument"] = precondition?.json
    return .object(members)
  }
}

extension Write.Precondition {
  /// Reads an object with one of `exists` and `updateTime`.
  package init(json: JSON) throws(WireError) {
    let members = try json.members()
    try members.allowOnly("exists", "updateTime")
    let exists = try members.flag("exists")
    let updateTime = try members.optional("updateTime", Timestamp.init(json:))
    switch (exists, updateTime) {
    case (let exists?, nil): self = .exists(exists)
    case (nil, let updateTime?): self = .updateTime(updateTime)
    default: throw WireError("a precondition has one of exists and updateTime")
    }
  }

  package var json: JSON {
    switch self {
    case .exists(let exists): .object(["exists": .boolean(exists)])
    case .updateTime(let time): .object(["updateTime": .string(time.rfc3339)])
    }
  }
}

/// A change of a field that the server computes in the commit; see `docs/firestore.md#writes`.
package struct FieldTransform: Hashable, Sendable {
  package enum Operation: Hashable, Sendable {
    /// Sets the time of the commit, in milliseconds.
    case requestTime
    /// Adds to a number; integers saturate at 64 bits.
    case increment(Value)
    /// Keeps the larger number: the old one when equal, NaN when either is NaN.
    case maximum(Value)
    case minimum(Value)
    case appendMissing([Value])
    case removeAll([Value])
  }

  package var field: FieldPath
  package var operation: Operation

  package init(_ field: FieldPath, _ operation: Operation) {
    self.field = field
    self.operation = operation
  }

  package var json: JSON {
    let (key, content): (String, JSON) =
      switch operation {
      case .requestTime: ("setToServerValue", .string("REQUEST_TIME"))
      case .increment(let value): ("increment", value.json)
      case .maximum(let value): ("maximum", value.json)
      case .minimum(let value): ("minimum", value.json)
      case .appendMissing(let values): ("appendMissingElements", Self.list(values))
      case .removeAll(let values): ("removeAllFromArray", Self.list(values))
      }
    return .object(["fieldPath": .string(field.description), key: content])
  }

  private static func list(_ values: [Value]) -> JSON {
    .object(["values": .array(values.map(\.json))])
  }

  /// Whether repeating the transform changes nothing except the time of a commit.
  var isRepeatable: Bool {
    if case .increment = operation { false } else { true }
  }
}
