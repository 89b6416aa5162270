/// A document as Firestore sends it.
package struct Document: Hashable, Sendable {
  /// `projects/{project}/databases/{database}/documents/{collection}/{id}[/...]`.
  package var name: String
  package var fields: [String: Value]
  /// Nil only for a document that was never stored.
  package var createTime: Timestamp?
  package var updateTime: Timestamp?

  package init(
    name: String, fields: [String: Value], createTime: Timestamp? = nil,
    updateTime: Timestamp? = nil
  ) {
    self.name = name
    self.fields = fields
    self.createTime = createTime
    self.updateTime = updateTime
  }

  /// The last part of the name.
  package var id: String {
    name.lastIndex(of: "/").map { String(name[name.index(after: $0)...]) } ?? name
  }
}

/// A write of a commit; see `docs/firestore.md#writes`.
package struct Write: Hashable, Sendable {
  package enum Operation: Hashable, Sendable {
    /// Sets the fields; with `mask`, only those named, and a named field that is absent is deleted.
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
}
