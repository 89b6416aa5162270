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
  package var precondition: Precondition?

  package init(_ operation: Operation, precondition: Precondition? = nil) {
    self.operation = operation
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
